// How busy the links of a map were at any time of a run.
#pragma once

#include <string>
#include <vector>

#include "analysis/fabric_map.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Bins of equal width, up to a picosecond, from the beginning of a run to its end.
struct MapOverTime {
  struct Loads {
    std::vector<double> up, down;  // share of capacity, by bin
    std::vector<double> peak;      // of the busiest port, either way
  };
  double bin_s = 0;
  std::vector<Loads> links;  // as in FabricMap::links; none where `unknown` says why
  std::string unknown;       // "Closed forms do not say when links are busy."
};

/// Over a run of `time`: by samples of ports where there are packets, else by what single flows sent. The means over all bins
/// are the loads of the map. Looks at the ports of the map alone.
MapOverTime map_over_time(const Fabric& fabric, const FabricMap& map, const Telemetry& telemetry, Picoseconds time);

}  // namespace railyard
