#include "answer/hardware.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "answer/bill_of_materials.h"
#include "answer/price_list.h"
#include "base/quantity_text.h"
#include "fabric/build.h"

namespace railyard {

namespace {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); i++) out += (i == 0 ? "" : i + 1 == items.size() ? " and " : ", ") + items[i];
  return out;
}

/// "16 switches and 512 cables more", "4 switches fewer": what there is more of, then what there is less of.
std::string changed_parts(const Hardware& before, const Hardware& after) {
  std::vector<std::string> more, fewer;
  const auto add = [&](std::uint64_t was, std::uint64_t is, const char* one, const char* many) {
    if (is > was) more.push_back(counted(is - was, one, many));
    if (is < was) fewer.push_back(counted(was - is, one, many));
  };
  add(before.switches, after.switches, "switch", "switches");
  add(before.cables, after.cables, "cable", "cables");
  std::vector<std::string> both;
  if (!more.empty()) both.push_back(listed(more) + " more");
  if (!fewer.empty()) both.push_back(listed(fewer) + " fewer");
  return both.empty() ? "the same switches and cables, wired anew" : listed(both);
}

std::string power_text(const Hardware& before, const Hardware& after) {
  constexpr double kWorthSaying = 1;  // W
  const bool switches_known = before.switch_watts && after.switch_watts;
  if (!before.optics_watts || !after.optics_watts) return {};
  double watts = *after.optics_watts - *before.optics_watts;
  if (switches_known)
    watts +=
        *after.switch_watts * static_cast<double>(after.switches) - *before.switch_watts * static_cast<double>(before.switches);
  const bool same_switches = before.switches == after.switches && before.switch_model == after.switch_model;
  const std::string_view what = switches_known && !same_switches ? "switches and optics" : "optics";
  const std::string& unknown = before.switch_watts ? after.switch_model : before.switch_model;
  const std::string not_told = switches_known || same_switches || unknown.empty()
                                   ? std::string()
                                   : fmt::format(" (what a {} draws is not known)", unknown);
  if (std::abs(watts) < kWorthSaying)
    return not_told.empty() ? std::string() : fmt::format("; {} draw as much{}", what, not_told);
  return fmt::format("; {} draw {} {}{}", what, format(Milliwatts(std::llround(std::abs(watts) * 1000))),
                     watts > 0 ? "more" : "less", not_told);
}

/// Of switches that come or go.
std::string price_text(const Hardware& before, const Hardware& after) {
  if (!after.switch_price || before.switch_model != after.switch_model || before.switches == after.switches) return {};
  const std::uint64_t count =
      after.switches > before.switches ? after.switches - before.switches : before.switches - after.switches;
  return fmt::format("; {} × about {} USD for switches ({})", format_count(count),
                     format_count(static_cast<std::uint64_t>(after.switch_price->count())), after.price_date);
}

std::optional<double> watts_of_optics(const BillOfMaterials& bill) {
  for (const CableTier& tier : bill.cables)
    if (!tier.watts) return std::nullopt;
  return bill.optics_watts();
}

}  // namespace

std::optional<Hardware> hardware_of(const Scenario& scenario, const Catalog& catalog) {
  const Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return std::nullopt;
  const BillOfMaterials bill = bill_of_materials(scenario, *fabric, catalog);
  Hardware out{.nics = fabric->count(NodeKind::host),
               .switches = bill.all_switches(),
               .cables = bill.all_cables(),
               .link_rate = scenario.fabric.link_rate,
               .ports = scenario.fabric.radix.value_or(0),
               .switch_model = scenario.fabric.switch_model,
               .switch_watts = bill.all_switch_watts() ? bill.switch_watts : std::nullopt,
               .optics_watts = watts_of_optics(bill),
               .switch_price = {},
               .price_date = {}};
  if (const std::optional<Price> price = PriceList(catalog, scenario.prices).of(PricedKind::network_switch, out.switch_model))
    out.switch_price = Dollars(std::llround(price->usd)), out.price_date = price->date.empty() ? "given" : price->date;
  return out;
}

std::string cost_of_change(const Hardware& before, const Hardware& after) {
  std::string parts;
  if (before.link_rate != after.link_rate)
    parts = fmt::format("{}, {} and {} for {} instead of {}", counted(after.nics, "NIC", "NICs"),
                        counted(after.switches, "switch", "switches") +
                            (after.ports > 0 ? fmt::format(" of {} ports", after.ports) : std::string()),
                        counted(after.cables, "cable", "cables"), format(after.link_rate), format(before.link_rate));
  else
    parts = changed_parts(before, after);
  return parts + power_text(before, after) + price_text(before, after);
}

}  // namespace railyard
