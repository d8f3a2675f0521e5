// Traffic over time where packets were sampled: the ports that sent most.
#pragma once

#include <string>
#include <vector>

#include "analysis/patterns/wire_traffic.h"

namespace railyard {

struct SampledPoint {
  std::string where, name;  // as of an ObservedPoint
  double capacity_bps = 0;
  std::vector<RateSpan> spans = {};  // one for each sample, up to the end of the run
};

/// Everything on the wire, headers and control packets included. Empty where nothing was sampled.
std::vector<SampledPoint> sampled_points(const Fabric& fabric, const PacketRecord& packets, Picoseconds time);

}  // namespace railyard
