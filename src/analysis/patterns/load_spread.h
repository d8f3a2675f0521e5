// How evenly what is alike was loaded: NICs, servers, rails, leaves, pods.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/packets/traffic_results.h"
#include "fabric/fabric.h"

namespace railyard {

struct LoadSpread {
  std::string of;  // "NIC", "server", "rail", "leaf", "pod", "fabric": the last is all NICs together
  std::uint64_t count = 0;
  double capacity_gbps = 0;  // of one; of the fastest where they differ
  TimeSpread gbps = {};      // sent towards the network, over the whole run
  std::string busiest = {};
};

/// Over a run of `time`, in which ports sent `carried` bytes. NICs of GPUs alone; leaves and pods by what goes up from them.
/// Rails where servers have some, and nothing of a drawing but NICs, servers and all together.
std::vector<LoadSpread> load_spreads(const Fabric& fabric, const Table<PortId, double>& carried, Picoseconds time);

}  // namespace railyard
