#include "report/circuit_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity_text.h"
#include "report/figure_text.h"
#include "report/json_fields.h"

namespace railyard {

namespace {

constexpr double kLeastTime = 0.5e-12;  // seconds: half of what is counted in

std::string share_of_step(double seconds, double step_s) { return fmt::format("{:.3g} %", std::abs(seconds) / step_s * 100); }

std::string gain_sentence(const CircuitResults& c, double step_s) {
  const std::string fixed =
      fmt::format("Over circuits that are fixed, by what the whole step sends, it takes {}", time_text(c.fixed_s));
  if (std::abs(c.gain_s) < kLeastTime) return fixed + ", the same.";
  if (c.gain_s > 0)
    return fixed + fmt::format(": changing them gains {} ({}).", time_text(c.gain_s), share_of_step(c.gain_s, c.fixed_s));
  return fixed + fmt::format(": changing them loses {} ({}); circuits = \"demand\" is quicker.", time_text(-c.gain_s),
                             share_of_step(c.gain_s, step_s));
}

std::string cost_sentence(const CircuitResults& c, double step_s) {
  if (c.reconfiguration_s <= 0) return "Changes take no time.";
  const std::string instant = fmt::format("Did changes take no time, the step would take {}", time_text(c.instant_s));
  if (std::abs(c.cost_s) < kLeastTime) return instant + ", the same: they hide beside compute.";
  return instant + fmt::format(": their time {} {} ({}).", c.cost_s > 0 ? "costs" : "spares", time_text(std::abs(c.cost_s)),
                               share_of_step(c.cost_s, step_s));
}

std::string change_sentence(const CircuitResults& c, double step_s) {
  if (c.changes == 0)
    return "Circuits do not change: the passes of a step want the same ones as its gradients. " + gain_sentence(c, step_s);
  return fmt::format("Circuits change {} times a step: {} of {} move and are dark for {} each time. ", c.changes,
                     format_count(c.moved), format_count(c.all), time_text(c.reconfiguration_s)) +
         cost_sentence(c, step_s) + " " + gain_sentence(c, step_s);
}

constexpr JsonField<CircuitPhaseRow> kPhaseFields[] = {
    json_field<&CircuitPhaseRow::name>("phase"),
    json_field<&CircuitPhaseRow::sent>("sent_bytes"),
    json_field<&CircuitPhaseRow::crossed>("circuits_crossed"),
    json_field<&CircuitPhaseRow::fixed>("circuits_crossed_fixed"),
};

}  // namespace

Report::Section circuit_section(const CircuitResults& c, double step_s) {
  TextTable table{{"phase", "sent between pods", "circuits on the way", "if they were fixed"},
                  {Align::left, Align::right, Align::right, Align::right},
                  {}};
  for (const CircuitPhaseRow& row : c.phases)
    table.rows.push_back({row.name, format(Bytes(std::llround(row.sent))), fmt::format("{:.2f}", row.crossed),
                          fmt::format("{:.2f}", row.fixed)});
  Report::Section section{"Circuits", {change_sentence(c, step_s), table}};
  section.blocks.emplace_back(
      std::string("Passes: until the last stage is through with its last one; what is sent beside them belongs to them. "
                  "Circuits that both phases want stay lit, and carry what is sent while others move."));
  return section;
}

Document circuit_document(const CircuitResults& c) {
  Document out = Document::object();
  out.set("reconfiguration_s", Document(c.reconfiguration_s));
  out.set("changes", Document(static_cast<std::int64_t>(c.changes)));
  out.set("moved", Document(static_cast<std::int64_t>(c.moved)));
  out.set("all", Document(static_cast<std::int64_t>(c.all)));
  out.set("dark_s", Document(c.dark_s));
  out.set("instant_s", Document(c.instant_s));
  out.set("fixed_s", Document(c.fixed_s));
  out.set("cost_s", Document(c.cost_s));
  out.set("gain_s", Document(c.gain_s));
  out.set("phases", list_of(c.phases, kPhaseFields));
  return out;
}

}  // namespace railyard
