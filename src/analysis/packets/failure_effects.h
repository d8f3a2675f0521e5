// What failed links did to packets: what was lost, who went another way, who noticed, who gave up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/packets/pause_tree.h"
#include "base/units.h"
#include "fabric/fabric.h"
#include "telemetry/packets.h"

namespace railyard {

/// One direction of a link that lost packets.
struct LossRow {
  std::string port;
  std::uint64_t packets = 0, data = 0;  // all; those with payload
  Bytes bytes;                          // on the wire
  double first_us = 0, last_us = 0;
};

/// Queue pairs that took other paths at one instant.
struct RerouteRow {
  double at_us = 0;
  std::uint64_t queue_pairs = 0;
};

/// A queue pair that heard nothing for long.
struct TimeoutRow {
  std::string from, to;
  std::uint64_t timeouts = 0;
  double first_us = 0;
  std::optional<double> broken_us;  // when it gave up for good
};

/// A host that failed for a while, and whom that stopped.
struct HostFaultRow {
  std::string host;
  bool storms = false;  // its NIC paused its switch for no reason; else it took packets in slowly
  double from_us = 0;
  std::optional<double> until_us = {};     // for good if not given
  std::uint64_t ports = 0, hosts = 0;      // paused because of it: in all; of hosts
  std::uint64_t links_away = 0;            // from it, the farthest of them
  std::optional<double> watchdog_us = {};  // when a watchdog at its own link stepped in
};

struct FailureEffects {
  std::uint64_t lost = 0;                  // packets, on links that failed
  std::vector<LossRow> losses = {};        // those that lost most first
  std::vector<RerouteRow> rerouted = {};   // by time
  std::vector<TimeoutRow> timed_out = {};  // what is broken first, then by time
  std::uint64_t timed_out_in_all = 0, broken = 0;
  std::vector<HostFaultRow> host_faults = {};  // by time
  std::uint64_t watchdog_drops = 0;            // packets
};

/// Empty where nothing was lost, rerouted or timed out, and no host failed.
/// `tree`: of its pauses.
std::optional<FailureEffects> failure_effects(const Fabric& fabric, const PacketRecord& packets, const PauseTree& tree);

}  // namespace railyard
