#include "report/jitter_report.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity_text.h"
#include "report/figure_text.h"
#include "report/json_fields.h"

namespace railyard {

namespace {

std::string length_text(double seconds) { return time_text(std::abs(seconds)); }
std::string three_digits(double share) { return fmt::format("{:.3g} %", share * 100); }

constexpr double kNothing = 0.5e-12;  // seconds: half of what is counted in

std::string change_text(double seconds) {
  if (std::abs(seconds) < kNothing) return "–";
  return (seconds < 0 ? "−" : "+") + length_text(seconds);
}

std::string share_text(double share) { return share < 10 ? three_digits(share) : fmt::format("{:.3g} ×", share); }

std::string late_sentence(const JitterResults& j) {
  if (j.delayed == 1) return fmt::format("One call of a collective begins {} late.", length_text(j.injected_s));
  return fmt::format("{} calls of collectives begin late, by {} on average: {} in all, {} at the stage that is hit most.",
                     format_count(j.delayed), length_text(j.injected_s / static_cast<double>(j.delayed)),
                     length_text(j.injected_s), length_text(j.most_s));
}

std::string jitter_sentence(const JitterResults& j) {
  if (j.delayed == 0) return "No call begins late: the step is as without jitter.";
  const std::string late = late_sentence(j), step = length_text(j.without_s);
  if (std::abs(j.change_s) < kNothing) return late + fmt::format(" The step takes {} as without: all of it is hidden.", step);
  const std::string change = fmt::format(" The step takes {} {} ({:.3g} % of {})", length_text(j.change_s),
                                         j.change_s < 0 ? "less" : "longer", std::abs(j.change_s) / j.without_s * 100, step);
  if (j.change_s < 0) return late + change + ": flows that start at other times share links otherwise.";
  if (j.change_s > j.injected_s + kNothing)
    return late + change +
           ", more than all delays together: flows of stages that are no longer alike share links otherwise. "
           "A delay of 1 ns may do as much.";
  if (j.change_s > j.most_s + kNothing) return late + change + ": delays of several stages add up.";
  const char* where = j.delayed == 1 ? "" : " to that stage";
  if (j.share > 0.9995) return late + change + fmt::format(": all of what was added{} is exposed.", where);
  return late + change + fmt::format(": {} of what was added{} is exposed, the rest is hidden.", three_digits(j.share), where);
}

TextTable mean_table(const JitterResults& j) {
  TextTable table{{"what changes for the mean stage", "time"}, {Align::left, Align::right}, {}};
  const auto add = [&](const char* name, double seconds) { table.rows.push_back({name, change_text(seconds)}); };
  add("delays", j.mean.injected);
  add("communication beside compute", j.mean.hidden);
  add("communication nothing runs beside", j.mean.exposed);
  add("compute slowed by communication", j.mean.contention);
  add("waiting for other stages", j.mean.bubble);
  add("the step", j.change_s);
  return table;
}

TextTable rows_table(const JitterResults& j) {
  TextTable table{
      {"what", "group", "calls", "late", "delays", "of a stage", "step", "exposed"},
      {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
      {}};
  for (const JitterRow& row : j.rows)
    table.rows.push_back({row.name, row.group, format_count(row.calls), format_count(row.delayed), length_text(row.injected_s),
                          length_text(row.most_s), change_text(row.change_s), row.delayed == 0 ? "–" : share_text(row.share)});
  return table;
}

double in_us(double seconds) { return seconds * 1e6; }

constexpr JsonField<JitterRow> kJitterRowFields[] = {
    json_field<&JitterRow::name>("what"),
    json_field<&JitterRow::group>("group"),
    json_field<&JitterRow::calls>("calls"),
    json_field<&JitterRow::delayed>("delayed"),
    json_field<&JitterRow::injected_s, in_us>("injected_us"),
    json_field<&JitterRow::longest_s, in_us>("longest_us"),
    json_field<&JitterRow::most_s, in_us>("most_us"),
    json_field<&JitterRow::change_s, in_us>("change_us"),
    json_field<&JitterRow::share>("exposed_share"),
};

}  // namespace

Report::Section jitter_section(const JitterResults& j) {
  Report::Section section{"Jitter", {jitter_sentence(j), rows_table(j)}};
  section.blocks.emplace_back(
      std::string("Delays: of all stages together, and of the stage that is hit most. Step: what it takes longer with only "
                  "these late. Exposed: that over what was added to that stage; delays of several stages may add up along the "
                  "pipeline to more. Elsewhere in this report times of collectives include "
                  "their delay."));
  section.blocks.emplace_back(mean_table(j));
  return section;
}

Document jitter_document(const JitterResults& j) {
  Document out = Document::object();
  out.set("without_s", Document(j.without_s));
  out.set("change_us", Document(j.change_s * 1e6));
  out.set("delayed", Document(static_cast<std::int64_t>(j.delayed)));
  out.set("injected_us", Document(j.injected_s * 1e6));
  out.set("most_us", Document(j.most_s * 1e6));
  out.set("exposed_share", Document(j.share));
  Document& mean = out.set("mean_stage", Document::object());
  mean.set("injected_us", Document(j.mean.injected * 1e6));
  mean.set("hidden_us", Document(j.mean.hidden * 1e6));
  mean.set("exposed_us", Document(j.mean.exposed * 1e6));
  mean.set("contention_us", Document(j.mean.contention * 1e6));
  mean.set("bubble_us", Document(j.mean.bubble * 1e6));
  out.set("collectives", list_of(j.rows, kJitterRowFields));
  return out;
}

}  // namespace railyard
