#include "report/packet_step_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "report/figure_text.h"
#include "report/json_fields.h"
#include "report/packet_report.h"

namespace railyard {

namespace {

TextTable held_table(const PacketStepResults& r) {
  TextTable table{{"collective", "group", "calls", "flows", "packets", "longest", "packets / flows"},
                  {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const HeldRow& row : r.rows)
    table.rows.push_back({row.what, row.group, format_count(row.calls), seconds_or_dash(row.flow_s),
                          seconds_or_dash(row.packet_s), seconds_or_dash(row.packet_longest_s),
                          fmt::format("{:.2f}", row.ratio)});
  return table;
}

TextTable stragglers_table(const PacketStepResults& r) {
  TextTable table{
      {"slowest", "to", "calls it ended", "behind the mean"}, {Align::left, Align::left, Align::right, Align::right}, {}};
  for (const StragglerRow& row : r.stragglers)
    table.rows.push_back({row.from, row.to, format_count(row.calls), seconds_or_dash(row.behind_s)});
  return table;
}

std::string packet_step_sentence(const PacketStepResults& r) {
  return fmt::format(
      "Every packet of the step: {} messages over {} connections, {} of payload, {} packet-hops with payload. Over flows the "
      "step takes {}: packets take {:.3f} times that.",
      format_count(r.messages), format_count(r.connections), format(Bytes(static_cast<std::int64_t>(r.payload_bytes))),
      format_count(r.packets.data_hops), seconds_or_dash(r.flow_step_s), r.ratio);
}

constexpr JsonField<HeldRow> kHeldFields[] = {
    json_field<&HeldRow::what>("what"),         json_field<&HeldRow::group>("group"),
    json_field<&HeldRow::calls>("calls"),       json_field<&HeldRow::flow_s>("flow_s"),
    json_field<&HeldRow::packet_s>("packet_s"), json_field<&HeldRow::packet_longest_s>("packet_longest_s"),
    json_field<&HeldRow::ratio>("ratio"),
};

constexpr JsonField<StragglerRow> kStragglerFields[] = {
    json_field<&StragglerRow::from>("from"),
    json_field<&StragglerRow::to>("to"),
    json_field<&StragglerRow::calls>("calls"),
    json_field<&StragglerRow::behind_s>("behind_s"),
};

}  // namespace

std::vector<Report::Section> packet_step_sections(const PacketStepResults& r) {
  std::vector<Report::Section> sections;
  sections.push_back(
      {"Packet by packet",
       {packet_step_sentence(r), held_table(r),
        std::string(
            "Mean time of one call on the network, in both engines. Flows share links at once and without queues: where "
            "packets take longer, queues, pauses and congestion control cost that.")}});
  if (!r.stragglers.empty()) {
    sections.back().blocks.emplace_back(stragglers_table(r));
    sections.back().blocks.emplace_back(
        std::string("Senders that were the last of a collective, and for how long all together after the mean of its senders: "
                    "the others waited for them."));
  }
  for (Report::Section& section : packet_sections(r.packets)) sections.push_back(std::move(section));
  return sections;
}

Document packet_step_document(const PacketStepResults& r) {
  Document out = Document::object();
  out.set("flow_step_time_s", Document(r.flow_step_s));
  out.set("ratio", Document(r.ratio));
  out.set("messages", Document(static_cast<std::int64_t>(r.messages)));
  out.set("connections", Document(static_cast<std::int64_t>(r.connections)));
  out.set("payload_bytes", Document(r.payload_bytes));
  out.set("expected_packet_hops", Document(r.expected_hops));
  out.set("collectives", list_of(r.rows, kHeldFields));
  out.set("stragglers", list_of(r.stragglers, kStragglerFields));
  add_packets(r.packets, out);
  return out;
}

}  // namespace railyard
