#include "analysis/patterns/watched_places.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/tier_loads.h"
#include "base/quantity_text.h"
#include "fabric/routes.h"
#include "sim/edge_places.h"

namespace railyard {

namespace {

constexpr double kMore = 1 + 1e-9;  // sums of equal parts may differ in their last digits

/// What GPUs of each interface send over the network, and its capacity.
struct Nics {
  std::vector<double> bytes, capacity;
};

Nics nics_of(const Fabric& fabric, std::span<const Bundle> bundles, const std::vector<double>& bytes) {
  Nics nics{std::vector<double>(fabric.leaf.size(), 0), std::vector<double>(fabric.leaf.size(), 0)};
  for (std::size_t bundle = 0; bundle < bundles.size(); bundle++)
    if (bytes[bundle] > 0)
      for (const Edge& edge : bundles[bundle].edges)
        nics.bytes[fabric.interface_of(edge.from).index()] += edge.share * bytes[bundle];
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    if (fabric.trunk_tier[trunk] != Tier::host_up) continue;
    const std::uint32_t node = fabric.port_from[fabric.trunk_ports[trunk].front()].index();
    if (node < nics.capacity.size()) nics.capacity[node] += static_cast<double>(fabric.trunk_rate(trunk).count());
  }
  return nics;
}

std::string nic_name(const Fabric& fabric, std::uint32_t nic) {
  if (fabric.drawn) return end_name(fabric, NodeId(nic));
  const TrunkId trunk = host_up_trunk(fabric, InterfaceId(nic));
  return lane_name(fabric, {.tier = 0, .lane = trunk.index(), .is_trunk = true, .rate = {}, .carried = {}, .bits = {}});
}

/// What edges put on one lane.
class LaneShares {
 public:
  LaneShares(const Fabric& fabric, const PathPolicy& routing, std::span<const Bundle> bundles, const Telemetry::Busiest& lane)
      : fabric_(fabric),
        routing_(routing),
        paths_(keeps_path(routing.policy) ? routing.queue_pairs : routing.paths.value_or(1)),
        bundles_(bundles),
        lane_(lane),
        leaf_(leaf_of(lane)),
        places_(fabric, bundles, paths_),
        numbers_(fabric, routing.hash) {}

  [[nodiscard]] std::vector<double> of_strands(const WireTraffic& traffic, const std::vector<double>& bytes) {
    std::vector<double> shares(traffic.first_strand.back(), 0);
    for_each_edge(bundles_, traffic, [&](std::size_t bundle, std::size_t number, const Edge& edge, std::uint32_t strand) {
      if (bytes[bundle] > 0 && may_cross(edge)) shares[strand] += edge.share * share_of(bundle, number);
    });
    return shares;
  }

 private:
  [[nodiscard]] BlockId leaf_of(const Telemetry::Busiest& lane) const {
    const PortId port = lane.is_trunk ? fabric_.trunk_ports[TrunkId(lane.lane)].front() : PortId(lane.lane);
    return fabric_.drawn ? BlockId() : fabric_.block_of[fabric_.port_from[port]];
  }

  /// Only what starts under the lane's leaf does; in a drawing anything may.
  [[nodiscard]] bool may_cross(const Edge& edge) const {
    if (!leaf_.valid() || fabric_.leaf_of(edge.from) == leaf_) return true;
    return fabric_.rails > 1 && fabric_.leaf_of(edge.from) != fabric_.leaf_of(edge.to) &&
           fabric_.leaf_of(relay_of(fabric_, edge.from, edge.to)) == leaf_;
  }

  double share_of(std::size_t bundle, std::size_t number) {
    const Edge& edge = bundles_[bundle].edges[number];
    double share = 0;
    if (lane_.is_trunk) {
      way_.clear();
      find_way(fabric_, edge.from, edge.to, way_);
      for (const TrunkShare& step : way_)
        if (step.trunk.index() == lane_.lane) share += step.share;
      return share;
    }
    const QpPlaces place = places_.of(bundle, number);
    for (std::uint32_t i = 0; i < paths_; i++) {
      path_.clear();
      const FlowHeader header = header_of(fabric_, edge.from, edge.to, place.local + i, place.remote + i, numbers_);
      find_hashed_path(fabric_, edge.from, edge.to, header, routing_.hash, path_);
      for (const PortId port : path_)
        if (port.index() == lane_.lane) share += 1.0 / paths_;
    }
    return share;
  }

  const Fabric& fabric_;
  const PathPolicy& routing_;
  const std::uint32_t paths_;
  const std::span<const Bundle> bundles_;
  const Telemetry::Busiest& lane_;
  const BlockId leaf_;
  const PlacesOfEdges places_;
  const QueuePairNumbers numbers_;
  Way way_;  // scratch
  std::vector<PortId> path_;
};

}  // namespace

std::optional<Telemetry::Busiest> busiest_lane(const Fabric& fabric, const Telemetry& telemetry, Tier tier) {
  Telemetry::Busiest found{
      .tier = static_cast<std::size_t>(tier), .lane = 0, .is_trunk = true, .rate = {}, .carried = {}, .bits = {}};
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    if (fabric.trunk_tier[trunk] != tier) continue;
    if (telemetry.port_carried.empty()) {
      if (telemetry.trunk_carried[trunk] > found.carried)
        found.lane = trunk.index(), found.carried = telemetry.trunk_carried[trunk], found.rate = fabric.trunk_rate(trunk);
      continue;
    }
    found.is_trunk = false;
    for (const PortId port : fabric.trunk_ports[trunk])
      if (telemetry.port_carried[port] > found.carried)
        found.lane = port.index(), found.carried = telemetry.port_carried[port], found.rate = fabric.trunk_port_rate[trunk];
  }
  if (found.carried == Bytes::zero()) return std::nullopt;
  return found;
}

std::vector<WatchedPlace> watched_places(const Fabric& fabric, const PathPolicy& routing, const Telemetry* telemetry,
                                         std::span<const Bundle> bundles, const WireTraffic& traffic, bool fixed_ways) {
  std::vector<WatchedPlace> places;
  const std::vector<double> bytes = bytes_of_bundles(traffic, bundles.size());
  const Nics nics = nics_of(fabric, bundles, bytes);
  std::uint32_t most = 0, sending = 0;
  double capacity = 0;
  for (std::uint32_t nic = 0; nic < nics.bytes.size(); nic++) {
    if (nics.bytes[nic] > nics.bytes[most] * kMore) most = nic;
    if (nics.bytes[nic] > 0) sending++, capacity += nics.capacity[nic];
  }
  if (sending == 0) return places;
  WatchedPlace nic{"NIC", nic_name(fabric, most), nics.capacity[most], std::vector<double>(traffic.first_strand.back(), 0)};
  WatchedPlace all{"fabric", fmt::format("all {} NICs that send", format_count(sending)), capacity, nic.share};
  for_each_edge(bundles, traffic, [&](std::size_t, std::size_t, const Edge& edge, std::uint32_t strand) {
    all.share[strand] += edge.share;
    if (fabric.interface_of(edge.from).index() == most) nic.share[strand] += edge.share;
  });
  places.push_back(std::move(nic));
  const auto lane = telemetry && fixed_ways ? busiest_lane(fabric, *telemetry, Tier::leaf_up) : std::nullopt;
  if (lane)
    places.push_back({"leaf uplink", lane_name(fabric, *lane), static_cast<double>(lane->rate.count()),
                      LaneShares(fabric, routing, bundles, *lane).of_strands(traffic, bytes)});
  places.push_back(std::move(all));
  return places;
}

}  // namespace railyard
