#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "tools/plan/network_plan.h"
#include "tools/plan/network_search.h"

namespace railyard {

namespace {

constexpr std::size_t kShown = 15;

/// Changes of a step below this are not worth a word.
constexpr double kSame = 0.0005;

std::string step_text(double value) { return std::isfinite(value) ? fmt::format("{:.4g} s", value) : "stops"; }

std::string power_text(const Sum& watts) { return fmt::format("{}{:.4g} kW", watts.complete ? "" : "≥ ", watts.value / 1000); }

std::string price_text(const Sum& usd) {
  return usd.value == 0 && !usd.complete ? "not known" : (usd.complete ? "" : "≥ ") + dollars_text(usd.value);
}

std::string switches_text(const NetworkRow& row) {
  return row.switches == 1 ? "1 switch" : format_count(static_cast<std::uint64_t>(row.switches)) + " switches";
}

/// The chosen one, those on the front by step time, and what there is today.
Report::Section networks_section(const PlannedNetwork& plan) {
  TextTable table;
  table.header = {"network", "step", "to best", "one down", "switches", "optics", "power", "price", "10⁶ tokens"};
  table.align.assign(table.header.size(), Align::right);
  table.align.front() = Align::left;
  const double best = plan.rows.front().step_s;
  const auto add = [&](const std::string& mark, const NetworkRow& row) {
    table.rows.push_back(
        {mark + words_of_network(row), step_text(row.step_s), fmt::format("{:+.1f} %", 100 * (row.step_s / best - 1)),
         row.one_down_s.value_or(0) == 0 ? "–" : step_text(*row.one_down_s),
         format_count(static_cast<std::uint64_t>(row.switches)), format_count(static_cast<std::uint64_t>(row.optics)),
         power_text(row.network_watts), price_text(row.network_usd), price_text(row.token_usd)});
  };
  add("→ ", plan.rows[plan.chosen]);
  for (std::size_t i = 0; i < plan.rows.size() && table.rows.size() < kShown; i++)
    if (plan.rows[i].on_front && i != plan.chosen) add("", plan.rows[i]);
  if (plan.today) add("", *plan.today);
  return {
      "Networks",
      {table,
       "Those that nothing beats in step time, switches, cables and power at once. One down: with a spine or core less, the "
       "slower of both. Optics are transceivers. Prices and powers with ≥ lack some of their parts: railyard cost tells "
       "which. 10⁶ tokens: what a million cost, servers and electricity included."}};
}

/// "2:1 +0.3 %, 4:1 at least +1.2 %"
std::string effect_words(const Axis& axis, const std::vector<AxisEffect>& effects, double step) {
  std::string text;
  for (const AxisEffect& effect : effects) {
    text += (text.empty() ? "" : ", ") + axis.values[effect.value].text + " ";
    if (!effect.outcome.refused.empty()) {
      text += "cannot be";
      continue;
    }
    const double change = effect.outcome.values[kStep] / step - 1;
    text += fmt::format("{}{}", effect.is_bound ? "at least " : "",
                        std::abs(change) < kSame ? std::string("=") : fmt::format("{:+.1f} %", 100 * change));
  }
  return text;
}

Report::Section effects_section(const PlannedNetwork& plan) {
  TextTable table;
  table.header = {"choice", "the step with each, all else as proposed"};
  const std::vector<std::vector<AxisEffect>>& effects = plan.search.effects;
  for (std::size_t axis = 0; axis < effects.size(); axis++)
    table.rows.push_back(
        {plan.space.axes()[axis].name, effect_words(plan.space.axes()[axis], effects[axis], plan.rows[plan.chosen].step_s)});
  return {"What matters", {table, "At least: by its closed form, it was not played."}};
}

Report::Section found_section(const PlannedNetwork& plan) {
  const LevelCount &first = plan.search.levels[kBuilt], &flows = plan.search.levels[kPlayed];
  const std::string rest =
      flows.ruled_out == 0
          ? std::string("all of these were")
          : fmt::format("{} of these can neither be proposed nor be unbeaten, by their steps without queues, and {} were",
                        format_count(flows.ruled_out), format_count(flows.tried));
  return {"How it was found",
          {fmt::format("{} networks of parts that the catalog has were tried: {} can be wired and are within the limits; {} "
                       "played over flows, {} of them with a switch down. Over flows a step was at most {:.2g} % shorter than "
                       "without queues; twice that was allowed. Steps that differ by less than --loss count as the same.",
                       format_count(first.candidates), format_count(first.tried - first.refused), rest,
                       format_count(plan.search.levels[kDown].tried), 100 * plan.search.below_bound)}};
}

/// ", of which no price of Quantum-X800 is known (give prices.Quantum-X800)"
std::string unpriced_text(const PlannedNetwork& plan) {
  if (plan.unpriced.empty()) return plan.rows[plan.chosen].is_known ? "" : "; whether it keeps the limits is not known";
  std::string names, keys;
  for (const std::string& part : plan.unpriced) {
    names += (names.empty() ? "" : ", ") + part;
    keys += (keys.empty() ? "prices." : ", prices.") + part;
  }
  return fmt::format(" without {}, of which no price is known{}: give {}", names,
                     plan.rows[plan.chosen].is_known ? "" : ", nor whether it keeps the limits", keys);
}

}  // namespace

std::string words_of_network(const NetworkRow& row) {
  std::string text;
  for (const std::string& value : row.values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

std::string network_plan_answer(const PlannedNetwork& plan) {
  const NetworkRow& chosen = plan.rows[plan.chosen];
  std::string text = fmt::format("{} carries the job with {} at {} a step", words_of_network(chosen), switches_text(chosen),
                                 step_text(chosen.step_s));
  const double loss = chosen.step_s / plan.rows.front().step_s - 1;
  text += loss < 0.0005 ? std::string(", and none is faster.")
                        : fmt::format("; the fastest, {}, gains {:.1f} %.", words_of_network(plan.rows.front()), 100 * loss);
  if (const double down = chosen.one_down_s.value_or(0); down > 0)
    text += std::isfinite(down) ? fmt::format(" With a switch above the leaves down it takes {:.1f} % longer.",
                                              100 * (down / chosen.step_s - 1))
                                : " With a switch down the job stops.";
  if (chosen.switches == 1) text += " It is a single switch: the job stops with it.";
  text += fmt::format(" It draws {} and costs {}{}.", power_text(chosen.network_watts), price_text(chosen.network_usd),
                      unpriced_text(plan));
  if (plan.today)
    text += fmt::format(" Today's network has {} and takes {}.", switches_text(*plan.today), step_text(plan.today->step_s));
  return plan.growth.empty() ? text : text + " " + plan.growth;
}

Report network_plan_report(const PlannedNetwork& plan) {
  Report report;
  report.title = fmt::format("A network for {}", plan.name);
  report.sections.push_back({"", {network_plan_answer(plan), plan.rows[plan.chosen].command}});
  report.sections.push_back(networks_section(plan));
  report.sections.push_back(effects_section(plan));
  report.sections.push_back(found_section(plan));
  return report;
}

std::vector<PageBars> network_plan_bars(const PlannedNetwork& plan) {
  PageBars steps{"Steps of networks that nothing beats", "s", {}}, switches{"Their switches", "switches", {}};
  const auto add = [&](const NetworkRow& row, const std::string& label, bool is_marked) {
    steps.bars.push_back({label, row.step_s, fmt::format("{:.4g} s", row.step_s), is_marked});
    switches.bars.push_back({label, row.switches, fmt::format("{:.0f}", row.switches), is_marked});
  };
  for (std::size_t i = 0; i < plan.rows.size(); i++)
    if (plan.rows[i].on_front || i == plan.chosen) add(plan.rows[i], fmt::format("network {}", i + 1), i == plan.chosen);
  if (plan.today) add(*plan.today, "today", false);
  return {steps, switches};
}

}  // namespace railyard
