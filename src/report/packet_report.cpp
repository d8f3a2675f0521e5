#include "report/packet_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "base/quantity_text.h"
#include "report/counters_report.h"
#include "report/failure_report.h"
#include "report/figure_text.h"
#include "report/json_fields.h"
#include "report/sparkline.h"
#include "report/virtual_queues_report.h"

namespace railyard {

namespace {

std::string count_text(std::uint64_t count) { return count > 0 ? format_count(count) : "–"; }
std::string size_text(Bytes size) { return size > Bytes::zero() ? format(size) : "–"; }
Document number(std::uint64_t value) { return Document(static_cast<std::int64_t>(value)); }

std::string drops_text(const PacketResults& p) {
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < kDropReasons; i++)
    if (p.drops_by_reason[i] > 0)
      reasons.push_back(fmt::format("{} {}", format_count(p.drops_by_reason[i]), name_of(static_cast<DropReason>(i))));
  return fmt::format("{}", fmt::join(reasons, ", "));
}

TextTable events_table(const PacketResults& p) {
  TextTable table{{"what", "how many", ""}, {Align::left, Align::right, Align::left}, {}};
  const auto add = [&](const char* what, std::uint64_t count, std::string more = {}) {
    table.rows.push_back({what, format_count(count), std::move(more)});
  };
  add("packet hops", p.hops, fmt::format("{} of them with payload", format_count(p.data_hops)));
  if (p.by_credits || p.credit_stalls > 0)
    add("credit stalls", p.credit_stalls,
        p.credit_stalls > 0 ? fmt::format("{} stalled in total", microseconds_or_dash(p.stalled_us)) : "");
  add("PFC pauses", p.pauses,
      p.pauses > 0 ? fmt::format("{} resumes, {} paused in total", format_count(p.resumes), microseconds_or_dash(p.paused_us))
                   : "");
  if (p.storms > 0) add("pause storms", p.storms, "found by the watchdog");
  add("packets marked", p.marked);
  add("CNPs sent", p.cnp_sent, p.cnp_sent > 0 ? fmt::format("{} handled", format_count(p.cnp_handled)) : "");
  add("packets dropped", p.drops, drops_text(p));
  if (p.trimmed > 0) add("packets trimmed", p.trimmed, "to their headers");
  const std::string why =
      p.naks + p.timeouts > 0 ? fmt::format("{} NAKs, {} timeouts", format_count(p.naks), format_count(p.timeouts)) : "";
  add("retransmissions", p.retransmissions, why);
  return table;
}

/// What stops ports: credits that are used up, pauses, or the one here and the other there.
const char* pause_count_title(const PacketResults& p) {
  return p.by_credits ? "credit stalls" : p.credit_stalls > 0 ? "stalls" : "pauses";
}
const char* pause_time_title(const PacketResults& p) { return p.by_credits || p.credit_stalls > 0 ? "stalled" : "paused"; }

TextTable tiers_table(const PacketResults& p) {
  TextTable table{{"tier", "use", "deepest", "marked", "dropped", pause_count_title(p), pause_time_title(p)},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const PacketTier& tier : p.tiers)
    table.rows.push_back({tier.name, fmt::format("{:.0f} %", tier.peak_utilisation * 100), size_text(tier.deepest),
                          count_text(tier.marked), count_text(tier.dropped), count_text(tier.pauses),
                          microseconds_or_dash(tier.paused_us)});
  return table;
}

bool has_several_classes(const PacketResults& p) {  // beside data and control
  std::size_t classes = 0;
  for (const QueueRow& row : p.queues) classes += row.carries.size();
  return classes > 2;
}

TextTable queues_table(const PacketResults& p) {
  TextTable table{{"queue of", "priority", "", "marked", "dropped", p.by_credits ? "credit stalls" : "pauses",
                   p.by_credits ? "stalled" : "paused"},
                  {Align::left, Align::right, Align::left, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const QueueRow& row : p.queues)
    table.rows.push_back({fmt::format("{}", fmt::join(row.carries, ", ")), std::to_string(row.priority),
                          p.by_credits      ? ""
                          : row.is_lossless ? "lossless"
                                            : "lossy",
                          count_text(row.marked), count_text(row.dropped), count_text(row.pauses),
                          microseconds_or_dash(row.paused_us)});
  return table;
}

TextTable buffers_table(const PacketResults& p) {
  TextTable table{
      {"switches", "number", "fullest", "mean of peaks"}, {Align::left, Align::right, Align::right, Align::right}, {}};
  for (const BufferRow& row : p.buffers)
    table.rows.push_back({row.kind, format_count(row.switches), size_text(row.most), size_text(row.mean)});
  return table;
}

std::string depth_sentence(const PacketResults& p) {
  std::string text = fmt::format("Use: of the busiest port; deepest: of any queue; {}: of all ports of the tier together.",
                                 p.by_credits          ? "stalled, for lack of credits"
                                 : p.credit_stalls > 0 ? "stalled, by PFC pauses or for lack of credits"
                                                       : "paused");
  if (p.depth.packets > 0)
    text += fmt::format(
        " A data packet at a switch found about {} before it at the median, {} at p99 (to a factor of two), {} at most.",
        format(Bytes(p.depth.p50)), format(Bytes(p.depth.p99)), format(Bytes(p.depth.max)));
  Bytes headroom;
  for (const PacketTier& tier : p.tiers) headroom = std::max(headroom, tier.headroom_most);
  if (headroom > Bytes::zero()) text += fmt::format(" At most {} of headroom were in use at one port.", format(headroom));
  return text;
}

TextTable deepest_table(const PacketResults& p) {
  TextTable table{{"deepest", "mean", "use", "marked", "dropped", "port"},
                  {Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const PortRow& row : p.deepest_ports)
    table.rows.push_back({size_text(row.deepest), size_text(Bytes(static_cast<std::int64_t>(row.mean_backlog))),
                          percent(row.utilisation), count_text(row.marked), count_text(row.dropped), row.name});
  return table;
}

TextTable paused_table(const PacketResults& p) {
  TextTable table{{pause_time_title(p), pause_count_title(p), "use", "port"}, {Align::right, Align::right, Align::right}, {}};
  for (const PortRow& row : p.paused_ports)
    table.rows.push_back({microseconds_or_dash(row.paused_us), count_text(row.pauses), percent(row.utilisation), row.name});
  return table;
}

/// Queues over time, each against its own peak; and what congestion control lets queue pairs send.
Report::Section series_section(const QueueSeries& series) {
  constexpr std::size_t kSparksOfQueue = 32;
  TextTable table{{"port", "peak", "over time"}, {Align::left, Align::right, Align::left}, {}};
  const auto add = [&](const std::string& name, std::vector<double> values, const std::string& most) {
    const double peak = *std::max_element(values.begin(), values.end());
    for (double& value : values) value = peak > 0 ? value / peak : 0;
    table.rows.push_back({name, most, sparkline(values, kSparksOfQueue)});
  };
  for (const QueueLine& line : series.lines) {
    const double deepest = *std::max_element(line.backlog.begin(), line.backlog.end());
    if (deepest > 0) add(line.name, line.backlog, size_text(Bytes(static_cast<std::int64_t>(deepest))));
    const double paused = *std::max_element(line.paused.begin(), line.paused.end());
    if (paused > 0) add("  its time paused", line.paused, percent(paused));
  }
  const double allowed = *std::max_element(series.allowed_gbps.begin(), series.allowed_gbps.end());
  if (allowed > 0)
    add("rate of a queue pair, mean", series.allowed_gbps, format(BitsPerSecond(static_cast<std::int64_t>(allowed * 1e9))));
  return {"Over time",
          {table, fmt::format("Each line against its own peak, from 0 to {}, a sample every {}.",
                              microseconds_or_dash(series.at_us.back()), microseconds_or_dash(series.interval_us))}};
}

Report::Section pause_section(const PacketResults& p) {
  const PauseTree& tree = p.tree;
  const PauseLines& shown = p.pauses_in_short;
  std::string text = fmt::format(
      "The first pause, at {}, was caused by {} and paused {}. In total {} port{} paused, {} of them host ports; the "
      "pause tree is at most {} deep and {} wide and has {} root{}.",
      microseconds_or_dash(p.first_us), p.first_port, p.first_paused, format_count(tree.ports),
      tree.ports == 1 ? " was" : "s were", format_count(tree.hosts), tree.depth, format_count(tree.width),
      format_count(tree.roots.size()), tree.roots.size() == 1 ? "" : "s");
  if (tree.cycles > 0)
    text +=
        fmt::format(" {} pauses closed a cycle: they came back to a port they had followed from.", format_count(tree.cycles));
  if (!tree.is_whole) text += " The log was full before the end: the tree is that of the first pauses.";
  TextTable table{{"queue, and the ports it paused", "pauses", "first"}, {Align::left, Align::right, Align::right}, {}};
  for (const PauseLine& line : shown.lines) {
    const std::string more = line.left_out > 0 ? fmt::format(" (+{})", format_count(line.left_out)) : "";
    table.rows.push_back({std::string(std::size_t{2} * line.depth, ' ') + line.name + more, format_count(line.pauses),
                          microseconds_or_dash(line.first_us)});
  }
  std::string note = "For a queue: all pauses that follow from it; for a port: the pauses it received.";
  if (shown.roots_left_out > 0) note += fmt::format(" {} other queues are left out.", format_count(shown.roots_left_out));
  return {"Who paused whom", {text, table, note + " (+n): ports below it that are not shown."}};
}

std::string standstill_sentence(const StandstillRow& row) {
  constexpr std::size_t kMost = 8;
  std::vector<std::string> ports(row.ports.begin(),
                                 row.ports.begin() + static_cast<std::ptrdiff_t>(std::min(kMost, row.ports.size())));
  const std::string more = row.ports.size() > kMost ? fmt::format(", and {} more", row.ports.size() - kMost) : "";
  return fmt::format(
      "At {} {}: {}{}.", microseconds_or_dash(row.at_us),
      row.is_cycle ? "ports wait for each other in a cycle (deadlock)" : "ports wait behind one that never resumes",
      fmt::join(ports, ", "), more);
}

// JSON.

constexpr JsonField<BufferRow> kBufferFields[] = {
    json_field<&BufferRow::kind>("kind"),
    json_field<&BufferRow::switches>("switches"),
    json_field<&BufferRow::most>("most_bytes"),
    json_field<&BufferRow::mean>("mean_bytes"),
};

constexpr JsonField<PauseLine> kPauseFields[] = {
    json_field<&PauseLine::name>("port"),         json_field<&PauseLine::depth>("depth"),
    json_field<&PauseLine::pauses>("pauses"),     json_field<&PauseLine::first_us>("first_us"),
    json_field<&PauseLine::left_out>("left_out"),
};

constexpr JsonField<Histogram::Bucket> kDepthBucketFields[] = {
    json_field<&Histogram::Bucket::from>("from"),
    json_field<&Histogram::Bucket::to>("to"),
    json_field<&Histogram::Bucket::count>("packets"),
};

constexpr JsonField<PortRow> kPortFields[] = {
    json_field<&PortRow::name>("port"),
    json_field<&PortRow::carried>("carried_bytes"),
    json_field<&PortRow::utilisation>("utilisation"),
    json_field<&PortRow::deepest>("deepest_bytes"),
    json_field<&PortRow::mean_backlog>("mean_backlog_bytes"),
    json_field<&PortRow::pauses>("pauses"),
    json_field<&PortRow::paused_us>("paused_us"),
    json_field<&PortRow::marked>("marked"),
    json_field<&PortRow::dropped>("dropped"),
};

Document names_document(const std::vector<std::string>& names) {
  Document out = Document::array();
  for (const std::string& name : names) out.push(Document(name));
  return out;
}

constexpr JsonField<QueueRow> kQueueFields[] = {
    json_field<&QueueRow::priority>("priority"),
    json_field<&QueueRow::is_lossless>("lossless"),
    json_field<&QueueRow::carries, names_document>("carries"),
    json_field<&QueueRow::marked>("marked"),
    json_field<&QueueRow::dropped>("dropped"),
    json_field<&QueueRow::pauses>("pauses"),
    json_field<&QueueRow::paused_us>("paused_us"),
};

constexpr JsonField<StandstillRow> kStandstillFields[] = {
    json_field<&StandstillRow::at_us>("at_us"),
    json_field<&StandstillRow::is_cycle>("cycle"),
    json_field<&StandstillRow::is_cycle>("circle"),  // the old name, for one version
    json_field<&StandstillRow::ports, names_document>("ports"),
};

constexpr JsonField<PacketTier> kPacketTierFields[] = {
    json_field<&PacketTier::name>("tier"),
    json_field<&PacketTier::ports>("ports"),
    json_field<&PacketTier::packets>("packets"),
    json_field<&PacketTier::carried>("carried_bytes"),
    json_field<&PacketTier::mean_utilisation>("mean_utilisation"),
    json_field<&PacketTier::peak_utilisation>("peak_utilisation"),
    json_field<&PacketTier::deepest>("deepest_bytes"),
    json_field<&PacketTier::marked>("marked"),
    json_field<&PacketTier::dropped>("dropped"),
    json_field<&PacketTier::pauses>("pauses"),
    json_field<&PacketTier::paused_us>("paused_us"),
    json_field<&PacketTier::buffered_most>("buffered_most_bytes"),
    json_field<&PacketTier::headroom_most>("headroom_most_bytes"),
};

Document depth_document(const DepthSpread& depth) {
  Document out = Document::object();
  out.set("packets", number(depth.packets));
  out.set("p50", Document(depth.p50));
  out.set("p90", Document(depth.p90));
  out.set("p99", Document(depth.p99));
  out.set("p999", Document(depth.p999));
  out.set("max", Document(depth.max));
  out.set("buckets", list_of(depth.buckets, kDepthBucketFields));
  return out;
}

Document tree_document(const PacketResults& p) {
  Document out = Document::object();
  out.set("roots", number(p.tree.roots.size()));
  out.set("depth", Document(std::int64_t{p.tree.depth}));
  out.set("width", Document(std::int64_t{p.tree.width}));
  out.set("ports", number(p.tree.ports));
  out.set("hosts", number(p.tree.hosts));
  out.set("cycles", number(p.tree.cycles));
  out.set("circles", number(p.tree.cycles));  // the old name, for one version
  out.set("whole", Document(p.tree.is_whole));
  out.set("roots_left_out", number(p.pauses_in_full.roots_left_out));
  out.set("nodes", list_of(p.pauses_in_full.lines, kPauseFields));
  return out;
}

template<class Value>
Document array_of(const std::vector<Value>& values) {
  Document out = Document::array();
  for (const Value value : values) {
    if constexpr (std::is_floating_point_v<Value>)
      out.push(Document(value));
    else
      out.push(Document(static_cast<std::int64_t>(value)));
  }
  return out;
}

Document series_document(const QueueSeries& series) {
  Document out = Document::object();
  out.set("interval_us", Document(series.interval_us));
  out.set("at_us", array_of(series.at_us));
  Document& ports = out.set("ports", Document::array());
  for (const QueueLine& line : series.lines) {
    Document& item = ports.push(Document::object());
    item.set("port", Document(line.name));
    item.set("capacity_gbps", Document(line.capacity_gbps));
    item.set("gbps", array_of(line.gbps));
    item.set("backlog_bytes", array_of(line.backlog));
    item.set("paused", array_of(line.paused));
    item.set("marked", array_of(line.marked));
  }
  Document& rates = out.set("queue_pairs", Document::object());
  rates.set("active", array_of(series.active));
  rates.set("allowed_gbps", array_of(series.allowed_gbps));
  rates.set("allowed_least_gbps", array_of(series.allowed_least));
  return out;
}

constexpr JsonField<PacketResults> kPfcFields[] = {
    json_field<&PacketResults::pauses>("pauses"),
    json_field<&PacketResults::resumes>("resumes"),
    json_field<&PacketResults::paused_us>("paused_us"),
    json_field<&PacketResults::first_port>("first_port"),
    json_field<&PacketResults::first_paused>("first_paused"),
    json_field<&PacketResults::first_paused>("first_stopped"),  // the old name, for one version
    json_field<&PacketResults::first_us>("first_us"),
    json_field<&PacketResults::storms>("storms"),
};
constexpr JsonField<PacketResults> kCreditFields[] = {
    json_field<&PacketResults::credit_stalls>("stalls"),
    json_field<&PacketResults::stalled_us>("stalled_us"),
};
constexpr JsonField<PacketResults> kCnpFields[] = {
    json_field<&PacketResults::cnp_sent>("sent"),
    json_field<&PacketResults::cnp_handled>("handled"),
};
constexpr JsonField<PacketResults> kLossFields[] = {
    json_field<&PacketResults::retransmissions>("retransmissions"),
    json_field<&PacketResults::broken>("broken_queue_pairs"),
    json_field<&PacketResults::naks>("naks"),
    json_field<&PacketResults::timeouts>("timeouts"),
    json_field<&PacketResults::acks>("acks"),
    json_field<&PacketResults::hops>("packet_hops"),
    json_field<&PacketResults::data_hops>("data_packet_hops"),
};

void add_events(const PacketResults& p, Document& out) {
  out.set("pfc", object_of(p, kPfcFields));
  out.set("credits", object_of(p, kCreditFields));
  out.set("trimmed", number(p.trimmed));
  out.set("ecn", Document::object()).set("marked", number(p.marked));
  out.set("cnp", object_of(p, kCnpFields));
  out.set("drops", number(p.drops));
  Document& reasons = out.set("drops_by_reason", Document::object());
  for (std::size_t i = 0; i < kDropReasons; i++) reasons.set(name_of(static_cast<DropReason>(i)), number(p.drops_by_reason[i]));
  add_fields(p, kLossFields, out);
}

}  // namespace

std::vector<Report::Section> packet_sections(const PacketResults& p) {
  std::vector<Report::Section> sections;
  sections.push_back({"Packets", {events_table(p)}});
  for (const StandstillRow& row : p.standstills) sections.back().blocks.push_back(standstill_sentence(row));
  if (p.failures) sections.push_back(failure_section(*p.failures));
  sections.push_back({"Queues", {tiers_table(p), depth_sentence(p), buffers_table(p)}});
  if (has_several_classes(p)) sections.back().blocks.push_back(queues_table(p));
  if (!p.deepest_ports.empty()) sections.back().blocks.push_back(deepest_table(p));
  add_virtual_queues(p, sections.back());
  if (!p.paused_ports.empty()) sections.back().blocks.push_back(paused_table(p));
  if (p.over_time.at_us.size() > 1 && !p.over_time.lines.empty()) sections.push_back(series_section(p.over_time));
  if (!p.tree.nodes.empty()) sections.push_back(pause_section(p));
  return sections;
}

void add_packets(const PacketResults& p, Document& out) {
  add_events(p, out);
  out.set("tiers", list_of(p.tiers, kPacketTierFields));
  out.set("buffers", list_of(p.buffers, kBufferFields));
  if (!p.queues.empty()) {
    Document& queues = out.set("queues", Document::object());
    for (const QueueRow& row : p.queues) queues.set(row.name, object_of(row, kQueueFields));
  }
  out.set("queue_depth_bytes", depth_document(p.depth));
  add_counters(p.counters, out);
  Document& worst = out.set("worst_ports", Document::object());
  worst.set("deepest", list_of(p.deepest_ports, kPortFields));
  worst.set("paused", list_of(p.paused_ports, kPortFields));
  add_virtual_queues(p, out);
  out.set("pause_tree", tree_document(p));
  out.set("over_time", series_document(p.over_time));
  out.set("standstills", list_of(p.standstills, kStandstillFields));
  if (p.failures) out.set("failed_links", failure_document(*p.failures));
}

}  // namespace railyard
