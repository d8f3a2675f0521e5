#include "sim/sent_bytes.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

double line_bytes(Picoseconds time, BitsPerSecond rate) { return seconds(time) * static_cast<double>(rate.count()) / 8; }

}  // namespace

std::vector<double> sent_by_sample(const PortSeries& series, PortId port, BitsPerSecond rate) {
  std::vector<double> sent;
  sent.reserve(series.at.size());
  double waiting = 0;
  Picoseconds begin;
  for (std::size_t k = 0; k < series.at.size(); k++) {
    waiting += static_cast<double>(series.sample(k, port).bytes);
    sent.push_back(std::min(waiting, line_bytes(series.at[k] - begin, rate)));
    waiting -= sent.back();
    begin = series.at[k];
  }
  return sent;
}

Table<PortId, double> sent_until(const Fabric& fabric, const PacketRecord& packets, Picoseconds end) {
  Table<PortId, double> all(packets.ports.size(), 0);
  const PortSeries& series = packets.series;
  for (const PortId port : ids(packets.ports)) {
    const BitsPerSecond rate = fabric.trunk_port_rate[fabric.port_trunk[port]];
    if (packets.ports[port].bytes == Bytes::zero()) continue;
    if (series.at.empty()) {
      all[port] = static_cast<double>(packets.ports[port].bytes.count());
      continue;
    }
    double sum = 0, waiting = 0;
    Picoseconds begin;
    for (std::size_t k = 0; k < series.at.size() && begin < end; k++) {
      waiting += static_cast<double>(series.sample(k, port).bytes);
      const double sent = std::min(waiting, line_bytes(std::min(series.at[k], end) - begin, rate));
      sum += sent, waiting -= sent;
      begin = series.at[k];
    }
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
