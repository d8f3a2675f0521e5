#include "analysis/patterns/observed_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/tier_loads.h"
#include "base/quantity_text.h"
#include "fabric/routes.h"
#include "sim/edge_qp_indices.h"

namespace railyard {

namespace {

constexpr double kMore = 1 + 1e-9;  // sums of equal parts may differ in their last digits

/// The interface by which an edge enters the network, that of a relay where there is one; none inside a scale-up domain.
class EdgeNics {
 public:
  explicit EdgeNics(const Fabric& fabric) : fabric_(fabric) {}

  [[nodiscard]] std::optional<std::uint32_t> of(const Edge& edge) {
    if (!fabric_.drawn) {
      if (share_domain(fabric_, edge.from, edge.to)) return std::nullopt;
      return fabric_.interface_of(relay_of(fabric_, edge.from, edge.to)).index();
    }
    path_.clear();
    find_path(fabric_, edge.from, edge.to, path_);
    for (const TrunkShare& step : path_)
      if (fabric_.trunk_tier[step.trunk] == Tier::host_up)
        return fabric_.port_from[fabric_.trunk_ports[step.trunk].front()].index();
    return std::nullopt;
  }

 private:
  const Fabric& fabric_;
  TrunkPath path_;  // scratch
};

/// What each interface sends over the network, and its capacity.
struct Nics {
  std::vector<double> bytes, capacity;
};

Nics nics_of(const Fabric& fabric, std::span<const Bundle> bundles, const std::vector<double>& bytes) {
  Nics nics{std::vector<double>(fabric.leaf.size(), 0), std::vector<double>(fabric.leaf.size(), 0)};
  EdgeNics edge_nics(fabric);
  for (std::size_t bundle = 0; bundle < bundles.size(); bundle++)
    if (bytes[bundle] > 0)
      for (const Edge& edge : bundles[bundle].edges)
        if (const auto nic = edge_nics.of(edge)) nics.bytes[*nic] += edge.share * bytes[bundle];
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
  return link_name(fabric, trunk.index(), true);
}

/// What edges put on one link.
class LinkShares {
 public:
  LinkShares(const Fabric& fabric, const PathPolicy& routing, std::span<const Bundle> bundles, const Telemetry::Busiest& link)
      : fabric_(fabric),
        routing_(routing),
        paths_(routing.hashed_paths()),
        bundles_(bundles),
        link_(link),
        leaf_(leaf_of(link)),
        edge_qp_indices_(fabric, bundles, paths_),
        numbers_(fabric, routing.hash) {}

  [[nodiscard]] std::vector<double> of_flows(const WireTraffic& traffic, const std::vector<double>& bytes) {
    std::vector<double> shares(traffic.first_flow.back(), 0);
    for_each_edge(bundles_, traffic, [&](std::size_t bundle, std::size_t number, const Edge& edge, std::uint32_t flow) {
      if (bytes[bundle] > 0 && may_cross(edge)) shares[flow] += edge.share * share_of(bundle, number);
    });
    return shares;
  }

 private:
  [[nodiscard]] BlockId leaf_of(const Telemetry::Busiest& link) const {
    const PortId port = link.is_trunk ? fabric_.trunk_ports[TrunkId(link.link)].front() : PortId(link.link);
    return fabric_.drawn ? BlockId() : fabric_.block_of[fabric_.port_from[port]];
  }

  /// Only what starts under the link's leaf does; in a drawing anything may.
  [[nodiscard]] bool may_cross(const Edge& edge) const {
    if (!leaf_.valid() || fabric_.leaf_of(edge.from) == leaf_) return true;
    return fabric_.rails > 1 && fabric_.leaf_of(edge.from) != fabric_.leaf_of(edge.to) &&
           fabric_.leaf_of(relay_of(fabric_, edge.from, edge.to)) == leaf_;
  }

  double share_of(std::size_t bundle, std::size_t number) {
    const Edge& edge = bundles_[bundle].edges[number];
    double share = 0;
    if (link_.is_trunk) {
      trunk_path_.clear();
      find_path(fabric_, edge.from, edge.to, trunk_path_);
      for (const TrunkShare& step : trunk_path_)
        if (step.trunk.index() == link_.link) share += step.share;
      return share;
    }
    const QpIndices qp_indices = edge_qp_indices_.of(bundle, number);
    for (std::uint32_t i = 0; i < paths_; i++) {
      path_.clear();
      const FlowHeader header = header_of(fabric_, edge.from, edge.to, qp_indices.local + i, qp_indices.remote + i, numbers_);
      find_hashed_path(fabric_, edge.from, edge.to, header, routing_.hash, path_);
      for (const PortId port : path_)
        if (port.index() == link_.link) share += 1.0 / paths_;
    }
    return share;
  }

  const Fabric& fabric_;
  const PathPolicy& routing_;
  const std::uint32_t paths_;
  const std::span<const Bundle> bundles_;
  const Telemetry::Busiest& link_;
  const BlockId leaf_;
  const EdgeQpIndices edge_qp_indices_;
  const QueuePairNumbers numbers_;
  TrunkPath trunk_path_;  // scratch
  std::vector<PortId> path_;
};

}  // namespace

std::optional<Telemetry::Busiest> busiest_link(const Fabric& fabric, const Telemetry& telemetry, Tier tier) {
  Telemetry::Busiest found{
      .tier = static_cast<std::size_t>(tier), .link = 0, .is_trunk = true, .rate = {}, .carried = {}, .bits = {}};
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    if (fabric.trunk_tier[trunk] != tier) continue;
    if (telemetry.port_carried.empty()) {
      if (telemetry.trunk_carried[trunk] > found.carried)
        found.link = trunk.index(), found.carried = telemetry.trunk_carried[trunk], found.rate = fabric.trunk_rate(trunk);
      continue;
    }
    found.is_trunk = false;
    for (const PortId port : fabric.trunk_ports[trunk])
      if (telemetry.port_carried[port] > found.carried)
        found.link = port.index(), found.carried = telemetry.port_carried[port], found.rate = fabric.trunk_port_rate[trunk];
  }
  if (found.carried == Bytes::zero()) return std::nullopt;
  return found;
}

std::vector<ObservedPoint> observed_points(const Fabric& fabric, const PathPolicy& routing, const Telemetry* telemetry,
                                           std::span<const Bundle> bundles, const WireTraffic& traffic, bool fixed_paths) {
  std::vector<ObservedPoint> points;
  const std::vector<double> bytes = bytes_of_bundles(traffic, bundles.size());
  const Nics nics = nics_of(fabric, bundles, bytes);
  std::uint32_t most = 0, sending = 0;
  double capacity = 0;
  for (std::uint32_t nic = 0; nic < nics.bytes.size(); nic++) {
    if (nics.bytes[nic] > nics.bytes[most] * kMore) most = nic;
    if (nics.bytes[nic] > 0) sending++, capacity += nics.capacity[nic];
  }
  if (sending == 0) return points;
  ObservedPoint nic{"NIC", nic_name(fabric, most), nics.capacity[most], std::vector<double>(traffic.first_flow.back(), 0)};
  ObservedPoint all{"fabric", fmt::format("all {} NICs that send", format_count(sending)), capacity, nic.share};
  EdgeNics edge_nics(fabric);
  for_each_edge(bundles, traffic, [&](std::size_t, std::size_t, const Edge& edge, std::uint32_t flow) {
    const auto by = edge_nics.of(edge);
    if (!by) return;
    all.share[flow] += edge.share;
    if (*by == most) nic.share[flow] += edge.share;
  });
  points.push_back(std::move(nic));
  const auto link = telemetry && fixed_paths ? busiest_link(fabric, *telemetry, Tier::leaf_up) : std::nullopt;
  if (link)
    points.push_back({"leaf uplink", link_name(fabric, *link), static_cast<double>(link->rate.count()),
                      LinkShares(fabric, routing, bundles, *link).of_flows(traffic, bytes)});
  points.push_back(std::move(all));
  return points;
}

}  // namespace railyard
