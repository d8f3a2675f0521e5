#include "analysis/patterns/load_spread.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/tier_loads.h"

namespace railyard {

namespace {

/// What each of some that are alike sent, and may send.
struct Loads {
  std::vector<double> bytes, bps;

  void add(std::size_t which, double sent, double rate) {
    if (bytes.size() <= which) bytes.resize(which + 1, 0), bps.resize(which + 1, 0);
    bytes[which] += sent, bps[which] += rate;
  }
};

double sum_of(const Fabric& fabric, const Table<PortId, double>& carried, TrunkId trunk) {
  double bytes = 0;
  for (const PortId port : fabric.trunk_ports[trunk]) bytes += carried[port];
  return bytes;
}

/// `name` of the one with that number.
template<class Name>
void add_spread(std::string of, const Loads& loads, Picoseconds time, const Name& name, std::vector<LoadSpread>& all) {
  if (loads.bytes.empty()) return;
  LoadSpread spread{.of = std::move(of), .count = loads.bytes.size()};
  std::vector<double> gbps;
  for (std::size_t i = 0; i < loads.bytes.size(); i++) {
    gbps.push_back(loads.bytes[i] * 8 / seconds(time) / 1e9);
    spread.capacity_gbps = std::max(spread.capacity_gbps, loads.bps[i] / 1e9);
    RY_CHECK(is_within(gbps.back(), loads.bps[i] / 1e9), "nothing sends more than its links carry");
  }
  const auto most = std::max_element(gbps.begin(), gbps.end());
  if (*most > 0) spread.busiest = name(static_cast<std::uint32_t>(most - gbps.begin()));
  spread.gbps = spread_of(std::move(gbps));
  all.push_back(std::move(spread));
}

/// Blocks of one kind, in order.
void add_blocks(const Fabric& fabric, const Table<PortId, double>& carried, Picoseconds time, NodeKind kind, std::string of,
                std::vector<LoadSpread>& all) {
  Loads loads;
  std::vector<BlockId> blocks;
  for (const BlockId id : ids(fabric.blocks)) {
    const Block& block = fabric.blocks[id];
    if (block.kind != kind || !block.parent.valid()) continue;
    loads.add(blocks.size(), sum_of(fabric, carried, block.up), static_cast<double>(fabric.trunk_rate(block.up).count()));
    blocks.push_back(id);
  }
  const bool is_leaf = kind == NodeKind::leaf;
  add_spread(
      std::move(of), loads, time,
      [&](std::uint32_t i) { return is_leaf ? end_name(fabric, fabric.blocks[blocks[i]].first) : fmt::format("pod {}", i); },
      all);
}

}  // namespace

std::vector<LoadSpread> load_spreads(const Fabric& fabric, const Table<PortId, double>& carried, Picoseconds time) {
  std::vector<LoadSpread> all;
  if (time == Picoseconds::zero()) return all;
  Loads nics, servers, rails, fabric_load;
  const std::uint32_t rail_count = rails_of_gpus(fabric);
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    if (fabric.trunk_tier[trunk] != Tier::host_up) continue;
    const std::uint32_t nic = fabric.port_from[fabric.trunk_ports[trunk].front()].index();
    if (nic >= fabric.interfaces) continue;
    const double bytes = sum_of(fabric, carried, trunk), rate = static_cast<double>(fabric.trunk_rate(trunk).count());
    nics.add(nic, bytes, rate);
    servers.add(std::size_t{nic} * fabric.per_interface / fabric.per_node, bytes, rate);
    if (rail_count > 1) rails.add(nic % rail_count, bytes, rate);
    fabric_load.add(0, bytes, rate);
  }
  const auto numbered = [](const char* what) { return [what](std::uint32_t i) { return fmt::format("{} {}", what, i); }; };
  add_spread(
      "NIC", nics, time, [&](std::uint32_t i) { return end_name(fabric, NodeId(i)); }, all);
  add_spread("server", servers, time, numbered("server"), all);
  add_spread("rail", rails, time, numbered("rail"), all);
  if (!fabric.drawn) {
    add_blocks(fabric, carried, time, NodeKind::leaf, "leaf", all);
    add_blocks(fabric, carried, time, NodeKind::spine, "pod", all);
  }
  add_spread(
      "fabric", fabric_load, time, [](std::uint32_t) { return std::string(); }, all);
  return all;
}

}  // namespace railyard
