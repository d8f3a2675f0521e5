#include "answer/cluster_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"

namespace railyard {

namespace {

/// The server with such GPUs, as many of them.
const Entry<ServerFact>* server_of(const Scenario& scenario, const Catalog& catalog) {
  const std::string& gpu = scenario.workload.gpu_model;
  for (const Entry<ServerFact>& entry : catalog.servers.entries())
    if (!gpu.empty() && entry.fact.gpu == gpu && entry.fact.gpus == scenario.fabric.per_node) return &entry;
  return nullptr;
}

std::optional<double> watts_of(const std::optional<Milliwatts>& power) {
  return power ? std::optional(static_cast<double>(power->count()) / 1000) : std::nullopt;
}

class CostBuilder {
 public:
  CostBuilder(const Scenario& scenario, const Fabric& fabric, const BillOfMaterials& bill, const Catalog& catalog)
      : scenario_(scenario),
        catalog_(catalog),
        bill_(bill),
        prices_(catalog, scenario.prices),
        server_(server_of(scenario, catalog)) {
    out_.gpus = fabric.endpoints();
  }

  ClusterCost build() {
    if (!scenario_.keys.given("fabric.topology"))
      out_.missing.emplace_back("No network is described: all GPUs are under one switch; give fabric.topology.");
    servers();
    switches();
    nics();
    for (const CableTier& tier : bill_.cables) link(tier);
    out_.electricity = prices_.of(PricedKind::plain, "electricity");
    for (const CostLine& line : out_.lines) add_up(line);
    say_missing();
    return std::move(out_);
  }

 private:
  CostLine& add(CostKind kind, PricedKind priced, std::string part, std::string where, std::uint64_t count) {
    CostLine& line = out_.lines.emplace_back();
    line.kind = kind;
    line.key = PriceList::key_of(priced, part);
    line.price = prices_.of(priced, part);
    line.part = std::move(part);
    line.where = std::move(where);
    line.count = count;
    return line;
  }

  void servers() {
    if (scenario_.workload.gpu_model.empty()) return;  // hosts of traffic and collectives are no machines in particular
    const std::uint32_t per_node = std::max(1U, scenario_.fabric.per_node);
    CostLine& line = add(CostKind::server, PricedKind::server, server_ ? server_->name : std::string(), {},
                         (out_.gpus + per_node - 1) / per_node);
    if (server_) {
      line.watts = watts_of(server_->fact.power);
      line.watts_origin = server_->origin_of("power");
    } else if (const Entry<GpuFact>* const gpu = catalog_.gpus.find(scenario_.workload.gpu_model); gpu && gpu->fact.power) {
      line.watts = *watts_of(gpu->fact.power) * per_node;
      line.more_watts = true;
      line.watts_origin = gpu->origin_of("power");
    }
  }

  void switches() {
    for (const SwitchParts& tier : bill_.switches) {
      const std::string where = scenario_.fabric.topology == Topology::star ? "switch" : std::string(name_of(tier.kind));
      CostLine& line = add(CostKind::network_switch, PricedKind::network_switch, tier.model, where, tier.count);
      if (tier.model.empty()) continue;
      line.watts = bill_.switch_watts;
      line.watts_origin = catalog_.switches.find(tier.model)->origin_of("power");
    }
  }

  /// Servers are quoted with their NICs; a user who prices both prices them apart.
  void nics() {
    CostLine& line = add(CostKind::nic, PricedKind::nic, bill_.nic_model, "server", bill_.nics);
    const CostLine* const server = out_.lines.front().kind == CostKind::server ? &out_.lines.front() : nullptr;
    if (!server || !server->price) return;
    const bool own_server = server->price->origin.status == Status::given;
    if (own_server && line.price && line.price->origin.status == Status::given) return;
    line.in_server = true;
    const std::string& included = server_ ? server_->fact.nic : std::string();
    if (own_server || included.empty() || included == bill_.nic_model) return;
    out_.all_usd.complete = false;
    out_.missing.push_back(fmt::format("A server is priced with {} as NICs, not with {}; give {} for one with these.", included,
                                       bill_.nic_model.empty() ? "those of the scenario" : bill_.nic_model, server->key));
  }

  void link(const CableTier& tier) {
    const std::string where(name_of(tier.tier, scenario_.fabric.topology));
    const bool two_ends = tier.kind == OpticKind::transceiver && !tier.medium.empty();
    const std::uint64_t parts = (tier.cables * (two_ends ? 2 : 1) + tier.links_per_cable - 1) / tier.links_per_cable;
    CostLine& line = add(two_ends ? CostKind::transceiver : CostKind::cable, PricedKind::optic, tier.medium, where, parts);
    if (tier.medium.empty()) line.key.clear();
    if (tier.watts) line.watts = *tier.watts / static_cast<double>(std::max<std::uint64_t>(1, parts));
    if (!tier.medium.empty()) line.watts_origin = catalog_.optics.find(tier.medium)->origin_of("power");
    if (!two_ends) return;
    CostLine& fibre = add(CostKind::fibre, PricedKind::plain, "fibre", where, tier.cables);
    fibre.watts = 0;
  }

  void add_up(const CostLine& line) {
    out_.all_usd.add(line.usd());
    out_.all_watts.add(nic_watts_are_servers(line) ? 0 : line.all_watts());
    out_.all_watts.complete = out_.all_watts.complete && !line.more_watts;
    if (line.kind == CostKind::server) return;
    out_.network_usd.add(line.usd());
    if (line.kind != CostKind::nic) out_.network_watts.add(line.all_watts());
  }

  /// What a server draws includes its NICs, whoever pays for them.
  [[nodiscard]] bool nic_watts_are_servers(const CostLine& line) const {
    return line.kind == CostKind::nic && !out_.lines.empty() && out_.lines.front().kind == CostKind::server;
  }

  void say_missing() {
    std::vector<std::string> prices, powers;
    const auto once = [](std::vector<std::string>& all, std::string one) {
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(std::move(one));
    };
    for (const CostLine& line : out_.lines) {
      const std::string what = name_for(line);
      if (!line.usd())
        once(prices, line.key.empty() ? fmt::format("The catalog has no part for {}.", what)
                                      : fmt::format("No price of {} is known; give {}.", what, line.key));
      if (!nic_watts_are_servers(line) && !line.all_watts() && !(line.kind == CostKind::cable && line.part.empty()))
        once(powers, fmt::format("What {} draws is not known.", what));
      if (line.more_watts) once(powers, fmt::format("What {} draws beside its GPUs is not known.", what));
    }
    out_.missing.insert(out_.missing.end(), prices.begin(), prices.end());
    out_.missing.insert(out_.missing.end(), powers.begin(), powers.end());
  }

  [[nodiscard]] std::string name_for(const CostLine& line) const {
    if (!line.part.empty()) return line.kind == CostKind::fibre ? "a fibre" : line.part;
    switch (line.kind) {
      case CostKind::server:
        return fmt::format("a server with {} × {}", scenario_.fabric.per_node, scenario_.workload.gpu_model);
      case CostKind::network_switch:
        return scenario_.fabric.spine_radix && line.where != "leaf"
                   ? fmt::format("a {} with {} ports", line.where, *scenario_.fabric.spine_radix)
                   : "a switch without a name";
      case CostKind::nic:
        return "a NIC without a name";
      default:
        return "links from " + line.where;
    }
  }

  const Scenario& scenario_;
  const Catalog& catalog_;
  const BillOfMaterials& bill_;
  const PriceList prices_;
  const Entry<ServerFact>* server_;
  ClusterCost out_;
};

}  // namespace

ClusterCost cluster_cost(const Scenario& scenario, const Fabric& fabric, const Catalog& catalog) {
  return cluster_cost(scenario, fabric, bill_of_materials(scenario, fabric, catalog), catalog);
}

ClusterCost cluster_cost(const Scenario& scenario, const Fabric& fabric, const BillOfMaterials& bill, const Catalog& catalog) {
  return CostBuilder(scenario, fabric, bill, catalog).build();
}

RunningCost running_cost(const ClusterCost& cost, const CostPlan& plan) {
  RunningCost out;
  out.capital_per_hour = {cost.all_usd.value / (plan.years * kHoursPerYear), cost.all_usd.complete};
  out.mwh_per_year = cost.all_watts.value * plan.pue * kHoursPerYear / 1e6;
  out.energy_complete = cost.all_watts.complete;
  const double price = cost.electricity ? cost.electricity->usd : 0;
  out.energy_per_hour = {out.mwh_per_year / kHoursPerYear * price, cost.all_watts.complete && cost.electricity.has_value()};
  return out;
}

Sum cost_of_million_tokens(const RunningCost& running, const CostPlan& plan, double tokens_per_s) {
  const Sum hour = running.per_hour();
  return {hour.value / (tokens_per_s * 3600 * plan.utilisation) * 1e6, hour.complete};
}

std::string dollars_text(double usd) {
  if (usd <= 0) return "$0";
  if (usd >= 1e9) return fmt::format("${:.2f} billion", usd / 1e9);
  if (usd >= 1e6) return fmt::format("${:.{}f} million", usd / 1e6, usd >= 1e8 ? 0 : 1);
  if (usd >= 100) return "$" + format_count(static_cast<std::uint64_t>(std::llround(usd)));
  return fmt::format("${:.{}f}", usd, usd >= 0.1 ? 2 : usd >= 0.01 ? 3 : 4);
}

std::string dollars_text(const Sum& sum) { return (sum.complete ? "" : "at least ") + dollars_text(sum.value); }

}  // namespace railyard
