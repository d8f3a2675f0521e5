#include "fabric/build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "base/quantity_text.h"

namespace railyard {

namespace {

/// How many of what a leaf-spine fabric consists of.
struct Wiring {
  std::uint32_t hosts_per_leaf = 0, leaves = 0, uplinks = 0, spines = 0;
};

constexpr std::uint32_t kLargestSwitch = 1U << 16;  // ports of a switch of unknown size

/// Reported at the key of `keys` that the command line set, else at the first that was written, else at [fabric].
Diagnostic error(const Scenario& scenario, const char* code, std::initializer_list<const char*> keys, std::string message,
                 std::string hint) {
  const char* at = "fabric";
  for (const char* key : keys) {
    const bool first = at == std::string_view("fabric");
    if (scenario.given(key) && (first || scenario.where(key).line == 0)) at = key;
  }
  return {Severity::error, code, std::move(message), std::move(hint), scenario.where(at)};
}

/// Ports of link_rate that one uplink takes.
double ports_per_uplink(const FabricPlan& plan) {
  return std::max(1.0, static_cast<double>(plan.uplink_rate.count()) / static_cast<double>(plan.link_rate.count()));
}

/// Uplinks a leaf with `hosts` needs; nothing if that is not a whole number.
std::optional<std::uint32_t> uplinks_for(const FabricPlan& plan, std::uint32_t hosts) {
  const double exact = static_cast<double>(hosts) * static_cast<double>(plan.link_rate.count()) /
                       (plan.oversubscription * static_cast<double>(plan.uplink_rate.count()));
  const double whole = std::round(exact);
  if (whole < 1 || whole > 1e9 || std::abs(exact - whole) > 1e-9 * exact) return std::nullopt;
  return static_cast<std::uint32_t>(whole);
}

/// Whether a switch has ports for `hosts` and `uplinks`.
bool fits(const FabricPlan& plan, std::uint32_t hosts, std::uint32_t uplinks) {
  return hosts + uplinks * ports_per_uplink(plan) <= plan.radix.value_or(kLargestSwitch);
}

/// The most hosts a leaf can take, given or as the radix allows.
Result<Wiring> wire_leaves(const Scenario& scenario) {
  const FabricPlan& plan = scenario.plan;
  Wiring wiring;
  const auto use = [&](std::uint32_t hosts, std::uint32_t uplinks) {
    wiring.hosts_per_leaf = hosts;
    wiring.uplinks = uplinks;
    wiring.leaves = (plan.endpoints - 1) / hosts + 1;
  };
  if (const auto hosts = scenario.fabric.hosts_per_leaf) {
    const auto uplinks = uplinks_for(plan, *hosts);
    if (!uplinks)
      return error(scenario, "RY-FAB-001", {"fabric.hosts_per_leaf", "fabric.oversubscription", "fabric.uplink_rate"},
                   fmt::format("{} hosts at {} and oversubscription {} do not give a whole number of uplinks at {}", *hosts,
                               format(plan.link_rate), plan.oversubscription, format(plan.uplink_rate)),
                   "change hosts_per_leaf so that hosts × link_rate / (oversubscription × uplink_rate) is whole");
    if (!fits(plan, *hosts, *uplinks))
      return error(scenario, "RY-FAB-002",
                   {"fabric.hosts_per_leaf", "fabric.radix", "fabric.oversubscription", "fabric.uplink_rate"},
                   fmt::format("a leaf with {} hosts and {} uplinks needs more than the switch's {} ports", *hosts, *uplinks,
                               plan.radix.value_or(kLargestSwitch)),
                   "use fewer hosts per leaf, more oversubscription or a larger switch");
    use(*hosts, *uplinks);
    return wiring;
  }
  if (!plan.radix)
    return error(scenario, "RY-FAB-003", {"fabric.topology"}, "nothing says how many hosts a leaf takes",
                 "add switch = \"…\", radix = … or hosts_per_leaf = … to [fabric]");
  for (std::uint32_t hosts = *plan.radix - 1; hosts > 0 && wiring.hosts_per_leaf == 0; hosts--)
    if (const auto uplinks = uplinks_for(plan, hosts); uplinks && fits(plan, hosts, *uplinks)) use(hosts, *uplinks);
  if (wiring.hosts_per_leaf == 0)
    return error(scenario, "RY-FAB-001", {"fabric.oversubscription", "fabric.radix"},
                 fmt::format("no leaf of {} ports has oversubscription {}", *plan.radix, plan.oversubscription),
                 "use another ratio, for instance 1, 2 or 3");
  return wiring;
}

/// As few spines as take every uplink, each leaf having the same number of links to each.
Result<Wiring> wire_spines(const Scenario& scenario, Wiring wiring) {
  const FabricPlan& plan = scenario.plan;
  const auto takes = [&](std::uint32_t spines) {
    const double links = static_cast<double>(wiring.leaves) * (wiring.uplinks / spines);
    return wiring.uplinks % spines == 0 && links * ports_per_uplink(plan) <= plan.radix.value_or(kLargestSwitch);
  };
  if (const auto spines = scenario.fabric.spines) {
    if (!takes(*spines))
      return error(scenario, "RY-FAB-004", {"fabric.spines"},
                   fmt::format("{} spines cannot take {} uplinks from each of {} leaves{}", *spines, wiring.uplinks,
                               wiring.leaves, plan.radix ? fmt::format(" with {} ports a switch", *plan.radix) : ""),
                   fmt::format("use a divisor of {} that leaves enough ports, or leave it out", wiring.uplinks));
    wiring.spines = *spines;
    return wiring;
  }
  const std::uint32_t fewest = plan.radix ? 1 : wiring.uplinks;  // switches of unknown size: one spine per uplink
  for (std::uint32_t spines = fewest; spines <= wiring.uplinks; spines++) {
    if (!takes(spines)) continue;
    wiring.spines = spines;
    return wiring;
  }
  return error(scenario, "RY-FAB-005", {"fabric.topology"},
               fmt::format("{} leaves need spines with at least {} ports, and the switch has {}", wiring.leaves, wiring.leaves,
                           plan.radix.value_or(kLargestSwitch)),
               "use a larger switch or fewer endpoints; more than that takes a third tier");
}

/// Appends a trunk of `count` ports; the caller pushes their ends in the same order.
TrunkId add_trunk(Fabric& fabric, Tier tier, std::uint32_t count, BitsPerSecond rate, Picoseconds delay) {
  const PortId first(static_cast<std::uint32_t>(fabric.port_from.size()));
  fabric.trunk_ports.push({first, count});
  fabric.trunk_port_rate.push(rate);
  fabric.trunk_delay.push(delay);
  return fabric.trunk_tier.push(tier);
}

void add_port(Fabric& fabric, TrunkId trunk, NodeId from, NodeId to) {
  fabric.port_from.push(from);
  fabric.port_to.push(to);
  fabric.port_trunk.push(trunk);
}

void add_host_links(Fabric& fabric, const FabricPlan& plan) {
  const auto leaf_node = [&](EndpointId host) { return NodeId(plan.endpoints + fabric.leaf_of(host)); };
  for (const EndpointId host : ids(fabric.endpoint_node)) {
    const TrunkId up = add_trunk(fabric, Tier::host_up, 1, plan.link_rate, plan.link_delay + plan.switch_latency);
    add_port(fabric, up, fabric.endpoint_node[host], leaf_node(host));
  }
  for (const EndpointId host : ids(fabric.endpoint_node)) {
    const TrunkId down = add_trunk(fabric, Tier::host_down, 1, plan.link_rate, plan.link_delay);
    add_port(fabric, down, leaf_node(host), fabric.endpoint_node[host]);
  }
}

void add_uplinks(Fabric& fabric, const FabricPlan& plan) {
  const std::uint32_t uplinks = fabric.spines * fabric.links_per_spine;
  const Picoseconds delay = plan.link_delay + plan.switch_latency;
  for (std::uint32_t leaf = 0; leaf < fabric.leaves; leaf++) {
    const NodeId leaf_node(plan.endpoints + leaf);
    for (const Tier tier : {Tier::leaf_up, Tier::leaf_down}) {
      const TrunkId trunk = add_trunk(fabric, tier, uplinks, plan.uplink_rate, delay);
      for (std::uint32_t link = 0; link < uplinks; link++) {
        const NodeId spine(plan.endpoints + fabric.leaves + link / fabric.links_per_spine);
        if (tier == Tier::leaf_up)
          add_port(fabric, trunk, leaf_node, spine);
        else
          add_port(fabric, trunk, spine, leaf_node);
      }
    }
  }
}

Fabric assemble(const Scenario& scenario, const Wiring& wiring) {
  Fabric fabric;
  fabric.topology = scenario.fabric.topology;
  fabric.switching = scenario.fabric.switching;
  fabric.host_latency = scenario.plan.host_latency;
  fabric.hosts_per_leaf = wiring.hosts_per_leaf;
  fabric.leaves = wiring.leaves;
  fabric.spines = wiring.spines;
  fabric.links_per_spine = wiring.spines == 0 ? 0 : wiring.uplinks / wiring.spines;
  for (std::uint32_t i = 0; i < scenario.plan.endpoints; i++) fabric.endpoint_node.push(fabric.kind.push(NodeKind::host));
  for (std::uint32_t i = 0; i < wiring.leaves; i++) fabric.kind.push(NodeKind::leaf);
  for (std::uint32_t i = 0; i < wiring.spines; i++) fabric.kind.push(NodeKind::spine);
  add_host_links(fabric, scenario.plan);
  if (fabric.spines > 0) add_uplinks(fabric, scenario.plan);
  return fabric;
}

Result<Wiring> wire_star(const Scenario& scenario) {
  const FabricPlan& plan = scenario.plan;
  if (plan.radix && plan.endpoints > *plan.radix)
    return error(scenario, "RY-FAB-006", {"fabric.topology"},
                 fmt::format("a star of {} endpoints needs a switch with as many ports, and this one has {}", plan.endpoints,
                             *plan.radix),
                 "use topology = \"leaf-spine\" or a larger switch");
  return Wiring{.hosts_per_leaf = plan.endpoints, .leaves = 1, .uplinks = 0, .spines = 0};
}

}  // namespace

Result<Fabric> build_fabric(const Scenario& scenario) {
  const Topology topology = scenario.fabric.topology;
  RY_CHECK(topology == Topology::star || topology == Topology::leaf_spine, "only built topologies reach the builder");
  if (topology == Topology::star) {
    const Result<Wiring> wiring = wire_star(scenario);
    if (!wiring) return wiring.error();
    return assemble(scenario, *wiring);
  }
  Result<Wiring> wiring = wire_leaves(scenario);
  if (wiring && wiring->leaves > 1) wiring = wire_spines(scenario, *wiring);
  if (!wiring) return wiring.error();
  return assemble(scenario, *wiring);
}

}  // namespace railyard
