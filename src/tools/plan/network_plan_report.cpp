#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity_text.h"
#include "tools/plan/network_plan.h"

namespace railyard {

namespace {

constexpr std::size_t kShown = 15;

std::string step_text(double value) { return std::isfinite(value) ? fmt::format("{:.4g} s", value) : "stops"; }

std::string power_text(const Sum& watts) { return fmt::format("{}{:.4g} kW", watts.complete ? "" : "≥ ", watts.value / 1000); }

std::string price_text(const Sum& usd) {
  return usd.value == 0 && !usd.complete ? "not known" : (usd.complete ? "" : "≥ ") + dollars_text(usd.value);
}

std::string words_of_network(const NetworkRow& row) {
  std::string text;
  for (const std::string& value : row.values) text += (text.empty() ? "" : ", ") + value;
  return text;
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

Report::Section found_section(const PlannedNetwork& plan) {
  const LevelCount &first = plan.search.levels.front(), &flows = plan.search.levels.back();
  const std::string rest =
      flows.ruled_out == 0
          ? std::string("all of these were")
          : fmt::format("{} of these can neither be proposed nor be unbeaten, by their steps without queues, and {} were",
                        format_count(flows.ruled_out), format_count(flows.tried));
  return {"How it was found",
          {fmt::format("{} networks of parts that the catalog has were tried: {} can be wired and are within the limits; {} "
                       "played over flows.",
                       format_count(first.candidates), format_count(first.tried - first.refused), rest)}};
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
  report.sections.push_back(found_section(plan));
  return report;
}

Document network_plan_document(const PlannedNetwork& plan) {
  const auto row_document = [&](const NetworkRow& row) {
    Document out = Document::object();
    out.set("network", Document(words_of_network(row)));
    out.set("step_s", Document(row.step_s));
    const double down = row.one_down_s.value_or(0);
    if (down > 0 && std::isfinite(down)) out.set("one_down_s", Document(down));
    if (row.one_down_s) out.set("stops_with_one_down", Document(!std::isfinite(down)));
    out.set("switches", Document(row.switches));
    out.set("cables", Document(row.cables));
    out.set("optics", Document(row.optics));
    out.set("network_usd", Document(row.network_usd.value));
    out.set("network_usd_complete", Document(row.network_usd.complete));
    out.set("usd_per_million_tokens", Document(row.token_usd.value));
    out.set("usd_per_million_tokens_complete", Document(row.token_usd.complete));
    out.set("is_known_to_keep_limits", Document(row.is_known));
    out.set("network_w", Document(row.network_watts.value));
    out.set("network_w_complete", Document(row.network_watts.complete));
    out.set("on_front", Document(row.on_front));
    out.set("command", Document(row.command));
    return out;
  };
  Document out = Document::object();
  out.set("schema", Document(std::string("railyard-network-plan/1")));
  out.set("name", Document(plan.name));
  out.set("scenario", Document(plan.scenario));
  out.set("answer", Document(network_plan_answer(plan)));
  out.set("gpus", Document(std::int64_t{plan.gpus}));
  out.set("chosen_by", Document(plan.by));
  out.set("chosen", row_document(plan.rows[plan.chosen]));
  Document& unpriced = out.set("unpriced", Document::array());
  for (const std::string& part : plan.unpriced) unpriced.push(Document(part));
  Document& all = out.set("networks", Document::array());
  for (const NetworkRow& row : plan.rows) all.push(row_document(row));
  if (plan.today) out.set("today", row_document(*plan.today));
  if (!plan.growth.empty()) out.set("growth", Document(plan.growth));
  return out;
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
