#include "tools/capture/capture_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/printable.h"
#include "base/quantity_text.h"
#include "tools/capture/capture_figures.h"

namespace railyard {

namespace {

constexpr std::size_t kMostRows = 10;

std::string share_text(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "–" : fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole));
}
std::string gigabits(double bps) { return fmt::format("{:.2f}", bps / 1e9); }
std::string in_us(double ns) { return fmt::format("{:.2f}", ns / 1e3); }
std::string count_text(std::uint64_t count) { return format_count(count); }

std::string place_name(const CaptureSummary& summary, std::uint32_t index) {
  const std::string& name = summary.interfaces[index].interface.name;
  return name.empty() ? fmt::format("interface {}", index) : printable(name);
}

Report::Section frames_section(const CaptureSummary& s) {
  Report::Section section{"Frames", {}};
  section.blocks.emplace_back(fmt::format(
      "{} frames in {} µs on {} interface{}: {} of RoCEv2, {} of PFC, {} of 802.3x, {} others{}.", count_text(s.frames),
      in_us(static_cast<double>(s.last_ns - s.first_ns)), s.interfaces.size(), s.interfaces.size() == 1 ? "" : "s",
      count_text(s.roce), count_text(pause_frames(s)), count_text(s.link_pauses), count_text(s.other),
      s.tagged > 0 ? fmt::format("; {} with a VLAN tag", count_text(s.tagged)) : std::string()));
  TextTable table{{"operation", "frames", "share of RoCEv2"}, {Align::left, Align::right, Align::right}, {}};
  for (const auto& [opcode, count] : s.opcodes)
    table.rows.push_back({opcode_text(opcode), count_text(count), share_text(count, s.roce)});
  section.blocks.emplace_back(std::move(table));
  if (s.crc_checked > 0)
    section.blocks.emplace_back(
        fmt::format("Invariant CRC: {} of {} whole frames are wrong.", count_text(s.crc_wrong), count_text(s.crc_checked)));
  return section;
}

Report::Section flows_section(const CaptureSummary& s) {
  const CaptureFigures f = figures_of(s);
  Report::Section section{"Flows", {}};
  section.blocks.emplace_back(fmt::format(
      "{} queue pair{} between {} hosts; messages: {}, with {} of payload. Elephants (over 100 MB): {}, {} of the bytes; mice "
      "(below "
      "100 kB): {}. Entropy by bytes: {:.2f} of {:.2f} bits over five-tuples, {:.2f} of {:.2f} over UDP source ports.",
      count_text(f.flows.size()), f.flows.size() == 1 ? "" : "s", f.hosts, count_text(f.messages),
      format(Bytes(static_cast<std::int64_t>(f.payload))), f.elephants, share_text(f.elephant_bytes, f.flow_bytes), f.mice,
      f.five_tuples.bits, f.five_tuples.most_bits, f.source_ports.bits, f.source_ports.most_bits));
  TextTable table{{"from", "to", "QP", "UDP port", "packets", "MB", "Gb/s", "CE", "missing", "sent again"},
                  {Align::left, Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right,
                   Align::right, Align::right},
                  {}};
  std::vector<const CapturedFlow*> largest = f.flows;
  std::stable_sort(largest.begin(), largest.end(),
                   [](const CapturedFlow* a, const CapturedFlow* b) { return a->bytes > b->bytes; });
  for (const CapturedFlow* flow : std::span(largest).first(std::min(kMostRows, largest.size())))
    table.rows.push_back({address_text(flow->key.source), address_text(flow->key.destination),
                          fmt::format("0x{:06x}", flow->key.destination_qp), fmt::format("{}", flow->key.source_port),
                          count_text(flow->packets), fmt::format("{:.3f}", static_cast<double>(flow->bytes) / 1e6),
                          gigabits(rate_of_flow(*flow)), share_text(flow->marked, flow->packets), count_text(flow->missing),
                          count_text(flow->repeated)});
  if (!largest.empty()) section.blocks.emplace_back(std::move(table));
  if (largest.size() > kMostRows)
    section.blocks.emplace_back(fmt::format("The {} largest of {}; --json has all.", kMostRows, count_text(largest.size())));
  return section;
}

Report::Section congestion_section(const CaptureSummary& s) {
  const CaptureFigures f = figures_of(s);
  const CapturedAnswers& a = s.flows.answers();
  Report::Section section{"Congestion and loss", {}};
  TextTable table{{"what", "count", ""}, {Align::left, Align::right, Align::left}, {}};
  const auto row = [&](std::string what, std::uint64_t count, std::string more = {}) {
    table.rows.push_back({std::move(what), count_text(count), std::move(more)});
  };
  row("CE marks", s.marked, share_text(s.marked, s.data) + " of data packets");
  row("CNPs", a.cnps);
  if (a.flagged_acks > 0) row("ACKs with BECN", a.flagged_acks);
  row("ACKs", a.acks);
  row("NAKs, a packet is missing", a.naks);
  row("NAKs, receiver not ready", a.receiver_not_ready);
  row("missing numbers (PSN)", f.missing, fmt::format("in {} gaps", count_text(f.gaps)));
  row("packets sent again", f.repeated, share_text(f.repeated, f.packets) + " of data packets");
  for (std::size_t priority = 0; priority < 8; priority++) {
    const CapturedPauses pauses = pauses_of(s, priority);
    if (pauses.pauses + pauses.resumes > 0)
      row(fmt::format("PFC pauses of priority {}", priority), pauses.pauses,
          fmt::format("and {} that end one", count_text(pauses.resumes)));
  }
  section.blocks.emplace_back(std::move(table));
  if (const Histogram& waits = a.wait_ns; waits.count() > 0)
    section.blocks.emplace_back(fmt::format(
        "From a packet to its ACK, as captured: {} µs at least, median {}, 99th percentile {}, {} at most ({} ACKs; of {} no "
        "packet was seen).",
        in_us(static_cast<double>(waits.min())), in_us(quantile_of(waits, 0.5)), in_us(quantile_of(waits, 0.99)),
        in_us(static_cast<double>(waits.max())), count_text(waits.count()), count_text(a.unpaired)));
  return section;
}

Report::Section bursts_section(const CaptureSummary& s) {
  Report::Section section{"Bursts", {}};
  const std::vector<std::uint32_t> places = busiest_places(s);
  TextTable table{
      {"interface", "bins", "mean Gb/s", "peak Gb/s", "busy", "bursts", "burst µs", "gap µs"},
      {Align::left, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right, Align::right},
      {}};
  for (const std::uint32_t place : std::span(places).first(std::min<std::size_t>(3, places.size())))
    for (const BurstMeter& meter : s.interfaces[place].bursts) {
      const auto median = [&](const Histogram& bins) {
        return bins.count() == 0 ? std::string("–") : in_us(quantile_of(bins, 0.5) * static_cast<double>(meter.width_ns()));
      };
      table.rows.push_back({place_name(s, place), fmt::format("{} µs", meter.width_ns() / 1000), gigabits(meter.mean_bps()),
                            gigabits(meter.peak_bps()), fmt::format("{:.0f} %", 100 * meter.duty_cycle()),
                            count_text(meter.burst_bins().count()), median(meter.burst_bins()), median(meter.gap_bins())});
    }
  section.blocks.emplace_back(std::move(table));
  section.blocks.emplace_back(fmt::format(
      "A bin is busy above 1 % of its link; bursts are busy bins in a row. Medians of bursts and gaps are shown.{}",
      places.size() > 3 ? fmt::format(" The 3 busiest interfaces of {}; --json has all.", places.size()) : std::string()));
  return section;
}

}  // namespace

std::vector<PageBars> capture_bars(const CaptureReading& reading) {
  const CaptureSummary& s = reading.summary;
  PageBars peaks{"Highest rates of the busiest interface", "Gb/s", {}}, frames{"Frames by operation", "frames", {}};
  if (const std::vector<std::uint32_t> places = busiest_places(s); !places.empty()) {
    const auto& meters = s.interfaces[places.front()].bursts;
    for (const BurstMeter& meter : meters)
      peaks.bars.push_back({fmt::format("within {} µs", meter.width_ns() / 1000), meter.peak_bps() / 1e9,
                            fmt::format("{} Gb/s", gigabits(meter.peak_bps()))});
    if (!meters.empty())
      peaks.bars.push_back(
          {"on average", meters.front().mean_bps() / 1e9, fmt::format("{} Gb/s", gigabits(meters.front().mean_bps()))});
  }
  for (const auto& [opcode, count] : s.opcodes)
    frames.bars.push_back({opcode_text(opcode), static_cast<double>(count), count_text(count)});
  return {peaks, frames};
}

Report capture_report(const CaptureReading& reading) {
  const CaptureSummary& s = reading.summary;
  Report report{fmt::format("Capture {}", printable(reading.name)), {}};
  report.sections.push_back(frames_section(s));
  report.sections.push_back(flows_section(s));
  report.sections.push_back(congestion_section(s));
  report.sections.push_back(bursts_section(s));
  if (s.late > 0)
    report.sections.push_back({"", {fmt::format("{} frames have times before the frame ahead of them.", count_text(s.late))}});
  if (!s.diagnostics.empty()) report.sections.push_back({"Findings", {s.diagnostics}});
  return report;
}

}  // namespace railyard
