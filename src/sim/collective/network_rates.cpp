#include "sim/collective/network_rates.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "collective/lower.h"
#include "fabric/routes.h"
#include "sim/sent_bytes.h"

namespace railyard {

namespace {

using Nodes = std::vector<std::vector<EndpointId>>;

constexpr std::size_t kMostEdges = 1U << 18;  // of an all-to-all that is looked at
constexpr double kProbe = 256.0 * (1 << 20);  // bytes per GPU that rates are measured with: latency is lost in them

double probe_of(const Network& network) { return network.packet ? kPacketProbe : kProbe; }

/// GPUs that every node has: rails.
std::size_t rails_of(const Nodes& nodes) {
  std::size_t rails = nodes.front().size();
  for (const auto& node : nodes) rails = std::min(rails, node.size());
  return rails;
}

/// Edges between nodes on every rail; `shares` of what the busiest node sends in all.
struct NodeEdge {
  std::size_t from, to;
  double share;
};

/// What a rail between two nodes carries of their traffic.
class RailShares {
 public:
  RailShares(const NicShares& nics, std::uint32_t per_interface) : nics_(nics), per_interface_(per_interface) {}

  [[nodiscard]] std::vector<double> of(const std::vector<EndpointId>& from, const std::vector<EndpointId>& to,
                                       std::size_t rails) const {
    std::vector<double> shares(rails, 1.0 / static_cast<double>(rails));
    if (nics_.empty()) return shares;
    double sum = 0;
    for (std::size_t rail = 0; rail < rails; rail++) sum += shares[rail] = std::min(left(from[rail]), left(to[rail]));
    for (double& share : shares) share = sum > 0 ? share / sum : 1.0 / static_cast<double>(rails);
    return shares;
  }

 private:
  [[nodiscard]] double left(EndpointId endpoint) const { return nics_[InterfaceId(endpoint.index() / per_interface_)]; }

  const NicShares& nics_;
  std::uint32_t per_interface_;
};

std::vector<NetEdge> on_rails(const Nodes& nodes, std::span<const NodeEdge> edges, const RailShares& shares) {
  std::vector<NetEdge> all;
  const std::size_t rails = rails_of(nodes);
  for (const NodeEdge& edge : edges) {
    const std::vector<double> splits = shares.of(nodes[edge.from], nodes[edge.to], rails);
    for (std::size_t rail = 0; rail < rails; rail++)
      if (splits[rail] > 0) all.push_back({nodes[edge.from][rail], nodes[edge.to][rail], edge.share * splits[rail]});
  }
  return all;
}

std::vector<NetEdge> across_rails(const Nodes& nodes, std::span<const NodeEdge> edges) {
  std::vector<NetEdge> all;
  const std::size_t rails = rails_of(nodes);
  for (const NodeEdge& edge : edges)
    for (std::size_t from = 0; from < rails; from++)
      for (std::size_t to = 0; to < rails; to++)
        all.push_back({nodes[edge.from][from], nodes[edge.to][to], edge.share / static_cast<double>(rails * rails)});
  return all;
}

/// The double binary tree of an all-reduce over nodes, from its schedule.
std::vector<EdgeLoad> tree_loads(std::size_t nodes, Bytes size) {
  const Result<Schedule> tree =
      lower(CollectiveKind::all_reduce, CollectiveAlgorithm::tree, {.positions = static_cast<std::uint32_t>(nodes)}, size);
  RY_CHECK(tree.has_value(), "every group has a tree");
  return edge_loads(*tree);
}

/// What the busiest sends.
double busiest_of(const std::vector<EdgeLoad>& loads, std::size_t nodes) {
  std::vector<double> sent(nodes, 0);
  for (const EdgeLoad& load : loads) sent[load.from.index()] += static_cast<double>(load.bytes.count());
  return *std::max_element(sent.begin(), sent.end());
}

/// Each tree is a channel: where both send from one node to another, these are two connections.
std::vector<NodeEdge> tree_edges(std::size_t nodes) {
  constexpr Bytes kHalf = 1_GiB / 2;
  const std::vector<EdgeLoad> loads = tree_loads(nodes, kHalf * 2);
  const double busiest = busiest_of(loads, nodes);
  std::vector<NodeEdge> edges;
  for (const EdgeLoad& load : loads) {
    const std::int64_t trees = load.bytes > kHalf ? 2 : 1;
    for (std::int64_t tree = 0; tree < trees; tree++)
      edges.push_back({load.from.index(), load.to.index(), static_cast<double>(load.bytes.count() / trees) / busiest});
  }
  return edges;
}

std::vector<NodeEdge> ring_edges(std::size_t nodes) {
  std::vector<NodeEdge> edges;
  for (std::size_t i = 0; i < nodes; i++) edges.push_back({i, (i + 1) % nodes, 1});
  return edges;
}

/// Every node to every other by `connections` each: all shifts, or as many as stay within reason.
std::vector<NodeEdge> shift_edges(std::size_t nodes, std::size_t connections) {
  const std::size_t most = std::max<std::size_t>(1, kMostEdges / (nodes * connections));
  const std::size_t shifts = std::min(nodes - 1, most);
  std::vector<NodeEdge> edges;
  for (std::size_t k = 0; k < shifts; k++) {
    const std::size_t shift = 1 + (2 * k + 1) * (nodes - 1) / (2 * shifts);  // the middle of its share
    for (std::size_t i = 0; i < nodes; i++) edges.push_back({i, (i + shift) % nodes, 1.0 / static_cast<double>(shifts)});
  }
  return edges;
}

Nodes sorted(Nodes nodes) {
  for (auto& node : nodes) std::sort(node.begin(), node.end());
  return nodes;
}

/// Rank by rank to the next: only what leaves a node, one connection each.
std::vector<NetEdge> point_edges(const Nodes& nodes) {
  std::vector<NetEdge> edges;
  for (std::size_t i = 0; i < nodes.size(); i++) edges.push_back({nodes[i].back(), nodes[(i + 1) % nodes.size()].front(), 1});
  return edges;
}

Picoseconds longest_path_delay(const Fabric& fabric, const std::vector<NetEdge>& edges) {
  Picoseconds longest;
  for (const NetEdge& edge : edges) longest = std::max(longest, delay_of(fabric, path_of(fabric, edge.from, edge.to)));
  return longest;
}

}  // namespace

NicShares nic_shares(const Scenario& scenario, const Fabric& fabric, std::span<const PortChange> failures) {
  if (scenario.transport.nic_split == NicSplit::equal || failures.empty() || fabric.drawn) return {};
  Table<PortId, BitsPerSecond> rate(fabric.port_from.size());
  for (const PortId port : ids(rate)) rate[port] = fabric.trunk_port_rate[fabric.port_trunk[port]];
  for (const PortChange& change : failures) rate[change.port] = change.rate;
  const auto left = [&](TrunkId trunk) {
    BitsPerSecond sum;
    for (const PortId port : fabric.trunk_ports[trunk]) sum += rate[port];
    return static_cast<double>(sum.count()) / static_cast<double>(fabric.trunk_rate(trunk).count());
  };
  NicShares shares(fabric.interfaces, 1);
  for (const InterfaceId nic : ids(shares))
    shares[nic] = std::min(left(host_up_trunk(fabric, nic)), left(host_down_trunk(fabric, nic)));
  return shares;
}

std::vector<NetEdge> net_edges(NetPattern pattern, const Nodes& unsorted, const NicShares& nics, std::uint32_t per_interface) {
  const RailShares shares(nics, per_interface);
  if (unsorted.size() < 2) return {};
  if (pattern == NetPattern::point) return point_edges(unsorted);
  const Nodes nodes = sorted(unsorted);
  switch (pattern) {
    case NetPattern::tree:
      return on_rails(nodes, tree_edges(nodes.size()), shares);
    case NetPattern::all_to_all:
      return on_rails(nodes, shift_edges(nodes.size(), rails_of(nodes)), shares);
    case NetPattern::all_pairs:
      return across_rails(nodes, shift_edges(nodes.size(), rails_of(nodes) * rails_of(nodes)));
    default:
      return on_rails(nodes, ring_edges(nodes.size()), shares);
  }
}

double tree_load(std::size_t nodes) {
  if (nodes < 2) return 0;
  return busiest_of(tree_loads(nodes, 1_GiB), nodes) / static_cast<double>((1_GiB).count());
}

std::unique_ptr<Engine> make_engine(const Network& network, Telemetry& telemetry) {
  if (!network.flow && !network.packet) return make_analytic_engine(network.fabric, network.wire, network.routing, telemetry);
  if (network.packet) {
    PacketOptions options = network.packet_options;
    options.failures.assign(network.failures.begin(), network.failures.end());
    return make_packet_engine(network.fabric, network.wire, network.routing, *network.packet, options, telemetry);
  }
  auto engine = make_flow_engine(network.fabric, network.wire, network.routing, *network.flow, telemetry);
  for (const PortChange& change : network.failures) engine->set_rate(change.port, change.rate, change.at);
  return engine;
}

Picoseconds carry(const Network& network, std::span<const NetEdge> edges, double bytes, Telemetry& telemetry) {
  Network all_at_once = network;
  all_at_once.packet_options.all_posted = true;
  const auto engine = make_engine(all_at_once, telemetry);
  std::vector<Message> messages;
  // Queue pairs that take turns need several messages to take turns with.
  const std::uint32_t splits = network.routing.use == QpUse::round_robin ? network.routing.queue_pairs : 1;
  for (const NetEdge& edge : edges) {
    const QpId connection = engine->open({edge.from, edge.to});
    for (std::uint32_t split = 0; split < splits; split++)
      messages.push_back({MessageId(static_cast<std::uint32_t>(messages.size())), connection,
                          Bytes(static_cast<std::int64_t>(std::ceil(edge.share * bytes / splits)))});
  }
  engine->post(messages, Picoseconds::zero());
  std::vector<Completion> done;
  Picoseconds end;
  while (done.size() < messages.size()) {
    const std::size_t before = done.size();
    end = engine->advance(Picoseconds::max(), done);
    if (done.size() > before) continue;
    if (network.packet) engine->finish();  // its record tells why
    return Picoseconds::max();
  }
  engine->finish();
  if (telemetry.packets) forget_sent_after(network.fabric, end, telemetry);
  return end;
}

double rate_of(const Network& network, NetPattern pattern, const Nodes& nodes) {
  RY_CHECK(nodes.size() >= 2, "a pattern between nodes has at least two");
  const double probe = probe_of(network);
  const double bytes = pattern == NetPattern::point ? probe : probe * static_cast<double>(rails_of(nodes));
  Telemetry ignored(network.fabric.trunk_tier.size());
  return bytes / seconds(carry(network, net_edges(pattern, nodes), bytes, ignored));
}

MeasuredNetwork measure_network(const Network& network, const Nodes& nodes, CollectiveKind kind, NetPattern exchange) {
  MeasuredNetwork measured;
  if (nodes.size() < 2) return measured;
  const auto rate = [&](NetPattern pattern, double bytes) {
    MeasuredNetwork::Probe probe{bytes, {}, Telemetry(network.fabric.trunk_tier.size())};
    probe.time = carry(network, net_edges(pattern, nodes, network.nics, network.fabric.per_interface), bytes, probe.telemetry);
    const double found = bytes / seconds(probe.time);
    measured.probes.emplace(pattern, std::move(probe));
    return found;
  };
  const double of_node = probe_of(network) * static_cast<double>(rails_of(nodes));
  measured.rates.ring = rate(NetPattern::ring, of_node);
  measured.rates.tree = rate(NetPattern::tree, of_node);
  measured.rates.point = rate(NetPattern::point, probe_of(network));
  measured.rates.all_to_all = kind == CollectiveKind::all_to_all ? rate(exchange, of_node) : measured.rates.ring;
  measured.latency = std::max(longest_path_delay(network.fabric, net_edges(NetPattern::ring, nodes)),
                              longest_path_delay(network.fabric, net_edges(NetPattern::tree, nodes)));
  return measured;
}

}  // namespace railyard
