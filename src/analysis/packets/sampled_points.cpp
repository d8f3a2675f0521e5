#include "analysis/packets/sampled_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "analysis/tier_loads.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

/// What some ports together sent, sample by sample. A packet counts where it ends: what is more than they can send in a sample
/// began in the one before.
std::vector<RateSpan> spans_of(const PortSeries& series, const std::vector<PortId>& ports, double capacity_bps,
                               Picoseconds time) {
  std::vector<RateSpan> spans;
  Picoseconds begin;
  for (std::size_t i = 0; i < series.at.size() && begin < time; i++) {
    std::uint64_t bytes = 0;
    for (const PortId port : ports) bytes += series.sample(i, port).bytes;
    if (series.at[i] <= begin) continue;
    spans.push_back({begin, series.at[i], static_cast<double>(bytes) * 8 / seconds(series.at[i] - begin), 0});
    begin = series.at[i];
  }
  for (std::size_t i = spans.size(); i-- > 1;) {
    const double more = (spans[i].bps - capacity_bps) * seconds(spans[i].end - spans[i].begin);
    if (more <= 0) continue;
    spans[i].bps = capacity_bps;
    spans[i - 1].bps += more / seconds(spans[i - 1].end - spans[i - 1].begin);
  }
  std::erase_if(spans, [](const RateSpan& span) { return span.bps <= 0; });
  for (RateSpan& span : spans) span.end = std::min(span.end, time);
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
  points.push_back(
      {"NIC", port_name(fabric, *nic), rate_of(fabric, *nic), spans_of(series, {*nic}, rate_of(fabric, *nic), time)});
  if (uplink)
    points.push_back({"leaf uplink", port_name(fabric, *uplink), rate_of(fabric, *uplink),
                      spans_of(series, {*uplink}, rate_of(fabric, *uplink), time)});
  points.push_back({"fabric", fmt::format("all {} ports of NICs that send", format_count(senders.size())), capacity,
                    spans_of(series, senders, capacity, time)});
  return points;
}

}  // namespace railyard
