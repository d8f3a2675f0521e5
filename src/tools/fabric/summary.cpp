#include "tools/fabric/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "tools/fabric/fabric_warnings.h"

namespace railyard {

namespace {

/// What hangs on one switch.
struct SwitchLoad {
  double ports = 0, hosts = 0;  // ports in units of the radix
  double down_gbps = 0, up_gbps = 0;
};

bool leads_up(Tier tier) { return tier == Tier::leaf_up || tier == Tier::spine_up || tier == Tier::across; }

/// Loads by node; hosts and scale-up switches have none.
std::vector<SwitchLoad> load_switches(const Scenario& scenario, const Fabric& f) {
  std::vector<SwitchLoad> loads(f.kind.size());
  const double unit = static_cast<double>(std::max<std::int64_t>(1, scenario.fabric.link_rate.count()));
  for (const TrunkId trunk : ids(f.trunk_tier)) {
    const Tier tier = f.trunk_tier[trunk];
    if (is_scale_up(tier) || tier == Tier::host_up) continue;
    const auto rate = static_cast<double>(f.trunk_port_rate[trunk].count());
    for (const PortId port : f.trunk_ports[trunk]) {
      const NodeId at = f.port_from[port];
      SwitchLoad& load = loads[at.index()];
      load.ports += scenario.fabric.spine_radix && f.kind[at] != NodeKind::leaf ? 1 : std::max(1.0, rate / unit);
      (leads_up(tier) ? load.up_gbps : load.down_gbps) += rate / 1e9;
      if (tier == Tier::host_down) load.hosts += 1;
    }
  }
  return loads;
}

void count_in(SwitchTier& tier, const SwitchLoad& load, bool ratio_known) {
  const auto ports = static_cast<std::uint32_t>(std::ceil(load.ports)), hosts = static_cast<std::uint32_t>(load.hosts);
  const bool first = tier.switches == 0;
  tier.used_least = first ? ports : std::min(tier.used_least, ports);
  tier.used_most = std::max(tier.used_most, ports);
  tier.hosts_least = first ? hosts : std::min(tier.hosts_least, hosts);
  tier.hosts_most = std::max(tier.hosts_most, hosts);
  tier.switches++;
  if (!ratio_known || load.up_gbps == 0) return;
  const double ratio = load.down_gbps / load.up_gbps;
  tier.oversubscription_least = std::min(tier.oversubscription_least.value_or(ratio), ratio);
  tier.oversubscription_most = std::max(tier.oversubscription_most.value_or(ratio), ratio);
}

std::optional<std::uint32_t> radix_of(const Scenario& scenario, NodeKind kind) {
  if (scenario.fabric.topology == Topology::file || kind == NodeKind::gateway) return std::nullopt;
  return kind != NodeKind::leaf && scenario.fabric.spine_radix ? scenario.fabric.spine_radix : scenario.fabric.radix;
}

void describe_hosts(const Scenario& scenario, const Fabric& f, FabricSummary& s) {
  s.gpus = f.endpoints();
  s.gpus_per_server = f.per_node;
  s.servers = (f.endpoints() - 1) / f.per_node + 1;
  s.host_nics = f.host_nics;
  s.rails = f.rails;
  s.planes = scenario.fabric.planes;
  s.port_rate = scenario.fabric.link_rate;
  if (!f.drawn) {
    const std::uint32_t ports = scenario.fabric.ports, nics = std::max(1U, ports / s.planes);
    s.ports_per_nic = ports / nics;
    s.nics_per_gpu = static_cast<double>(nics) / f.per_interface;
    s.gpu_rate = f.trunk_rate(host_up_trunk(f, InterfaceId(0))) / f.per_interface;
  } else {
    BitsPerSecond sum;
    for (const TrunkId trunk : f.drawn->from.row(NodeId(0)))
      if (f.trunk_tier[trunk] == Tier::host_up) sum += f.trunk_rate(trunk);
    s.gpu_rate = sum;
  }
  s.scale_up = scenario.fabric.scale_up;
  s.scale_up_switches = f.count(NodeKind::scale_up);
}

}  // namespace

std::string tier_name(NodeKind kind, Topology topology) {
  if (topology == Topology::star) return "switch";
  if (topology == Topology::file) return kind == NodeKind::leaf ? "switch with GPUs" : "switch without";
  return std::string(name_of(kind));
}

std::vector<SwitchTier> count_switches(const Scenario& scenario, const Fabric& f) {
  const std::vector<SwitchLoad> loads = load_switches(scenario, f);
  std::vector<SwitchTier> tiers;
  for (const NodeKind kind : {NodeKind::gateway, NodeKind::core, NodeKind::spine, NodeKind::leaf}) {
    SwitchTier tier;
    tier.kind = kind;
    tier.groups = f.blocks_of(kind);
    tier.radix = radix_of(scenario, kind);
    for (const NodeId node : ids(f.kind))
      if (f.kind[node] == kind) count_in(tier, loads[node.index()], !f.drawn || kind == NodeKind::leaf);
    if (tier.switches > 0) tiers.push_back(tier);
  }
  return tiers;
}

FabricSummary summarise(const Scenario& scenario, const Fabric& f, const Catalog& catalog) {
  FabricSummary s;
  s.name = scenario.name;
  s.topology = f.topology;
  describe_hosts(scenario, f, s);
  s.switches = count_switches(scenario, f);
  const bool joined = f.count(NodeKind::core) > 0 || !f.pods.empty();
  s.pods = joined ? f.blocks_of(NodeKind::spine) : 1;
  s.bill_of_materials = bill_of_materials(scenario, f, catalog);
  s.bisection = bisect(f);
  PairTable pairs = classify_pairs(scenario, f);
  s.pairs = std::move(pairs.classes);
  s.pairs_sampled = pairs.sampled;
  s.warnings = fabric_warnings(f, s);
  return s;
}

}  // namespace railyard
