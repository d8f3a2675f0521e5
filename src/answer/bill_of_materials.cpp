#include "answer/bill_of_materials.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace railyard {

namespace {

constexpr Millimetres kInsideARack = 3_m;

/// The length a signal takes `delay` for: the inverse of propagation_time, rounded to nearest.
Millimetres length_of(Picoseconds delay) { return Millimetres((delay.count() * 99 + 250) / 500); }

/// Length of a cable of the trunk, from its delay without what the nodes at its ends add.
Millimetres drawn_length(const Scenario& scenario, const Fabric& f, TrunkId trunk) {
  Picoseconds delay = f.trunk_delay[trunk];
  const Tier tier = f.trunk_tier[trunk];
  const NodeKind to = f.kind[f.port_to[f.trunk_ports[trunk].front()]];
  if (to == NodeKind::leaf || to == NodeKind::spine) delay -= scenario.fabric.switch_latency;
  if (tier == Tier::host_up || tier == Tier::host_down) delay -= scenario.fabric.host_latency;
  return length_of(std::max(delay, Picoseconds::zero()));
}

bool is_copper(const OpticFact& optic) { return optic.kind == OpticKind::copper; }

/// The part for a link; nullptr where the catalog has none.
const Entry<OpticFact>* medium_of(const CableTier& cable, const Catalog& catalog) {
  const bool copper = cable.tier == Tier::host_up && cable.length <= kInsideARack;
  const Entry<OpticFact>* best = nullptr;
  const auto better = [&](const OpticFact& a, const OpticFact& b) {
    const bool known_a = a.power.has_value(), known_b = b.power.has_value();
    return std::tuple(a.rate, !(copper && is_copper(a)), a.reach, !known_a) <
           std::tuple(b.rate, !(copper && is_copper(b)), b.reach, !known_b);
  };
  for (const Entry<OpticFact>& entry : catalog.optics.entries()) {
    if (entry.fact.reach < cable.length || entry.fact.rate < cable.rate || (is_copper(entry.fact) && !copper)) continue;
    if (!best || better(entry.fact, best->fact)) best = &entry;
  }
  return best;
}

void choose_medium(CableTier& cable, const Catalog& catalog) {
  const Entry<OpticFact>* optic = medium_of(cable, catalog);
  if (!optic) return;
  cable.medium = optic->name;
  cable.kind = optic->fact.kind;
  cable.links_per_cable = static_cast<std::uint32_t>(optic->fact.rate / cable.rate);
  if (!optic->fact.power) return;
  cable.watts =
      static_cast<double>(optic->fact.power->count()) / 1000 * 2 * static_cast<double>(cable.cables) / cable.links_per_cable;
  cable.status = optic->origin_of("power").status;
}

/// What the cables to hosts would draw if they were of copper; nothing where they are, or where the catalog does not know.
std::optional<double> in_copper(const std::vector<CableTier>& cables, const Catalog& catalog) {
  double sum = 0;
  bool any = false;
  for (CableTier cable : cables) {
    if (cable.tier != Tier::host_up) continue;
    any = any || cable.length > kInsideARack;
    cable.length = Millimetres::zero();
    choose_medium(cable, catalog);
    if (!cable.watts || cable.kind != OpticKind::copper) return std::nullopt;
    sum += *cable.watts;
  }
  return any ? std::optional(sum) : std::nullopt;
}

/// A switch with more ports than the catalog's is another one.
std::string model_of(const FabricPlan& plan, NodeKind kind) {
  const bool other = plan.spine_radix && plan.spine_radix != plan.radix && kind != NodeKind::leaf;
  return other || kind == NodeKind::gateway ? std::string() : plan.switch_model;
}

void count_boxes(const Scenario& scenario, const Fabric& f, BillOfMaterials& list) {
  for (const NodeKind kind : {NodeKind::leaf, NodeKind::spine, NodeKind::core, NodeKind::gateway})
    if (const std::uint32_t count = f.count(kind); count > 0)
      list.switches.push_back({kind, model_of(scenario.fabric, kind), count});
  list.nic_model = scenario.fabric.nic_model;
  const std::uint32_t each = f.drawn ? 1 : std::max(1U, scenario.fabric.ports / std::max(1U, scenario.fabric.planes));
  list.nics = std::uint64_t{f.count(NodeKind::host)} * each;
}

bool joins_peers(const Fabric& f, TrunkId trunk) {
  const PortId port = f.trunk_ports[trunk].front();
  return f.kind[f.port_from[port]] == NodeKind::host && f.kind[f.port_to[port]] == NodeKind::host;
}

}  // namespace

Tier upward(Tier tier) {
  switch (tier) {
    case Tier::host_down:
      return Tier::host_up;
    case Tier::leaf_down:
      return Tier::leaf_up;
    case Tier::spine_down:
      return Tier::spine_up;
    case Tier::scale_down:
      return Tier::scale_up;
    default:
      return tier;
  }
}

Millimetres cable_length(const Scenario& scenario, const Fabric& f, TrunkId trunk) {
  return f.drawn ? drawn_length(scenario, f, trunk) : length_of(f.trunk_cable[trunk]);
}

std::uint64_t BillOfMaterials::all_switches() const {
  std::uint64_t all = 0;
  for (const SwitchParts& tier : switches) all += tier.count;
  return all;
}

std::optional<double> BillOfMaterials::all_switch_watts() const {
  if (!switch_watts) return std::nullopt;
  for (const SwitchParts& tier : switches)
    if (tier.model.empty()) return std::nullopt;
  return *switch_watts * static_cast<double>(all_switches());
}

std::uint64_t BillOfMaterials::all_cables() const {
  std::uint64_t all = 0;
  for (const CableTier& tier : cables) all += tier.cables;
  return all;
}

std::uint64_t BillOfMaterials::optical_ends() const {
  std::uint64_t ends = 0;
  for (const CableTier& tier : cables)
    if (!tier.medium.empty() && tier.kind != OpticKind::copper) ends += 2 * tier.cables;
  return ends;
}

double BillOfMaterials::optics_watts() const {
  double sum = 0;
  for (const CableTier& tier : cables) sum += tier.watts.value_or(0);
  return sum;
}

BillOfMaterials bill_of_materials(const Scenario& scenario, const Fabric& f, const Catalog& catalog) {
  BillOfMaterials list;
  count_boxes(scenario, f, list);
  list.length = length_of(scenario.fabric.link_delay);
  const bool given = scenario.keys.given("fabric.cable") || scenario.keys.given("fabric.link_delay");
  list.length_status = given ? Status::given : Status::assumed;
  std::map<std::tuple<Tier, BitsPerSecond, Millimetres>, std::uint64_t> ports;  // two of each cable
  for (const TrunkId trunk : ids(f.trunk_tier)) {
    const Tier tier = upward(f.trunk_tier[trunk]);
    const std::uint32_t count = f.trunk_ports[trunk].size();
    if (tier == Tier::scale_up)
      list.scale_up_links += joins_peers(f, trunk) ? count : f.trunk_tier[trunk] == tier ? 2 * count : 0;
    else
      ports[{tier, f.trunk_port_rate[trunk], cable_length(scenario, f, trunk)}] += count;
  }
  list.scale_up_links /= 2;
  for (const auto& [key, count] : ports) {
    CableTier cable;
    std::tie(cable.tier, cable.rate, cable.length) = key;
    cable.cables = count / 2;
    choose_medium(cable, catalog);
    list.cables.push_back(cable);
  }
  list.copper_watts = in_copper(list.cables, catalog);
  if (const auto* box = catalog.switches.find(scenario.fabric.switch_model); box && box->fact.power) {
    list.switch_watts = static_cast<double>(box->fact.power->count()) / 1000;
    list.switch_status = box->origin_of("power").status;
  }
  return list;
}

}  // namespace railyard
