#include "fabric/assemble.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace railyard {

namespace {

/// Rates and delays of one part of a fabric.
struct Physics {
  BitsPerSecond link_rate, uplink_rate, core_rate;
  Picoseconds cable, uplink_cable, core_cable, switch_latency, host_latency;
};

/// What to build of one part: which servers it has and how they are wired.
struct Subfabric {
  const Wiring& wiring;
  Physics physics;
  std::uint32_t first_server = 0, servers = 0;
};

class Assembler {
 public:
  explicit Assembler(const FabricPlan& plan) : plan_(plan) {
    f_.topology = plan_.topology;
    f_.switching = plan_.switching;
    f_.credit_delay = plan_.credit_delay;
    f_.host_latency = plan_.host_latency;
    f_.gpus = plan_.endpoints;
    f_.per_node = plan_.per_node;
    f_.host_nics = plan_.host_nics;
    f_.per_interface = std::max(1U, plan_.per_node / plan_.interfaces_per_node);
    servers_ = (plan_.endpoints - 1) / plan_.per_node + 1;
    f_.interfaces = (plan_.endpoints - 1) / f_.per_interface + 1;
    interfaces_ = f_.interfaces + servers_ * plan_.host_nics;
    for (std::uint32_t i = 0; i < interfaces_; i++) f_.kind.push(NodeKind::host);
    f_.leaf = Table<InterfaceId, BlockId>(interfaces_);
    f_.block_of = Table<NodeId, BlockId>(interfaces_);
  }

  /// Switches of a part and which interfaces hang on them; returns its top blocks.
  std::vector<BlockId> add_subfabric(const Subfabric& subfabric) {
    const Wiring& w = subfabric.wiring;
    const BlockId first_leaf(static_cast<std::uint32_t>(f_.blocks.size()));
    for (std::uint32_t i = 0; i < w.leaves; i++) add_block(NodeKind::leaf, w.tors);
    deal_interfaces(subfabric, first_leaf);
    if (w.rails > 1) f_.rails = w.rails;
    std::vector<BlockId> tops;
    if (w.spines == 0) {
      for (std::uint32_t i = 0; i < w.leaves; i++) tops.push_back(BlockId(first_leaf.index() + i));
      return tops;
    }
    for (std::uint32_t pod = 0; pod < w.pods; pod++) tops.push_back(add_block(NodeKind::spine, w.spines));
    for (std::uint32_t i = 0; i < w.leaves; i++) {
      const BlockId leaf(first_leaf.index() + i);
      f_.blocks[leaf].parent = tops[w.rail_spines ? i % w.pods : i / w.leaves_per_pod];
      f_.blocks[leaf].planes = w.leaf_planes;
      f_.blocks[leaf].links = w.links_per_spine;
    }
    return tops;
  }

  /// One block above all of `children`.
  void add_top(NodeKind kind, std::uint32_t width, const std::vector<BlockId>& children, std::uint32_t planes,
               std::uint32_t links) {
    const BlockId top = add_block(kind, width);
    for (const BlockId child : children) {
      f_.blocks[child].parent = top;
      f_.blocks[child].planes = planes;
      f_.blocks[child].links = links;
    }
  }

  /// Trunks between interfaces and leaves: all paths up, then all paths down.
  template<class PhysicsOf>
  void add_host_trunks(const PhysicsOf& physics_of) {
    for (const Tier tier : {Tier::host_up, Tier::host_down})
      for (const InterfaceId interface : ids(f_.leaf)) {
        const Physics& physics = physics_of(interface);
        const Block& leaf = f_.blocks[f_.leaf[interface]];
        const Picoseconds far_end = tier == Tier::host_up ? physics.switch_latency : Picoseconds::zero();
        const TrunkId trunk =
            add_trunk(f_, tier, plan_.ports, physics.link_rate, physics.cable + far_end + physics.host_latency, physics.cable);
        for (std::uint32_t port = 0; port < plan_.ports; port++)
          connect(trunk, tier == Tier::host_up, NodeId(interface.index()),
                  NodeId(leaf.first.index() + port / (plan_.ports / leaf.width)));
      }
  }

  /// Trunks between a block and its parent; `above` is what the parent adds to a message beyond an ordinary switch.
  void add_trunks_above(BlockId id, BitsPerSecond rate, const Physics& physics, Picoseconds above = {}) {
    Block& child = f_.blocks[id];
    const Block& parent = f_.blocks[child.parent];
    const std::uint32_t lower = child.width / child.planes, upper = parent.width / child.planes;  // of a plane
    const std::uint32_t ports = child.planes * lower * upper * child.links;
    const bool from_leaf = child.kind == NodeKind::leaf;
    const Picoseconds cable = from_leaf ? physics.uplink_cable : physics.core_cable, delay = cable + physics.switch_latency;
    child.up = add_trunk(f_, from_leaf ? Tier::leaf_up : Tier::spine_up, ports, rate, delay + above, cable);
    for (std::uint32_t low = 0; low < child.width; low++)
      for (std::uint32_t high = 0; high < upper; high++)
        for (std::uint32_t link = 0; link < child.links; link++)
          add_port(f_, child.up, NodeId(child.first.index() + low), NodeId(parent.first.index() + low / lower * upper + high));
    child.down = add_trunk(f_, from_leaf ? Tier::leaf_down : Tier::spine_down, ports, rate, delay, cable);
    for (std::uint32_t high = 0; high < parent.width; high++)
      for (std::uint32_t low = 0; low < lower; low++)
        for (std::uint32_t link = 0; link < child.links; link++)
          add_port(f_, child.down, NodeId(parent.first.index() + high),
                   NodeId(child.first.index() + high / upper * lower + low));
  }

  void add_scale_up() {
    ScaleUp& s = f_.scale_up;
    s.domain = plan_.scale_up.domain;
    s.wiring = plan_.scale_up.wiring;
    if (s.domain == 1) return;
    s.first = TrunkId(static_cast<std::uint32_t>(f_.trunk_tier.size()));
    if (s.wiring == ScaleUpWiring::mesh) return add_mesh();
    s.first_switch = NodeId(static_cast<std::uint32_t>(f_.kind.size()));
    for (std::uint32_t domain = 0; domain * s.domain < f_.endpoints(); domain++) {
      f_.kind.push(NodeKind::scale_up);
      f_.block_of.push(BlockId());
    }
    for (const Tier tier : {Tier::scale_up, Tier::scale_down})
      for (std::uint32_t i = 0; i < f_.endpoints(); i++) {
        const EndpointId gpu(i);
        const Picoseconds delay = tier == Tier::scale_up ? plan_.scale_up.latency : Picoseconds::zero();
        const TrunkId trunk = add_trunk(f_, tier, 1, plan_.scale_up.rate, delay);
        connect(trunk, tier == Tier::scale_up, f_.node_of(gpu), NodeId(s.first_switch.index() + f_.domain_of(gpu)));
      }
  }

  /// Those of one leaf follow one another, and leaves of one pod.
  void number_interfaces() {
    std::vector<BlockId> leaves;
    for (const BlockId block : ids(f_.blocks))
      if (f_.blocks[block].kind == NodeKind::leaf) leaves.push_back(block);
    std::stable_sort(leaves.begin(), leaves.end(),
                     [&](BlockId a, BlockId b) { return f_.blocks[a].parent < f_.blocks[b].parent; });
    Table<BlockId, std::uint32_t> next(f_.blocks.size(), 0);
    for (const BlockId leaf : f_.leaf) next[leaf]++;
    std::uint32_t first = 0;
    for (const BlockId leaf : leaves) next[leaf] = std::exchange(first, first + next[leaf]);
    f_.nth = Table<InterfaceId, std::uint32_t>(interfaces_);
    for (const InterfaceId interface : ids(f_.leaf)) f_.nth[interface] = next[f_.leaf[interface]]++;
  }

  const FabricPlan& plan_;
  Fabric f_;
  std::uint32_t servers_ = 0, interfaces_ = 0;

 private:
  BlockId add_block(NodeKind kind, std::uint32_t width) {
    Block block;
    block.kind = kind;
    block.first = NodeId(static_cast<std::uint32_t>(f_.kind.size()));
    block.width = width;
    const BlockId id = f_.blocks.push(block);
    for (std::uint32_t i = 0; i < width; i++) {
      f_.kind.push(kind);
      f_.block_of.push(id);
    }
    return id;
  }

  void deal_interfaces(const Subfabric& subfabric, BlockId first_leaf) {
    const std::uint32_t per_server = plan_.interfaces_per_node + plan_.host_nics;
    for (std::uint32_t server = 0; server < subfabric.servers; server++)
      for (std::uint32_t local = 0; local < per_server; local++) {
        const std::uint32_t global = subfabric.first_server + server;
        const InterfaceId interface(local < plan_.interfaces_per_node
                                        ? global * plan_.interfaces_per_node + local
                                        : f_.interfaces + global * plan_.host_nics + local - plan_.interfaces_per_node);
        const Wiring& w = subfabric.wiring;
        const std::uint32_t of_rail = server * (per_server / w.rails) + local / w.rails;  // its number on its rail
        f_.leaf[interface] = BlockId(first_leaf.index() + w.leaf_of(of_rail) * w.rails + local % w.rails);
      }
  }

  void connect(TrunkId trunk, bool upwards, NodeId low, NodeId high) {
    add_port(f_, trunk, upwards ? low : high, upwards ? high : low);
  }

  /// Every GPU has a link to every other of its domain; together they have its rate.
  void add_mesh() {
    const std::uint32_t domain = f_.scale_up.domain;
    const BitsPerSecond rate(plan_.scale_up.rate.count() / (domain - 1));
    for (std::uint32_t from = 0; from < f_.endpoints(); from++) {
      const std::uint32_t start = from / domain * domain;
      for (std::uint32_t to = start; to < std::min(start + domain, f_.endpoints()); to++) {
        if (to == from) continue;
        const TrunkId trunk = add_trunk(f_, Tier::scale_up, 1, rate, plan_.scale_up.latency);
        add_port(f_, trunk, f_.node_of(EndpointId(from)), f_.node_of(EndpointId(to)));
      }
    }
  }
};

/// What cells leave of a link to packets.
BitsPerSecond without_cells(const FabricPlan& plan, BitsPerSecond rate) {
  if (plan.cell_overhead == 0) return rate;
  return BitsPerSecond(static_cast<std::int64_t>(static_cast<double>(rate.count()) * (1 - plan.cell_overhead)));
}

Physics physics_of(const FabricPlan& plan) {
  return {.link_rate = plan.link_rate,
          .uplink_rate = without_cells(plan, plan.uplink_rate),
          .core_rate = without_cells(plan, plan.core_rate),
          .cable = plan.link_delay,
          .uplink_cable = plan.delay_above_leaves(),
          .core_cable = plan.delay_above_spines(),
          .switch_latency = plan.switch_latency,
          .host_latency = plan.host_latency};
}

/// Where to go from each pod to reach each other one: the fewest circuits; ties are spread by the sum of both ends.
std::vector<std::vector<std::uint32_t>> pod_routes(const std::vector<std::vector<std::uint32_t>>& joined) {
  const auto pods = static_cast<std::uint32_t>(joined.size());
  std::vector<std::vector<std::uint32_t>> next(pods, std::vector<std::uint32_t>(pods, 0)), neighbours(pods);
  for (std::uint32_t pod = 0; pod < pods; pod++)  // of thousands of pods each is joined to a few
    for (std::uint32_t other = 0; other < pods; other++)
      if (joined[pod][other] > 0) neighbours[pod].push_back(other);
  for (std::uint32_t goal = 0; goal < pods; goal++) {
    std::vector<std::uint32_t> distance(pods, pods);
    distance[goal] = 0;
    for (std::deque<std::uint32_t> open = {goal}; !open.empty(); open.pop_front())
      for (const std::uint32_t pod : neighbours[open.front()])
        if (distance[pod] == pods) {
          distance[pod] = distance[open.front()] + 1;
          open.push_back(pod);
        }
    for (std::uint32_t pod = 0; pod < pods; pod++) {
      RY_CHECK(distance[pod] < pods || pods == 1, "circuits join all pods");
      std::vector<std::uint32_t> choices;
      for (const std::uint32_t other : neighbours[pod])
        if (distance[other] + 1 == distance[pod]) choices.push_back(other);
      if (!choices.empty()) next[pod][goal] = choices[(pod + goal) % choices.size()];
    }
  }
  return next;
}

}  // namespace

TrunkId add_trunk(Fabric& fabric, Tier tier, std::uint32_t count, BitsPerSecond rate, Picoseconds delay, Picoseconds cable) {
  const PortId first(static_cast<std::uint32_t>(fabric.port_from.size()));
  fabric.trunk_ports.push({first, count});
  fabric.trunk_port_rate.push(rate);
  fabric.trunk_delay.push(delay);
  fabric.trunk_cable.push(cable);
  return fabric.trunk_tier.push(tier);
}

void add_port(Fabric& fabric, TrunkId trunk, NodeId from, NodeId to) {
  fabric.port_from.push(from);
  fabric.port_to.push(to);
  fabric.port_trunk.push(trunk);
}

void set_circuits(Fabric& fabric, const std::vector<std::vector<std::uint32_t>>& per_switch, BitsPerSecond rate,
                  Picoseconds delay, Picoseconds cable) {
  RY_CHECK(per_switch.size() == fabric.pods.size(), "a matching has a row per pod");
  fabric.circuits.clear();
  for (std::uint32_t a = 0; a < per_switch.size(); a++)
    for (std::uint32_t b = a + 1; b < per_switch.size(); b++) {
      if (per_switch[a][b] == 0) continue;
      CircuitBundle bundle{fabric.pods[a], fabric.pods[b], per_switch[a][b], {}, {}};
      const Block &first = fabric.blocks[bundle.a], &second = fabric.blocks[bundle.b];
      for (TrunkId CircuitBundle::*const trunk : {&CircuitBundle::there, &CircuitBundle::back}) {
        bundle.*trunk = add_trunk(fabric, Tier::across, first.width * bundle.per_switch, rate, delay, cable);
        for (std::uint32_t i = 0; i < first.width * bundle.per_switch; i++) {
          const NodeId at_a(first.first.index() + i / bundle.per_switch), at_b(second.first.index() + i / bundle.per_switch);
          const bool forward = trunk == &CircuitBundle::there;
          add_port(fabric, bundle.*trunk, forward ? at_a : at_b, forward ? at_b : at_a);
        }
      }
      fabric.circuits.push_back(bundle);
    }
  fabric.next_pod = pod_routes(per_switch);
}

void set_changing_circuits(Fabric& fabric, const std::vector<std::vector<std::uint32_t>>& passes,
                           const std::vector<std::vector<std::uint32_t>>& gradients, BitsPerSecond rate, Picoseconds delay,
                           Picoseconds cable) {
  std::vector<std::vector<std::uint32_t>> most = passes, common = passes;
  for (std::size_t a = 0; a < passes.size(); a++)
    for (std::size_t b = 0; b < passes.size(); b++) {
      most[a][b] = std::max(passes[a][b], gradients[a][b]);
      common[a][b] = std::min(passes[a][b], gradients[a][b]);
    }
  set_circuits(fabric, most, rate, delay, cable);
  fabric.ways.clear();
  for (const std::vector<std::vector<std::uint32_t>>* const lit : {&passes, &gradients, &std::as_const(common)}) {
    LitCircuits way{{}, pod_routes(*lit)};
    for (std::uint32_t a = 0; a < most.size(); a++)
      for (std::uint32_t b = a + 1; b < most.size(); b++)
        if (most[a][b] > 0) way.per_switch.push_back((*lit)[a][b]);
    fabric.ways.push_back(std::move(way));
  }
  fabric.next_pod = fabric.ways.front().next_pod;
}

Fabric assemble(const FabricPlan& plan, const Wiring& wiring) {
  Assembler a(plan);
  const Physics physics = physics_of(plan);
  const std::vector<BlockId> tops = a.add_subfabric({wiring, physics, 0, a.servers_});
  if (wiring.cores > 0) a.add_top(NodeKind::core, wiring.cores, tops, wiring.core_planes, wiring.links_per_core);
  a.add_host_trunks([&](InterfaceId) -> const Physics& { return physics; });
  for (const BlockId block : ids(a.f_.blocks))
    if (a.f_.blocks[block].parent.valid())
      a.add_trunks_above(block, a.f_.blocks[block].kind == NodeKind::leaf ? physics.uplink_rate : physics.core_rate, physics);
  a.number_interfaces();
  a.add_scale_up();
  if (plan.topology == Topology::optical || plan.topology == Topology::two_site) a.f_.pods = tops;
  return std::move(a.f_);
}

Fabric assemble(const FabricPlan& plan, const Islands& islands) {
  Assembler a(plan);
  const IslandPlan& island = plan.island;
  const Physics ours = physics_of(plan);
  Physics theirs = ours;
  if (island.link_rate) theirs.link_rate = theirs.uplink_rate = *island.link_rate;
  if (island.switch_latency) theirs.switch_latency = *island.switch_latency;
  const std::uint32_t servers = islands.main_endpoints / a.plan_.per_node;
  std::vector<BlockId> tops = a.add_subfabric({islands.main, ours, 0, servers});
  const BlockId first_of_island(static_cast<std::uint32_t>(a.f_.blocks.size()));
  a.f_.island = first_of_island;
  const std::vector<BlockId> others = a.add_subfabric({islands.island, theirs, servers, a.servers_ - servers});
  tops.insert(tops.end(), others.begin(), others.end());
  a.add_top(NodeKind::gateway, island.gateways, tops, 1, 1);
  a.add_host_trunks([&](InterfaceId i) -> const Physics& { return a.f_.leaf[i] < first_of_island ? ours : theirs; });
  for (const BlockId block : ids(a.f_.blocks)) {
    if (!a.f_.blocks[block].parent.valid()) continue;
    const Physics& here = block < first_of_island ? ours : theirs;
    if (a.f_.blocks[block].kind == NodeKind::leaf)
      a.add_trunks_above(block, here.uplink_rate, here);
    else
      a.add_trunks_above(block, island.boundary_rate.value_or(here.uplink_rate), here, island.boundary_latency);
  }
  a.number_interfaces();
  a.add_scale_up();
  return std::move(a.f_);
}

}  // namespace railyard
