#include "sim/step/step_traffic.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fabric/routes.h"
#include "sim/collective/group.h"

namespace railyard {

namespace {

Bytes rounded_up(double bytes) { return Bytes(static_cast<std::int64_t>(std::ceil(std::min(bytes, 1e18)))); }

/// Of some edges that lie evenly apart.
Picoseconds mean_latency(const Fabric& fabric, const std::vector<Edge>& edges) {
  constexpr std::size_t kMost = 512;
  const std::size_t looked_at = std::min(edges.size(), kMost);
  Picoseconds sum;
  for (std::size_t i = 0; i < looked_at; i++) {
    const Edge& edge = edges[i * edges.size() / looked_at];
    sum += delay_of(fabric, path_of(fabric, edge.from, edge.to));
  }
  return sum / static_cast<std::int64_t>(looked_at);
}

StrictPriority class_of(GroupKind kind) {
  switch (kind) {
    case GroupKind::tensor:
    case GroupKind::expert_tensor:
      return StrictPriority::tensor;
    case GroupKind::context:
      return StrictPriority::context;
    case GroupKind::expert:
      return StrictPriority::expert;
    case GroupKind::pipeline:
      return StrictPriority::pipeline;
    default:
      return StrictPriority::data;
  }
}

std::vector<std::uint32_t> ranks_of_stage(const Layout& layout, std::uint32_t stage) {
  std::vector<std::uint32_t> ranks;
  ranks.reserve(layout.stage_ranks());
  for (std::uint32_t data = 0; data < layout.data; data++)
    for (std::uint32_t context = 0; context < layout.context; context++)
      for (std::uint32_t tensor = 0; tensor < layout.tensor; tensor++)
        ranks.push_back(layout.rank({tensor, context, data, stage}));
  return ranks;
}

}  // namespace

StepTraffic::StepTraffic(const Step& step, const Fabric& fabric, const Placement& placement, const LivePorts& live,
                         const ClusterLinks& links, ExchangeWay way, StrictPriority first, NicShares nics, Engine& engine)
    : step_(step),
      fabric_(fabric),
      placement_(placement),
      live_(live),
      links_(links),
      way_(way),
      first_(first),
      nics_(std::move(nics)),
      engine_(engine) {
  Table<NodeId, BitsPerSecond> sends(fabric.kind.size());
  for (const TrunkId trunk : ids(fabric.trunk_tier))
    if (fabric.trunk_tier[trunk] == Tier::host_up)
      sends[fabric.port_from[fabric.trunk_ports[trunk].front()]] += fabric.trunk_rate(trunk);
  for (const BitsPerSecond rate : sends) fastest_ = std::max(fastest_, rate);
}

/// Where groups sit nearer to each other than closed forms take it, these are too long: nothing is faster than a NIC.
void StepTraffic::set_ideal(Picoseconds closed_form, CommItem& item) const {
  item.ideal = std::min(closed_form, std::max(item.floor, transmit_time(item.size, fastest_)) + item.latency);
}

StepTraffic::Way StepTraffic::way_of(const Op& op) const {
  if (op.collective == CollectiveKind::all_to_all)
    return op.from_experts && step_.routing.loads.uneven() ? Way::exchange_back : Way::exchange;
  if (!op.by_switches) return Way::ring;
  if (op.collective == CollectiveKind::reduce_scatter) return Way::scatter;
  return op.collective == CollectiveKind::all_gather ? Way::gather : Way::reduce;
}

void StepTraffic::add_group(const std::vector<std::uint32_t>& members, const Op& op, const std::vector<bool>& here,
                            Draft& draft) const {
  Placement seats;
  for (const std::uint32_t member : members) seats.push(placement_[RankId(member)]);
  const std::vector<std::vector<EndpointId>> nodes = nodes_of(fabric_, seats);
  if (nodes.size() < 2) return;
  if (op.group.kind == GroupKind::expert && op.collective == CollectiveKind::all_to_all && step_.routing.loads.uneven()) {
    const PairWeights weights(step_.routing.loads, op, seats, nodes, way_);
    return add_edges(nodes, true, here, &weights, draft);
  }
  if (!op.by_switches) return add_edges(nodes, op.collective == CollectiveKind::all_to_all, here, nullptr, draft);
  RY_CHECK(add_trees(fabric_, nodes, op.collective, here, draft.trees), "groups without a root were refused");
  if (!draft.first.from.valid()) draft.first = {nodes[0].front(), nodes[1].front()};
}

/// Edges that leave ranks of this stage: a group that spans two belongs to each of them in part.
void StepTraffic::add_edges(const std::vector<std::vector<EndpointId>>& nodes, bool all_to_all, const std::vector<bool>& here,
                            const PairWeights* weights, Draft& draft) const {
  std::size_t rails = nodes.front().size();
  for (const auto& node : nodes) rails = std::min(rails, node.size());
  const NetPattern exchange = way_ == ExchangeWay::direct ? NetPattern::all_pairs : NetPattern::all_to_all;
  const NetPattern kind = all_to_all ? exchange : NetPattern::ring;
  const double factor = all_to_all ? static_cast<double>(rails) : 1;
  for (const NetEdge& edge : net_edges(kind, nodes, nics_, fabric_.per_interface)) {
    if (!here[edge.from.index()]) continue;
    const double share = edge.share * factor * (weights ? weights->of(edge.from, edge.to) : 1);
    if (share == 0) continue;
    draft.bundle.edges.push_back({edge.from, edge.to, share});
    draft.most = std::max(draft.most, share);
  }
  if (draft.bundle.edges.empty()) return;
  const auto end = static_cast<std::uint32_t>(draft.bundle.edges.size());
  if (draft.bundle.flow_ends.empty() || draft.bundle.flow_ends.back() < end) draft.bundle.flow_ends.push_back(end);
  draft.local = draft.local == 0 ? rails : std::min(draft.local, rails);
  draft.hops = std::max(draft.hops, all_to_all ? 1 : static_cast<std::uint32_t>(nodes.size()) - 1);
}

StepTraffic::Pattern StepTraffic::open_trees(Draft draft) {
  for (const Hop& hop : draft.trees.hops) draft.most = std::max(draft.most, hop.share);
  for (Hop& hop : draft.trees.hops) hop.share /= draft.most;
  draft.bundle.hops = std::move(draft.trees.hops);
  draft.bundle.flow_ends = std::move(draft.trees.flow_ends);
  const Pattern found{engine_.open(draft.bundle), draft.most, 1, 1, draft.trees.latency};
  RY_CHECK(found.connection.index() == ends_.size(), "the engine serves nobody else");
  draft.first.edges = draft.bundle.hops.size();
  ends_.push_back(draft.first);
  if (keeps_bundles_) bundles_.push_back(std::move(draft.bundle));
  return found;
}

StepTraffic::Pattern StepTraffic::open(Draft draft, GroupKind kind) {
  draft.bundle.priority = first_ == StrictPriority::none || class_of(kind) == first_ ? 0 : 1;
  if (!draft.trees.hops.empty()) return open_trees(std::move(draft));
  if (draft.bundle.edges.empty()) return {};
  for (Edge& edge : draft.bundle.edges) edge.share /= draft.most;
  const Pattern found{engine_.open(draft.bundle), draft.most, draft.hops, draft.local,
                      mean_latency(fabric_, draft.bundle.edges)};
  RY_CHECK(found.connection.index() == ends_.size(), "the engine serves nobody else");
  const std::vector<Edge>& edges = draft.bundle.edges;
  auto shown = edges.begin();
  if (!live_.all_live())
    shown = std::find_if(edges.begin(), edges.end(), [&](const Edge& edge) { return !live_.connects(edge.from, edge.to); });
  if (shown == edges.end()) shown = edges.begin();
  ends_.push_back({shown->from, shown->to, edges.size()});
  if (keeps_bundles_) bundles_.push_back(std::move(draft.bundle));
  return found;
}

const StepTraffic::Pattern& StepTraffic::pattern(const Op& op, std::uint32_t stage) {
  const Group& group = op.group;
  const auto [entry, fresh] =
      patterns_.try_emplace(Key{stage, group.kind, group.size, group.stride, group.mirrored, way_of(op)}, Pattern{});
  if (!fresh) return entry->second;
  const std::vector<std::uint32_t> ranks = ranks_of_stage(step_.layout, stage);
  std::vector<bool> here(fabric_.endpoints(), false), seen(step_.layout.ranks(), false);
  for (const std::uint32_t rank : ranks) here[placement_[RankId(rank)].index()] = true;
  Draft draft;
  for (const std::uint32_t rank : ranks) {
    if (seen[rank]) continue;
    const std::vector<std::uint32_t> members = step_.layout.members(group, rank);
    for (const std::uint32_t member : members) seen[member] = true;
    add_group(members, op, here, draft);
  }
  return entry->second = open(std::move(draft), group.kind);
}

/// Bytes of a member that leave its domain. The step counts those of an all-to-all for ranks that fill domains in order; seats
/// may have it that fewer or more of a group are near each other.
double StepTraffic::leaving(const Op& op, const Sent& sent, std::size_t local) {
  if (op.collective != CollectiveKind::all_to_all) return sent.all;
  const double n = op.group.size, seated = n - static_cast<double>(local), assumed = n - op.group.local;
  if (assumed > 0 && sent.remote > 0) return std::min(sent.all, sent.remote * seated / assumed);
  return sent.all * seated / (n - 1);
}

/// One message to the switches and back; the engine adds no latency to hops.
CommItem StepTraffic::switched_item(const Op& op, const Pattern& found, CommItem item) const {
  const Sent sent = sent_by(op);
  const std::int64_t rounds = op.collective == CollectiveKind::all_reduce ? 2 : 1;
  item.connection = found.connection;
  item.size = rounded_up(static_cast<double>(op.size.count()) * found.per_byte);
  item.floor = from_seconds((sent.all - sent.remote) / rate_to(links_, op.group.local - 1));
  item.latency = links_.up_latency * rounds + links_.hop_overhead + found.latency;
  set_ideal(collective_time(op, links_), item);
  return item;
}

CommItem StepTraffic::item(const Op& op, std::uint32_t stage) {
  CommItem item{.kind = op.group.kind, .name = op.name, .primitive = name_of(op.collective)};
  if (op.group.size == 1) return item;
  const Pattern& found = pattern(op, stage);
  const Sent sent = sent_by(op);
  if (!found.connection.valid()) {
    Op inside = op;
    inside.group.local = inside.group.size, inside.group.domains = 1, inside.remote = Bytes::zero();
    item.fixed = collective_time(inside, links_);
    return item;
  }
  if (op.by_switches) return switched_item(op, found, std::move(item));
  const std::int64_t rounds = op.collective == CollectiveKind::all_reduce ? 2 : 1, hops = found.hops * rounds;
  item.connection = found.connection;
  item.steps = static_cast<std::uint32_t>(hops);
  item.size = rounded_up(leaving(op, sent, found.local) * found.per_byte);
  item.floor = from_seconds(sent.all / rate_to(links_, op.group.local - 1));
  item.latency = links_.up_latency * rounds + links_.hop_overhead * hops;
  if (!engine_passes_on_) item.latency += found.latency * (hops - 1);  // the engine adds that of one
  set_ideal(collective_time(op, links_), item);
  return item;
}

CommItem StepTraffic::boundary(std::uint32_t from, std::uint32_t to) {
  const auto [entry, fresh] = boundaries_.try_emplace({from, to}, Pattern{});
  if (fresh) {
    Draft draft{.bundle = {.edges = {}}, .hops = 1, .most = 1};
    for (const std::uint32_t rank : ranks_of_stage(step_.layout, from)) {
      Position there = step_.layout.position(rank);
      there.pipeline = to;
      const EndpointId a = placement_[RankId(rank)], b = placement_[RankId(step_.layout.rank(there))];
      if (!share_domain(fabric_, a, b)) draft.bundle.edges.push_back({a, b, 1});
    }
    entry->second = open(std::move(draft), GroupKind::pipeline);
  }
  CommItem item{.kind = GroupKind::pipeline, .name = "boundary", .primitive = name_of(CollectiveKind::send)};
  const Pattern& found = entry->second;
  if (!found.connection.valid()) {
    item.fixed = boundary_time(step_.boundary, false, links_);
    return item;
  }
  item.connection = found.connection;
  item.size = step_.boundary;
  item.latency = links_.hop_overhead;
  set_ideal(boundary_time(step_.boundary, true, links_), item);
  return item;
}

}  // namespace railyard
