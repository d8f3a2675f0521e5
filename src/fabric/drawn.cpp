#include "fabric/drawn.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "fabric/assemble.h"
#include "fabric/wiring.h"

namespace railyard {

namespace {

/// Nodes of the fabric in the order GPUs, then switches: the number of each drawn node.
std::vector<NodeId> add_nodes(const Drawing& drawing, Fabric& fabric) {
  std::vector<NodeId> node(drawing.kinds.size());
  fabric.names.resize(drawing.kinds.size());
  for (const bool gpus : {true, false})
    for (std::size_t i = 0; i < drawing.kinds.size(); i++) {
      if ((drawing.kinds[i] == DrawnKind::gpu) != gpus) continue;
      node[i] = fabric.kind.push(gpus                                             ? NodeKind::host
                                 : drawing.kinds[i] == DrawnKind::scale_up_switch ? NodeKind::scale_up
                                                                                  : NodeKind::leaf);
      fabric.names[node[i].index()] = drawing.names[i];
    }
  return node;
}

Tier tier_of(const Fabric& f, NodeId from, NodeId to) {
  if (f.kind[to] == NodeKind::scale_up || (f.kind[from] == NodeKind::host && f.kind[to] == NodeKind::host))
    return Tier::scale_up;
  if (f.kind[from] == NodeKind::scale_up) return Tier::scale_down;
  if (f.kind[from] == NodeKind::host) return Tier::host_up;
  return f.kind[to] == NodeKind::host ? Tier::host_down : Tier::across;
}

void add_links(const FabricPlan& plan, const std::vector<NodeId>& node, Fabric& f) {
  std::vector<std::pair<NodeId, TrunkId>> leaving;
  for (const DrawnLink& link : plan.drawing.links)
    for (const bool forward : {true, false}) {
      const NodeId from = node[forward ? link.a : link.b], to = node[forward ? link.b : link.a];
      const Tier tier = tier_of(f, from, to);
      Picoseconds delay = link.delay;
      if (f.kind[to] == NodeKind::leaf) delay += plan.switch_latency;
      if (tier == Tier::host_up || tier == Tier::host_down) delay += plan.host_latency;
      const TrunkId trunk = add_trunk(f, tier, link.count, link.rate, delay, link.delay);
      for (std::uint32_t i = 0; i < link.count; i++) add_port(f, trunk, from, to);
      leaving.emplace_back(from, trunk);
    }
  f.drawn->from = Csr<NodeId, TrunkId>(f.kind.size(), leaving);
}

/// Hops from every switch to every GPU; GPUs do not pass on what is not theirs.
void measure(Fabric& f) {
  DrawnRoutes& routes = *f.drawn;
  const std::size_t switches = f.kind.size() - routes.endpoints;
  routes.distance.assign(switches * routes.endpoints, DrawnRoutes::kUnreachable);
  for (std::uint32_t gpu = 0; gpu < routes.endpoints; gpu++) {
    std::vector<std::uint32_t> distance(f.kind.size(), DrawnRoutes::kUnreachable);
    distance[gpu] = 0;
    for (std::deque<NodeId> open = {NodeId(gpu)}; !open.empty(); open.pop_front())
      for (const TrunkId trunk : routes.from.row(open.front())) {  // links go both ways
        const NodeId to = f.port_to[f.trunk_ports[trunk].front()];
        const std::uint32_t hops = distance[open.front().index()] + 1;
        if (f.kind[to] == NodeKind::host || distance[to.index()] <= hops || hops >= DrawnRoutes::kUnreachable) continue;
        distance[to.index()] = hops;
        open.push_back(to);
      }
    for (std::size_t i = 0; i < switches; i++)
      routes.distance[i * routes.endpoints + gpu] = static_cast<std::uint8_t>(distance[routes.endpoints + i]);
  }
}

/// A GPU that another cannot reach, if there is one.
std::optional<std::pair<NodeId, NodeId>> disconnected_pair(const Fabric& f) {
  for (std::uint32_t from = 0; from < f.endpoints(); from++)
    for (std::uint32_t to = 0; to < f.endpoints(); to++) {
      bool reached = from == to;
      for (const TrunkId trunk : f.drawn->from.row(NodeId(from))) {
        const NodeId next = f.port_to[f.trunk_ports[trunk].front()];
        reached = reached || next == NodeId(to) ||
                  (f.kind[next] != NodeKind::host && f.drawn->hops(next, EndpointId(to)) < DrawnRoutes::kUnreachable);
      }
      if (!reached) return std::pair(NodeId(from), NodeId(to));
    }
  return std::nullopt;
}

/// Leaf blocks are the switches GPUs hang on, so that "under one leaf" means something in drawings too.
void name_leaves(Fabric& f) {
  f.block_of = Table<NodeId, BlockId>(f.kind.size());
  f.leaf = Table<InterfaceId, BlockId>(f.endpoints());
  for (std::uint32_t i = f.endpoints(); i < f.kind.size(); i++) {
    if (f.kind[NodeId(i)] != NodeKind::leaf) continue;
    Block block;
    block.first = NodeId(i);
    f.block_of[NodeId(i)] = f.blocks.push(block);
  }
  for (std::uint32_t i = 0; i < f.endpoints(); i++)
    for (const TrunkId trunk : f.drawn->from.row(NodeId(i))) {
      const NodeId next = f.port_to[f.trunk_ports[trunk].front()];
      if (!f.leaf[InterfaceId(i)].valid() && f.kind[next] == NodeKind::leaf) f.leaf[InterfaceId(i)] = f.block_of[next];
    }
  // Switches without GPUs are what joins the others.
  for (const BlockId block : ids(f.blocks))
    if (std::find(f.leaf.begin(), f.leaf.end(), block) == f.leaf.end()) {
      f.blocks[block].kind = NodeKind::spine;
      f.kind[f.blocks[block].first] = NodeKind::spine;
    }
}

/// GPUs that hang on the same scale-up switches are a domain, if domains are equal runs of neighbours.
void find_domains(Fabric& f) {
  const auto switches_of = [&](std::uint32_t gpu) {
    std::vector<NodeId> all;
    for (const TrunkId trunk : f.drawn->from.row(NodeId(gpu)))
      if (const NodeId to = f.port_to[f.trunk_ports[trunk].front()]; f.kind[to] == NodeKind::scale_up) all.push_back(to);
    std::sort(all.begin(), all.end());
    return all;
  };
  std::uint32_t domain = 1;
  if (switches_of(0).empty()) return;
  while (domain < f.endpoints() && switches_of(domain) == switches_of(0)) domain++;
  for (std::uint32_t gpu = 0; gpu + 1 < f.endpoints(); gpu++)
    if ((switches_of(gpu) == switches_of(gpu + 1)) != ((gpu + 1) % domain != 0)) return;
  if (f.endpoints() % domain == 0) f.scale_up.domain = domain;
}

}  // namespace

Result<Fabric> draw_fabric(const FabricPlan& plan, const GivenKeys& keys) {
  const Drawing& drawing = plan.drawing;
  Fabric f;
  f.topology = Topology::file;
  f.switching = plan.switching;
  f.host_latency = plan.host_latency;
  f.gpus = f.interfaces = drawing.gpus();
  f.per_node = plan.per_node;
  f.drawn.emplace();
  f.drawn->endpoints = f.endpoints();
  add_links(plan, add_nodes(drawing, f), f);
  measure(f);
  if (const auto pair = disconnected_pair(f))
    return fabric_error(
        keys, "RY-FAB-011", {"fabric.file"},
        fmt::format("\"{}\" cannot reach \"{}\" through switches", f.names[pair->first.index()], f.names[pair->second.index()]),
        "draw the links that are missing");
  name_leaves(f);
  find_domains(f);
  return f;
}

}  // namespace railyard
