#include "report/slice_report.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "report/figure_text.h"
#include "report/json_fields.h"
#include "report/packet_report.h"
#include "report/traffic_report.h"

namespace railyard {

namespace {

Picoseconds of_us(double us) { return Picoseconds(static_cast<std::int64_t>(us * 1e6)); }

TextTable slice_rates_table(const SliceResults& s) {
  TextTable table{
      {"collective", "group", "calls", "edges", "flow", "packets", "slowest", "ratio"},
      {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
      {}};
  for (const SliceRow& row : s.rows)
    table.rows.push_back({row.what, row.group, format_count(row.collectives), format_count(row.edges), gbps_text(row.flow_gbps),
                          gbps_text(row.packet_gbps), gbps_text(row.packet_least_gbps), fmt::format("{:.2f}", row.ratio)});
  return table;
}

/// Of collectives that both engines begin and end in the window.
TextTable finished_table(const SliceResults& s) {
  TextTable table{{"finished", "group", "calls", "flow", "packets", "ratio"},
                  {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const SliceRow& row : s.rows)
    if (row.finished > 0)
      table.rows.push_back({row.what, row.group, format_count(row.finished), format(of_us(row.flow_us)),
                            format(of_us(row.packet_us)), fmt::format("{:.2f}", row.packet_us / row.flow_us)});
  return table;
}

std::string slice_sentence(const SliceResults& s) {
  std::string text = fmt::format("{}: {} from {:.3f} ms of the step on, packet by packet, as {} messages over {} connections.",
                                 fmt::join(s.names, ", "), format(of_us(s.to_us - s.from_us)), s.from_us / 1000,
                                 format_count(s.traffic.flows.messages), format_count(s.traffic.connections));
  if (s.others == 0) return text + " Nothing else is on the network in that time.";
  return text + fmt::format(
                    " {} other collective{} of that time {} background, as in the flow engine: {:.1f} % of a port's rate "
                    "on average where packets go, {:.1f} % at most.",
                    format_count(s.others), s.others == 1 ? "" : "s", s.others == 1 ? "is" : "are", s.background_mean * 100,
                    s.background_most * 100);
}

std::string arrived_sentence(const TrafficResults& t) {
  std::string text = fmt::format("{} of payload arrived", format(t.flows.delivered));
  if (t.flows.undelivered > 0)
    text += fmt::format("; {} messages were in flight when the slice ended", format_count(t.flows.undelivered));
  return text +
         ". Messages are pieces of 64 KiB or less. Completion: from the post, behind others of its connection, to the last ACK "
         "at the sender; over ideal: to "
         "the delivery, against the same message alone on the fabric.";
}

constexpr JsonField<SliceRow> kSliceRowFields[] = {
    json_field<&SliceRow::what>("what"),
    json_field<&SliceRow::group>("group"),
    json_field<&SliceRow::collectives>("collectives"),
    json_field<&SliceRow::edges>("edges"),
    json_field<&SliceRow::flow>("flow_bytes"),
    json_field<&SliceRow::packets>("packet_bytes"),
    json_field<&SliceRow::flow_gbps>("flow_gbps"),
    json_field<&SliceRow::packet_gbps>("packet_gbps"),
    json_field<&SliceRow::packet_least_gbps>("packet_least_gbps"),
    json_field<&SliceRow::ratio>("ratio"),
    json_field<&SliceRow::finished>("finished"),
    json_field<&SliceRow::flow_us>("flow_us"),
    json_field<&SliceRow::packet_us>("packet_us"),
};

}  // namespace

std::vector<Report::Section> slice_sections(const SliceResults& s) {
  std::vector<Report::Section> sections;
  sections.push_back({"The slice", {slice_sentence(s), slice_rates_table(s)}});
  std::vector<Report::Block>& blocks = sections.back().blocks;
  std::string note =
      "Rates of an edge (one sender and one receiver) while it is sent over, on average: a collective is as long as its "
      "slowest. "
      "Ratio: of the edge whose packets are slowest, to flow.";
  if (TextTable finished = finished_table(s); !finished.rows.empty()) {
    blocks.emplace_back(std::move(finished));
    note += " Finished: mean time on the network of what both engines begin and end in the window.";
  }
  blocks.emplace_back(std::move(note));
  blocks.emplace_back(times_table(s.traffic));
  blocks.emplace_back(arrived_sentence(s.traffic));
  for (Report::Section& section : packet_sections(*s.traffic.packets)) sections.push_back(std::move(section));
  return sections;
}

Document slice_document(const SliceResults& s) {
  Document out = Document::object();
  out.set("from_us", Document(s.from_us));
  out.set("to_us", Document(s.to_us));
  Document& names = out.set("selected", Document::array());
  for (const std::string& name : s.names) names.push(Document(name));
  out.set("ratio", Document(s.ratio));
  out.set("collectives", list_of(s.rows, kSliceRowFields));
  Document& background = out.set("background_load", Document::object());
  background.set("collectives", Document(static_cast<std::int64_t>(s.others)));
  background.set("mean_share", Document(s.background_mean));
  background.set("most_share", Document(s.background_most));
  add_traffic(s.traffic, out);
  return out;
}

}  // namespace railyard
