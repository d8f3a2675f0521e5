#include "report/packet_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

#include "base/quantity_text.h"
#include "report/figure_text.h"
#include "report/sparkline.h"

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
    add("waits for credits", p.credit_stalls,
        p.credit_stalls > 0 ? fmt::format("{} in all", microseconds_or_dash(p.stalled_us)) : "");
  add("PFC pauses", p.pauses,
      p.pauses > 0 ? fmt::format("{} resumes, {} stopped in all", format_count(p.resumes), microseconds_or_dash(p.paused_us))
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
const char* stops_word(const PacketResults& p) { return p.by_credits ? "waits" : p.credit_stalls > 0 ? "stops" : "pauses"; }
const char* stopped_word(const PacketResults& p) {
  return p.by_credits ? "waited" : p.credit_stalls > 0 ? "stopped" : "paused";
}

TextTable tiers_table(const PacketResults& p) {
  TextTable table{{"tier", "use", "deepest", "marked", "dropped", stops_word(p), stopped_word(p)},
                  {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
                  {}};
  for (const PacketTier& tier : p.tiers)
    table.rows.push_back({tier.name, fmt::format("{:.0f} %", tier.peak_utilisation * 100), size_text(tier.deepest),
                          count_text(tier.marked), count_text(tier.dropped), count_text(tier.pauses),
                          microseconds_or_dash(tier.paused_us)});
  return table;
}

/// By class, where there are any beside data and control.
bool has_several_classes(const PacketResults& p) {
  std::size_t classes = 0;
  for (const QueueRow& row : p.queues) classes += row.carries.size();
  return classes > 2;
}

TextTable queues_table(const PacketResults& p) {
  TextTable table{
      {"queue of", "priority", "", "marked", "dropped", p.by_credits ? "waits" : "pauses", p.by_credits ? "waited" : "paused"},
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
                                 p.by_credits          ? "waited, for credits"
                                 : p.credit_stalls > 0 ? "stopped, by pauses or for want of credits"
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
  TextTable table{{stopped_word(p), stops_word(p), "use", "port"}, {Align::right, Align::right, Align::right}, {}};
  for (const PortRow& row : p.paused_ports)
    table.rows.push_back({microseconds_or_dash(row.paused_us), count_text(row.pauses), percent(row.utilisation), row.name});
  return table;
}

/// Queues over time, each against its own peak; and what congestion control lets queue pairs send.
Report::Section series_section(const QueueSeries& series) {
  constexpr std::size_t kSparksOfQueue = 32;
  TextTable table{{"port", "most", "over time"}, {Align::left, Align::right, Align::left}, {}};
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
      "The first pause, at {}, was sent for {} and stopped {}. {} port{} stopped in all, {} of hosts, up to {} below one "
      "another and {} at one depth; {} where pauses began.",
      microseconds_or_dash(p.first_us), p.first_port, p.first_stopped, format_count(tree.ports),
      tree.ports == 1 ? " was" : "s were", format_count(tree.hosts), tree.depth, format_count(tree.width),
      tree.roots.size() == 1 ? "there is one place" : fmt::format("there are {} places", format_count(tree.roots.size())));
  if (tree.circles > 0)
    text += fmt::format(" {} pauses came back to a port they had followed from.", format_count(tree.circles));
  if (!tree.is_whole) text += " The log was full before the end: the tree is that of the first pauses.";
  TextTable table{{"queue, and ports it stopped", "pauses", "first"}, {Align::left, Align::right, Align::right}, {}};
  for (const PauseLine& line : shown.lines) {
    const std::string more = line.left_out > 0 ? fmt::format(" (+{})", format_count(line.left_out)) : "";
    table.rows.push_back({std::string(std::size_t{2} * line.depth, ' ') + line.name + more, format_count(line.pauses),
                          microseconds_or_dash(line.first_us)});
  }
  std::string note = "Of a queue: all pauses that follow from it; of a port: those that stopped it.";
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
      row.is_cycle ? "ports wait for each other in a circle (deadlock)" : "ports wait behind one that never resumes",
      fmt::join(ports, ", "), more);
}

// JSON.

Document port_document(const PortRow& row) {
  Document out = Document::object();
  out.set("port", Document(row.name));
  out.set("carried_bytes", Document(row.carried.count()));
  out.set("utilisation", Document(row.utilisation));
  out.set("deepest_bytes", Document(row.deepest.count()));
  out.set("mean_backlog_bytes", Document(row.mean_backlog));
  out.set("pauses", number(row.pauses));
  out.set("paused_us", Document(row.paused_us));
  out.set("marked", number(row.marked));
  out.set("dropped", number(row.dropped));
  return out;
}

Document queue_document(const QueueRow& row) {
  Document out = Document::object();
  out.set("priority", Document(std::int64_t{row.priority}));
  out.set("lossless", Document(row.is_lossless));
  Document& carries = out.set("carries", Document::array());
  for (const std::string& name : row.carries) carries.push(Document(name));
  out.set("marked", number(row.marked));
  out.set("dropped", number(row.dropped));
  out.set("pauses", number(row.pauses));
  out.set("paused_us", Document(row.paused_us));
  return out;
}

Document packet_tier_document(const PacketTier& tier) {
  Document out = Document::object();
  out.set("tier", Document(tier.name));
  out.set("ports", Document(std::int64_t{tier.ports}));
  out.set("packets", number(tier.packets));
  out.set("carried_bytes", Document(tier.carried.count()));
  out.set("mean_utilisation", Document(tier.mean_utilisation));
  out.set("peak_utilisation", Document(tier.peak_utilisation));
  out.set("deepest_bytes", Document(tier.deepest.count()));
  out.set("marked", number(tier.marked));
  out.set("dropped", number(tier.dropped));
  out.set("pauses", number(tier.pauses));
  out.set("paused_us", Document(tier.paused_us));
  out.set("buffered_most_bytes", Document(tier.buffered_most.count()));
  out.set("headroom_most_bytes", Document(tier.headroom_most.count()));
  return out;
}

Document depth_document(const DepthSpread& depth) {
  Document out = Document::object();
  out.set("packets", number(depth.packets));
  out.set("p50", Document(depth.p50));
  out.set("p90", Document(depth.p90));
  out.set("p99", Document(depth.p99));
  out.set("p999", Document(depth.p999));
  out.set("max", Document(depth.max));
  Document& buckets = out.set("buckets", Document::array());
  for (const Histogram::Bucket& bucket : depth.buckets) {
    Document& item = buckets.push(Document::object());
    item.set("from", Document(bucket.from));
    item.set("to", Document(bucket.to));
    item.set("packets", number(bucket.count));
  }
  return out;
}

Document tree_document(const PacketResults& p) {
  Document out = Document::object();
  out.set("roots", number(p.tree.roots.size()));
  out.set("depth", Document(std::int64_t{p.tree.depth}));
  out.set("width", Document(std::int64_t{p.tree.width}));
  out.set("ports", number(p.tree.ports));
  out.set("hosts", number(p.tree.hosts));
  out.set("circles", number(p.tree.circles));
  out.set("whole", Document(p.tree.is_whole));
  out.set("roots_left_out", number(p.pauses_in_full.roots_left_out));
  Document& nodes = out.set("nodes", Document::array());
  for (const PauseLine& line : p.pauses_in_full.lines) {
    Document& item = nodes.push(Document::object());
    item.set("port", Document(line.name));
    item.set("depth", Document(std::int64_t{line.depth}));
    item.set("pauses", number(line.pauses));
    item.set("first_us", Document(line.first_us));
    item.set("left_out", number(line.left_out));
  }
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

void add_events(const PacketResults& p, Document& out) {
  Document& pfc = out.set("pfc", Document::object());
  pfc.set("pauses", number(p.pauses));
  pfc.set("resumes", number(p.resumes));
  pfc.set("paused_us", Document(p.paused_us));
  pfc.set("first_port", Document(p.first_port));
  pfc.set("first_stopped", Document(p.first_stopped));
  pfc.set("first_us", Document(p.first_us));
  pfc.set("storms", number(p.storms));
  Document& credits = out.set("credits", Document::object());
  credits.set("stalls", number(p.credit_stalls));
  credits.set("stalled_us", Document(p.stalled_us));
  out.set("trimmed", number(p.trimmed));
  out.set("ecn", Document::object()).set("marked", number(p.marked));
  Document& cnp = out.set("cnp", Document::object());
  cnp.set("sent", number(p.cnp_sent));
  cnp.set("handled", number(p.cnp_handled));
  out.set("drops", number(p.drops));
  Document& reasons = out.set("drops_by_reason", Document::object());
  for (std::size_t i = 0; i < kDropReasons; i++) reasons.set(name_of(static_cast<DropReason>(i)), number(p.drops_by_reason[i]));
  out.set("retransmissions", number(p.retransmissions));
  out.set("broken_queue_pairs", number(p.broken));
  out.set("naks", number(p.naks));
  out.set("timeouts", number(p.timeouts));
  out.set("acks", number(p.acks));
  out.set("packet_hops", number(p.hops));
  out.set("data_packet_hops", number(p.data_hops));
}

}  // namespace

std::vector<Report::Section> packet_sections(const PacketResults& p) {
  std::vector<Report::Section> sections;
  sections.push_back({"Packets", {events_table(p)}});
  for (const StandstillRow& row : p.standstills) sections.back().blocks.push_back(standstill_sentence(row));
  sections.push_back({"Queues", {tiers_table(p), depth_sentence(p), buffers_table(p)}});
  if (has_several_classes(p)) sections.back().blocks.push_back(queues_table(p));
  if (!p.deepest_ports.empty()) sections.back().blocks.push_back(deepest_table(p));
  if (!p.paused_ports.empty()) sections.back().blocks.push_back(paused_table(p));
  if (p.over_time.at_us.size() > 1 && !p.over_time.lines.empty()) sections.push_back(series_section(p.over_time));
  if (!p.tree.nodes.empty()) sections.push_back(pause_section(p));
  return sections;
}

void add_packets(const PacketResults& p, Document& out) {
  add_events(p, out);
  Document& tiers = out.set("tiers", Document::array());
  for (const PacketTier& tier : p.tiers) tiers.push(packet_tier_document(tier));
  Document& buffers = out.set("buffers", Document::array());
  for (const BufferRow& row : p.buffers) {
    Document& item = buffers.push(Document::object());
    item.set("kind", Document(row.kind));
    item.set("switches", Document(std::int64_t{row.switches}));
    item.set("most_bytes", Document(row.most.count()));
    item.set("mean_bytes", Document(row.mean.count()));
  }
  if (!p.queues.empty()) {
    Document& queues = out.set("queues", Document::object());
    for (const QueueRow& row : p.queues) queues.set(row.name, queue_document(row));
  }
  out.set("queue_depth_bytes", depth_document(p.depth));
  Document& worst = out.set("worst_ports", Document::object());
  Document& deepest = worst.set("deepest", Document::array());
  for (const PortRow& row : p.deepest_ports) deepest.push(port_document(row));
  Document& paused = worst.set("paused", Document::array());
  for (const PortRow& row : p.paused_ports) paused.push(port_document(row));
  out.set("pause_tree", tree_document(p));
  out.set("over_time", series_document(p.over_time));
  Document& standstills = out.set("standstills", Document::array());
  for (const StandstillRow& row : p.standstills) {
    Document& item = standstills.push(Document::object());
    item.set("at_us", Document(row.at_us));
    item.set("circle", Document(row.is_cycle));
    Document& ports = item.set("ports", Document::array());
    for (const std::string& port : row.ports) ports.push(Document(port));
  }
}

}  // namespace railyard
