#include "scenario/read/keys_parts.h"

namespace railyard {

namespace {

void read_price(const Document::Member& member, ScenarioSpec& scenario, Complaints& complaints) {
  const Limits<Dollars> limits{.min = Dollars(0), .max = Dollars(1'000'000'000'000)};
  std::optional<Dollars> price;
  schema::convert("prices." + member.key, member.value, price, limits, complaints);
  if (price) scenario.prices.push_back({member.key, *price, member.where});
}

/// Names of parts, so any key goes; check() looks whether the catalog has them.
Section prices() {
  return {
      "prices",
      "what parts cost, instead of the catalog's prices, for `railyard cost` and comparisons: a name of the catalog "
      "(\"Quantum-2\", \"400G-DR4\"), or server, switch, nic, fibre (between two transceivers) or electricity (of one MWh), "
      "and \"50000 USD\"",
      {},
      {},
      [](const Document& table, std::span<const std::string>, ScenarioSpec& scenario, Complaints& complaints, const KeySet&) {
        for (const Document::Member& member : *table.members()) read_price(member, scenario, complaints);
      }};
}

Section cost() {
  return section(
      "cost", "over how long a cluster is paid for and used, for `railyard cost`; a run does not read it", {},
      [](ScenarioSpec& s) -> CostPlan& { return s.cost; },
      {key("years", &CostPlan::years, "that what is bought is used for", {.min = 0.1, .max = 100.0}),
       key("utilisation", &CostPlan::utilisation, "share of the time in which the job runs", {.min = 0.01, .max = 1.0}),
       key("pue", &CostPlan::pue, "power of the building over that of what computes in it", {.min = 1.0, .max = 10.0})});
}

}  // namespace

std::vector<Section> cost_sections() { return {prices(), cost()}; }

}  // namespace railyard
