#include "analysis/packets/sampled_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/tier_loads.h"
#include "base/quantity_text.h"
#include "sim/sent_bytes.h"

namespace railyard {

namespace {

/// What some ports together sent, sample by sample.
std::vector<RateSpan> spans_of(const Fabric& fabric, const PortSeries& series, const std::vector<PortId>& ports,
                               Picoseconds time) {
  std::vector<double> bytes(series.at.size(), 0);
  for (const PortId port : ports) {
    const std::vector<double> sent = sent_by_sample(series, port, fabric.trunk_port_rate[fabric.port_trunk[port]]);
    for (std::size_t i = 0; i < sent.size(); i++) bytes[i] += sent[i];
  }
  std::vector<RateSpan> spans;
  Picoseconds begin;
  for (std::size_t i = 0; i < series.at.size() && begin < time; i++) {
    if (series.at[i] <= begin) continue;
    if (bytes[i] > 0) spans.push_back({begin, std::min(series.at[i], time), bytes[i] * 8 / seconds(series.at[i] - begin), 0});
    begin = series.at[i];
  }
  return spans;
}

double rate_of(const Fabric& fabric, PortId port) {
  return static_cast<double>(fabric.trunk_port_rate[fabric.port_trunk[port]].count());
}

}  // namespace

std::vector<SampledPoint> sampled_points(const Fabric& fabric, const PacketRecord& packets, Picoseconds time) {
  std::vector<SampledPoint> points;
  const PortSeries& series = packets.series;
  if (series.at.empty() || time == Picoseconds::zero()) return points;
  std::optional<PortId> nic, uplink;
  std::vector<PortId> senders;
  double capacity = 0;
  for (const PortId port : ids(packets.ports)) {
    const Tier tier = fabric.trunk_tier[fabric.port_trunk[port]];
    if (packets.ports[port].bytes == Bytes::zero() || (tier != Tier::host_up && tier != Tier::leaf_up)) continue;
    std::optional<PortId>& most = tier == Tier::host_up ? nic : uplink;
    if (!most || packets.ports[port].bytes > packets.ports[*most].bytes) most = port;
    if (tier == Tier::host_up) senders.push_back(port), capacity += rate_of(fabric, port);
  }
  if (!nic) return points;
  points.push_back({"NIC", port_name(fabric, *nic), rate_of(fabric, *nic), spans_of(fabric, series, {*nic}, time)});
  if (uplink)
    points.push_back(
        {"leaf uplink", port_name(fabric, *uplink), rate_of(fabric, *uplink), spans_of(fabric, series, {*uplink}, time)});
  points.push_back({"fabric", fmt::format("all {} ports of NICs that send", format_count(senders.size())), capacity,
                    spans_of(fabric, series, senders, time)});
  return points;
}

}  // namespace railyard
