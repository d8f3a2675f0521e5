#include "analysis/packets/queue_series.h"

#include <algorithm>

#include "analysis/tier_loads.h"
#include "sim/sent_bytes.h"

namespace railyard {

namespace {

/// The ports with most of something, ties by id; none that have none of it.
template<class Amount>
void add_worst(const PacketRecord& packets, std::size_t most, const Amount& amount, std::vector<PortId>& out) {
  std::vector<PortId> ports;
  for (const PortId port : ids(packets.ports))
    if (amount(packets.ports[port]) > 0) ports.push_back(port);
  std::stable_sort(ports.begin(), ports.end(),
                   [&](PortId a, PortId b) { return amount(packets.ports[a]) > amount(packets.ports[b]); });
  for (std::size_t i = 0; i < std::min(most, ports.size()); i++)
    if (std::find(out.begin(), out.end(), ports[i]) == out.end()) out.push_back(ports[i]);
}

constexpr std::int64_t kMostRepeats = 256;

/// One sample of every line; `span` is the time it stands for, and what is counted goes into the first of its points.
void add_sample(const PortSeries& series, std::size_t index, double span, bool first, const std::vector<PortId>& ports,
                const std::vector<std::vector<double>>& sent, QueueSeries& out) {
  const RateSample& rates = series.rates[index];
  out.active.push_back(rates.active);
  out.allowed_gbps.push_back(rates.mean_bps / 1e9);
  out.allowed_least.push_back(rates.least_bps / 1e9);
  for (std::size_t i = 0; i < ports.size(); i++) {
    const PortSample& sample = series.sample(index, ports[i]);
    QueueLine& line = out.lines[i];
    line.gbps.push_back(span > 0 ? sent[i][index] * 8 / span / 1e9 : 0);
    line.backlog.push_back(sample.backlog);
    line.paused.push_back(span > 0 ? std::min(1.0, seconds(sample.paused) / span) : 0);
    line.marked.push_back(first ? sample.marked : 0);
  }
}

}  // namespace

QueueSeries queue_series(const Fabric& fabric, const PacketRecord& packets, Picoseconds time, std::size_t most) {
  const PortSeries& series = packets.series;
  QueueSeries out;
  out.interval_us = microseconds(series.interval);
  std::vector<PortId> ports;
  add_worst(
      packets, most, [](const PortRecord& port) { return port.deepest.count(); }, ports);
  add_worst(
      packets, most, [](const PortRecord& port) { return port.paused.count(); }, ports);
  std::vector<std::vector<double>> sent;  // by port and sample
  for (const PortId port : ports) {
    const BitsPerSecond rate = fabric.trunk_port_rate[fabric.port_trunk[port]];
    sent.push_back(sent_by_sample(series, port, rate));
    out.lines.push_back({.name = port_name(fabric, port),
                         .capacity_gbps = static_cast<double>(rate.count()) / 1e9,
                         .gbps = {},
                         .backlog = {},
                         .paused = {},
                         .marked = {}});
  }
  Picoseconds before;
  for (std::size_t k = 0; k < series.at.size() && before < time; k++) {
    const Picoseconds end = std::min(series.at[k], time);
    // Where nothing happened no sample was taken: the next one stands for all that time.
    const auto times =
        std::clamp<std::int64_t>((end - before).count() / std::max<std::int64_t>(1, series.interval.count()), 1, kMostRepeats);
    for (std::int64_t i = 1; i <= times; i++) {
      out.at_us.push_back(microseconds(before + (end - before) * i / times));
      add_sample(series, k, seconds(series.at[k] - before), i == 1, ports, sent, out);
    }
    before = end;
  }
  return out;
}

}  // namespace railyard
