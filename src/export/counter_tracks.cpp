#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "analysis/packets/queue_series.h"
#include "export/timeline_parts.h"

namespace railyard {

namespace {

Picoseconds at_seconds(double time) { return Picoseconds(std::llround(time * 1e12)); }

/// One counter of one line; a value that stays is not said again.
template<class Values>
void draw_line(std::uint32_t process, const std::string& name, std::string_view unit, const std::vector<Picoseconds>& at,
               const Values& values, TraceEvents& events) {
  const TraceEvents::Counter counter = TraceEvents::make_counter(process, name, unit);
  double last = std::numeric_limits<double>::quiet_NaN();
  for (std::size_t i = 0; i < at.size() && i < values.size(); i++) {
    const auto value = static_cast<double>(values[i]);
    if (value == last) continue;
    events.show(counter, at[i], value);
    last = value;
  }
}

std::vector<double> in_percent(const std::vector<double>& shares) {
  std::vector<double> out;
  for (const double share : shares) out.push_back(share * 100);
  return out;
}

bool is_any(const std::vector<double>& values) {
  for (const double value : values)
    if (value > 0) return true;
  return false;
}

}  // namespace

void add_tier_counters(const NetworkResults& network, TraceEvents& events) {
  if (network.series.empty()) return;
  const std::uint32_t process = events.add_process("links, per cent of their rate");
  for (const TierSeries& series : network.series) {
    std::vector<Picoseconds> at;
    for (std::size_t i = 0; i < series.mean.size(); i++) at.push_back(at_seconds(network.bin_s * static_cast<double>(i)));
    draw_line(process, series.tier + ", all", "%", at, in_percent(series.mean), events);
    if (!series.peak.empty())
      draw_line(process, fmt::format("{}, busiest: {}", series.tier, series.busiest), "%", at, in_percent(series.peak), events);
  }
}

void add_queue_counters(std::string_view title, const Fabric& fabric, const PacketRecord& packets, Picoseconds begin,
                        Picoseconds time, TraceEvents& events) {
  const QueueSeries series = queue_series(fabric, packets, time, std::numeric_limits<std::size_t>::max());
  if (series.at_us.empty()) return;
  std::vector<Picoseconds> at = {begin};  // a sample is told by its end, a counter holds from its beginning
  for (std::size_t i = 0; i + 1 < series.at_us.size(); i++) at.push_back(begin + at_seconds(series.at_us[i] / 1e6));
  const std::uint32_t process = events.add_process(title);
  for (const QueueLine& line : series.lines) {
    draw_line(process, line.name + ", backlog", "bytes", at, line.backlog, events);
    draw_line(process, line.name + ", rate", "Gb/s", at, line.gbps, events);
    if (is_any(line.paused)) draw_line(process, line.name + ", paused", "%", at, in_percent(line.paused), events);
  }
  draw_line(process, "queue pairs that send", "queue pairs", at, series.active, events);
  draw_line(process, "allowed rate of a queue pair, mean", "Gb/s", at, series.allowed_gbps, events);
  draw_line(process, "allowed rate of a queue pair, least", "Gb/s", at, series.allowed_least, events);
}

}  // namespace railyard
