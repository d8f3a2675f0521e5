#include "sim/sent_bytes.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

double line_bytes(Picoseconds time, BitsPerSecond rate) { return seconds(time) * static_cast<double>(rate.count()) / 8; }

/// Calls `use` with begin, end and bytes of every sample that begins before `until`, the last one cut off there.
template<class Use>
void for_each_sample(const PortSeries& series, PortId port, BitsPerSecond rate, Picoseconds until, const Use& use) {
  double waiting = 0;
  Picoseconds begin;
  for (std::size_t k = 0; k < series.at.size() && begin < until; k++) {
    const Picoseconds end = std::min(series.at[k], until);
    waiting += static_cast<double>(series.sample(k, port).bytes);
    const double sent = std::min(waiting, line_bytes(end - begin, rate));
    use(begin, end, sent);
    waiting -= sent;
    begin = series.at[k];
  }
}

}  // namespace

std::vector<double> sent_by_sample(const PortSeries& series, PortId port, BitsPerSecond rate) {
  std::vector<double> sent;
  sent.reserve(series.at.size());
  for_each_sample(series, port, rate, Picoseconds::max(),
                  [&](Picoseconds, Picoseconds, double bytes) { sent.push_back(bytes); });
  return sent;
}

std::vector<SentSpan> sent_spans(const PortSeries& series, PortId port, BitsPerSecond rate, Picoseconds end) {
  std::vector<SentSpan> spans;
  for_each_sample(series, port, rate, end, [&](Picoseconds from, Picoseconds until, double bytes) {
    if (bytes > 0) spans.push_back({from, until, bytes});
  });
  return spans;
}

Table<PortId, double> sent_until(const Fabric& fabric, const PacketRecord& packets, Picoseconds end) {
  Table<PortId, double> all(packets.ports.size(), 0);
  for (const PortId port : ids(packets.ports)) {
    if (packets.ports[port].bytes == Bytes::zero()) continue;
    if (packets.series.at.empty()) {
      all[port] = static_cast<double>(packets.ports[port].bytes.count());
      continue;
    }
    double sum = 0;
    for_each_sample(packets.series, port, fabric.trunk_port_rate[fabric.port_trunk[port]], end,
                    [&](Picoseconds, Picoseconds, double bytes) { sum += bytes; });
    all[port] = sum;
  }
  return all;
}

void forget_sent_after(const Fabric& fabric, Picoseconds end, Telemetry& telemetry) {
  const Table<PortId, double> sent = sent_until(fabric, *telemetry.packets, end);
  for (const PortId port : ids(sent)) {
    const TrunkId trunk = fabric.port_trunk[port];
    const Bytes line = bytes_in(end, fabric.trunk_port_rate[trunk]);  // exact, where sums of doubles are not
    const Bytes kept = std::min({telemetry.port_carried[port], line, Bytes(std::llround(sent[port]))});
    telemetry.trunk_carried[trunk] -= telemetry.port_carried[port] - kept;
    telemetry.port_carried[port] = kept;
  }
}

}  // namespace railyard
