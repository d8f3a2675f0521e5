// Transmit queues, PFC and the pause watchdog of EOS ports.
#pragma once

#include <string>

#include "config/read/cli_tree.h"
#include "qos/policy.h"

namespace railyard {

/// What several statements of a port say together.
struct EosQueueState {
  bool pfc_on = false, all_off = false;
  std::uint8_t no_drop = 0;      // priorities, as bits
  std::uint8_t round_robin = 0;  // queues with "no priority", as bits
  std::string policy_map;        // bound to the port
};

void read_eos_queue(const CliTree& tree, const CliStatement& queue, const std::string& file, QosPolicy& policy,
                    EosQueueState& state);
/// `global`: of the switch ("pause watchdog default timeout 0.05"), else of a port.
void read_eos_watchdog(const CliStatement& line, const std::string& file, bool global, QosPolicy& policy);
void finish_eos_queues(const EosQueueState& state, QosPolicy& policy);

}  // namespace railyard
