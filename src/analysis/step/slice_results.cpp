#include "analysis/step/slice_results.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace railyard {

namespace {

double gigabits(double bytes, double time) { return time > 0 ? bytes * 8 / time / 1e9 : 0; }

/// Bytes, and for how long they were sent, summed over edges; and the edge that holds up the rest.
struct SliceRates {
  double flow = 0, flow_time = 0, packets = 0;
  double behind = 0, packet_time = 0;  // what came in behind the first piece of each edge, and in which time
  double least = 0, ratio = std::numeric_limits<double>::infinity();
};

/// Rates of packets are those between the first piece that comes in and the last: neither the way to the receiver nor a piece
/// that is cut off counts. Pieces on several queue pairs may come in beside the first: no faster than a NIC with `line_gbps`.
void add(const SlicePlan& plan, const SlicedCollective& one, const std::vector<SlicedEdgeRun>& edges, double line_gbps,
         SliceRates& sent) {
  const Picoseconds begin = std::max(Picoseconds::zero(), one.start - plan.from);
  const double fraction = one.fraction_within(plan.from, plan.to);
  for (std::size_t i = 0; i < edges.size(); i++) {
    const SlicedEdge& edge = one.edges[i];
    const auto bytes = static_cast<double>(edge.bytes.count());
    sent.flow += bytes * fraction;
    sent.flow_time += seconds(one.end - one.start) * fraction;
    const auto arrived = static_cast<double>((one.up_to(edge, edges[i].arrived) - one.up_to(edge, one.first)).count());
    sent.packets += arrived;
    const Picoseconds first = begin + edges[i].idle;
    if (edges[i].arrived <= one.first + 1 || edges[i].last <= first) continue;
    const auto behind = static_cast<double>((one.up_to(edge, edges[i].arrived) - one.up_to(edge, one.first + 1)).count());
    const double time = std::max(seconds(edges[i].last - first), behind * 8 / (line_gbps * 1e9));
    sent.behind += behind;
    sent.packet_time += time;
    const double rate = gigabits(behind, time), expected = gigabits(bytes, seconds(one.end - one.start));
    if (rate < sent.ratio * expected) sent.least = rate, sent.ratio = rate / expected;
  }
}

void add_finished(const SlicePlan& plan, const SlicedCollective& one, const std::vector<SlicedEdgeRun>& edges, SliceRow& row) {
  Picoseconds last;
  for (const SlicedEdgeRun& edge : edges) {
    if (edge.arrived < one.pieces.count) return;
    last = std::max(last, edge.last);
  }
  if (one.start < plan.from || one.end > plan.to) return;
  row.finished++;
  row.flow_us += microseconds(one.end - one.start);
  row.packet_us += microseconds(last - (one.start - plan.from));
}

double fastest_nic_gbps(const Fabric& fabric) {
  Table<NodeId, BitsPerSecond> nics(fabric.kind.size());
  double fastest = 0;
  for (const PortId port : ids(fabric.port_from)) {
    const TrunkId trunk = fabric.port_trunk[port];
    if (fabric.trunk_tier[trunk] != Tier::host_up) continue;
    BitsPerSecond& nic = nics[fabric.port_from[port]] += fabric.trunk_port_rate[trunk];
    fastest = std::max(fastest, static_cast<double>(nic.count()) / 1e9);
  }
  return fastest;
}

void add_rows(const Fabric& fabric, const SliceRun& slice, SliceResults& r) {
  const double line = fastest_nic_gbps(fabric);
  std::map<std::pair<std::string_view, std::string_view>, std::pair<SliceRow, SliceRates>> rows;
  for (std::size_t i = 0; i < slice.plan.collectives.size(); i++) {
    const SlicedCollective& one = slice.plan.collectives[i];
    auto& [row, sent] = rows[{one.what, one.group}];
    row.what = one.what;
    row.group = one.group;
    row.collectives++;
    row.edges += one.edges.size();
    add(slice.plan, one, slice.edges[i], line, sent);
    add_finished(slice.plan, one, slice.edges[i], row);
  }
  for (auto& [key, entry] : rows) {
    auto& [row, sent] = entry;
    row.flow = Bytes(static_cast<std::int64_t>(sent.flow));
    row.packets = Bytes(static_cast<std::int64_t>(sent.packets));
    row.flow_gbps = gigabits(sent.flow, sent.flow_time);
    row.packet_gbps = gigabits(sent.behind, sent.packet_time);
    row.packet_least_gbps = sent.least;
    row.line_gbps = line;
    row.ratio = std::isinf(sent.ratio) ? 0 : sent.ratio;
    r.ratio = r.rows.empty() ? row.ratio : std::min(r.ratio, row.ratio);
    if (row.finished > 0) row.flow_us /= static_cast<double>(row.finished), row.packet_us /= static_cast<double>(row.finished);
    r.rows.push_back(std::move(row));
  }
}

void add_background(const Fabric& fabric, const SliceRun& slice, SliceResults& r) {
  if (slice.plan.taken.empty()) return;
  const PacketRecord& packets = *slice.traffic.telemetry.packets;
  double sum = 0;
  std::uint64_t ports = 0;
  for (const PortId port : ids(fabric.port_from)) {
    const auto rate = static_cast<double>(fabric.trunk_port_rate[fabric.port_trunk[port]].count());
    const double share = static_cast<double>(slice.plan.taken[port.index()].count()) / rate;
    r.background_most = std::max(r.background_most, share);
    if (packets.ports[port].packets == 0) continue;
    sum += share;
    ports++;
  }
  r.background_mean = ports > 0 ? sum / static_cast<double>(ports) : 0;
}

}  // namespace

SliceResults analyse_slice(const Run& run) {
  const SliceRun& slice = *run.slice;
  SliceResults r;
  r.from_us = microseconds(slice.plan.from);
  r.to_us = microseconds(slice.plan.to);
  r.names.assign(slice.plan.names.begin(), slice.plan.names.end());
  r.others = slice.plan.others;
  add_rows(run.fabric, slice, r);
  add_background(run.fabric, slice, r);
  r.traffic = analyse_messages(run.fabric, slice.traffic);
  r.traffic.pattern = "slice";
  r.traffic.hosts = static_cast<std::uint32_t>(run.placement.size());
  return r;
}

}  // namespace railyard
