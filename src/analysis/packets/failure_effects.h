// What failed links did to packets: what was lost, who went another way, who noticed, who gave up.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

struct FailureEffects {
  std::uint64_t lost = 0;                  // packets, on links that failed
  std::vector<LossRow> losses = {};        // those that lost most first
  std::vector<RerouteRow> rerouted = {};   // by time
  std::vector<TimeoutRow> timed_out = {};  // what is broken first, then by time
  std::uint64_t timed_out_in_all = 0, broken = 0;
};

/// Empty where nothing was lost, rerouted or timed out.
std::optional<FailureEffects> failure_effects(const Fabric& fabric, const PacketRecord& packets);

}  // namespace railyard
