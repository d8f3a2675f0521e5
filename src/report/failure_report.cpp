#include "report/failure_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "report/figure_text.h"
#include "report/json_fields.h"

namespace railyard {

namespace {

TextTable losses_table(const FailureEffects& effects) {
  TextTable table{{"lost on", "packets", "with payload", "from", "until"},
                  {Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const LossRow& row : effects.losses)
    table.rows.push_back({row.port, format_count(row.packets), format_count(row.data), microseconds_or_dash(row.first_us),
                          microseconds_or_dash(row.last_us)});
  return table;
}

TextTable timeouts_table(const FailureEffects& effects) {
  TextTable table{
      {"queue pair", "first timeout", "timeouts", "broken at"}, {Align::left, Align::right, Align::right, Align::right}, {}};
  for (const TimeoutRow& row : effects.timed_out)
    table.rows.push_back({fmt::format("{} to {}", row.from, row.to), microseconds_or_dash(row.first_us),
                          format_count(row.timeouts), row.broken_us ? microseconds_or_dash(*row.broken_us) : "–"});
  return table;
}

std::string counted_pairs(std::uint64_t count) {
  return count == 1 ? "1 queue pair" : fmt::format("{} queue pairs", format_count(count));
}

/// What was lost, who went another way, who noticed.
std::string failure_sentence(const FailureEffects& effects) {
  std::string text = effects.lost > 0 ? fmt::format("{} packets were lost on failed links.", format_count(effects.lost))
                                      : "No packet was lost on failed links.";
  std::vector<std::string> moves;
  for (const RerouteRow& row : effects.rerouted)
    moves.push_back(fmt::format("{} at {}", format_count(row.queue_pairs), microseconds_or_dash(row.at_us)));
  if (!moves.empty()) text += fmt::format(" Queue pairs that took other paths: {}.", fmt::join(moves, ", "));
  if (effects.timed_out_in_all == 0) return text + " No queue pair had to wait for its timer.";
  text += fmt::format(" {} heard nothing until {} ran out.", counted_pairs(effects.timed_out_in_all),
                      effects.timed_out_in_all == 1 ? "its timer" : "their timers");
  if (effects.broken > 0)
    text += fmt::format(
        " {} gave up: NCCL would report IBV_WC_RETRY_EXC_ERR (status 12, on NVIDIA's NICs vendor error 129), and the job "
        "would stop.",
        format_count(effects.broken));
  return text;
}

constexpr JsonField<LossRow> kLossFields[] = {
    json_field<&LossRow::port>("port"),         json_field<&LossRow::packets>("packets"),
    json_field<&LossRow::data>("data_packets"), json_field<&LossRow::bytes>("bytes"),
    json_field<&LossRow::first_us>("first_us"), json_field<&LossRow::last_us>("last_us"),
};
constexpr JsonField<RerouteRow> kRerouteFields[] = {
    json_field<&RerouteRow::at_us>("at_us"),
    json_field<&RerouteRow::queue_pairs>("queue_pairs"),
};

}  // namespace

Report::Section failure_section(const FailureEffects& effects) {
  Report::Section section{"Failures", {failure_sentence(effects)}};
  if (!effects.losses.empty()) section.blocks.push_back(losses_table(effects));
  if (!effects.timed_out.empty()) section.blocks.push_back(timeouts_table(effects));
  return section;
}

Document failure_document(const FailureEffects& effects) {
  Document out = Document::object();
  out.set("lost_packets", Document(static_cast<std::int64_t>(effects.lost)));
  out.set("losses", list_of(effects.losses, kLossFields));
  out.set("rerouted", list_of(effects.rerouted, kRerouteFields));
  out.set("timed_out_queue_pairs", Document(static_cast<std::int64_t>(effects.timed_out_in_all)));
  out.set("broken_queue_pairs", Document(static_cast<std::int64_t>(effects.broken)));
  Document& rows = out.set("queue_pairs", Document::array());
  for (const TimeoutRow& row : effects.timed_out) {
    Document& item = rows.push(Document::object());
    item.set("from", Document(row.from));
    item.set("to", Document(row.to));
    item.set("timeouts", Document(static_cast<std::int64_t>(row.timeouts)));
    item.set("first_us", Document(row.first_us));
    if (row.broken_us) item.set("broken_us", Document(*row.broken_us));
  }
  return out;
}

}  // namespace railyard
