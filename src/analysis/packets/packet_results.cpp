#include "analysis/packets/packet_results.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/tier_loads.h"
#include "sim/sent_bytes.h"

namespace railyard {

namespace {

constexpr std::size_t kPortsShown = 8;
constexpr std::size_t kMostCounterRows = 4096;

/// What ports sent in a time, and how much of their rate that is.
struct PortUse {
  const Fabric& fabric;
  Table<PortId, double> sent;
  TimeWindow window;

  [[nodiscard]] double of(PortId port) const {
    const auto rate = static_cast<double>(fabric.trunk_port_rate[fabric.port_trunk[port]].count());
    const double time = seconds(window.length());
    return time > 0 && rate > 0 ? sent[port] * 8 / rate / time : 0;
  }
};

/// Over the window, and on to where its queues were empty if that is later: packets may be sent again after the last delivery.
double mean_backlog(const PortRecord& port, TimeWindow window) {
  const double time = seconds(std::max(window.until, port.emptied) - window.from);
  return time > 0 ? port.backlog_time / time : 0;
}

PortRow row_of(const Fabric& fabric, const PacketRecord& packets, PortId port, const PortUse& use) {
  const PortRecord& record = packets.ports[port];
  return {.name = port_name(fabric, port),
          .carried = record.bytes,
          .deepest = record.deepest,
          .mean_backlog = mean_backlog(record, use.window),
          .utilisation = use.of(port),
          .pauses = record.pauses,
          .marked = record.marked,
          .dropped = record.dropped,
          .paused_us = microseconds(record.paused)};
}

/// The ports with most of something, ties by id; none that have none of it.
template<class Amount>
std::vector<PortRow> worst_ports(const Fabric& fabric, const PacketRecord& packets, const PortUse& use, const Amount& amount) {
  std::vector<PortId> ports;
  for (const PortId port : ids(packets.ports))
    if (amount(packets.ports[port]) > 0) ports.push_back(port);
  const std::size_t shown = std::min(kPortsShown, ports.size());
  std::partial_sort(ports.begin(), ports.begin() + static_cast<std::ptrdiff_t>(shown), ports.end(), [&](PortId a, PortId b) {
    const auto left = amount(packets.ports[a]), right = amount(packets.ports[b]);
    return left != right ? left > right : a < b;
  });
  std::vector<PortRow> rows;
  for (std::size_t i = 0; i < shown; i++) rows.push_back(row_of(fabric, packets, ports[i], use));
  return rows;
}

std::vector<PacketTier> tiers_of(const Fabric& fabric, const PacketRecord& packets, const PortUse& use) {
  std::vector<PacketTier> tiers(kTiers);
  for (const PortId port : ids(packets.ports)) {
    const TrunkId trunk = fabric.port_trunk[port];
    const PortRecord& record = packets.ports[port];
    PacketTier& tier = tiers[static_cast<std::size_t>(fabric.trunk_tier[trunk])];
    const double share = use.of(port);
    tier.ports++;
    tier.packets += record.packets;
    tier.carried += record.bytes;
    tier.mean_utilisation += share;
    tier.peak_utilisation = std::max(tier.peak_utilisation, share);
    tier.pauses += record.pauses;
    tier.paused_us += microseconds(record.paused);
    tier.marked += record.marked;
    tier.dropped += record.dropped;
    tier.deepest = std::max(tier.deepest, record.deepest);
    tier.buffered_most = std::max(tier.buffered_most, record.buffered_most);
    tier.headroom_most = std::max(tier.headroom_most, record.headroom_most);
  }
  std::vector<PacketTier> shown;
  for (std::size_t t = 0; t < kTiers; t++) {
    const bool inside = is_scale_up(static_cast<Tier>(t));
    if (tiers[t].ports == 0 || (inside && tiers[t].packets == 0)) continue;
    tiers[t].name = name_of(static_cast<Tier>(t), fabric.topology);
    tiers[t].mean_utilisation /= tiers[t].ports;
    shown.push_back(std::move(tiers[t]));
  }
  return shown;
}

std::vector<BufferRow> buffers_of(const Fabric& fabric, const PacketRecord& packets) {
  std::vector<BufferRow> rows;
  for (std::size_t kind = 0; kind < kNodeKinds; kind++) {
    if (static_cast<NodeKind>(kind) == NodeKind::host) continue;
    BufferRow row{.kind = std::string(name_of(static_cast<NodeKind>(kind)))};
    Bytes sum;
    for (const NodeId node : ids(packets.switches)) {
      if (fabric.kind[node] != static_cast<NodeKind>(kind)) continue;
      row.switches++;
      row.most = std::max(row.most, packets.switches[node].most);
      sum += packets.switches[node].most;
    }
    if (row.switches == 0) continue;
    row.mean = sum / row.switches;
    if (static_cast<NodeKind>(kind) != NodeKind::scale_up || row.most > Bytes::zero()) rows.push_back(std::move(row));
  }
  return rows;
}

class PauseWriter {
 public:
  PauseWriter(const Fabric& fabric, const PauseTree& tree, std::size_t most_children, std::size_t most_lines)
      : fabric_(fabric), tree_(tree), most_children_(most_children), most_lines_(most_lines) {}

  PauseLines run() {
    out_.roots_left_out = add_some(tree_.roots);
    return std::move(out_);
  }

 private:
  /// How many found no room.
  std::uint64_t add_some(const std::vector<std::uint32_t>& nodes) {
    std::size_t shown = 0;
    while (shown < std::min(most_children_, nodes.size()) && out_.lines.size() < most_lines_) add(nodes[shown++]);
    return nodes.size() - shown;
  }

  void add(std::uint32_t index) {
    const PauseNode& node = tree_.nodes[index];
    const std::size_t line = out_.lines.size();
    out_.lines.push_back({.name = node.port.valid() ? port_name(fabric_, node.port) : end_name(fabric_, node.host),
                          .depth = node.depth,
                          .pauses = node.pauses,
                          .first_us = microseconds(node.first)});
    const std::uint64_t left_out = add_some(tree_.children[index]);
    out_.lines[line].left_out = left_out;
  }

  const Fabric& fabric_;
  const PauseTree& tree_;
  const std::size_t most_children_, most_lines_;
  PauseLines out_;
};

void add_pauses(const Fabric& fabric, const PacketRecord& packets, PacketResults& r) {
  r.tree = pause_tree(fabric, packets);
  r.pauses_in_short = pause_lines(fabric, r.tree, 2, 16);
  r.pauses_in_full = pause_lines(fabric, r.tree, 64, 1000);
  if (packets.pause_log.empty()) return;
  const PauseRecord& first = packets.pause_log.front();
  r.first_port = first.cause.valid() ? port_name(fabric, first.cause) : end_name(fabric, fabric.port_to[first.paused_port]);
  r.first_paused = port_name(fabric, first.paused_port);
  r.first_us = microseconds(first.at);
}

}  // namespace

std::string_view name_of(DropReason reason) {
  static constexpr std::string_view kNames[] = {"buffer", "headroom", "watchdog", "expired", "out_of_order", "queue"};
  static_assert(std::size(kNames) == kDropReasons);
  return kNames[static_cast<std::size_t>(reason)];
}

PauseLines pause_lines(const Fabric& fabric, const PauseTree& tree, std::size_t most_children, std::size_t most_lines) {
  return PauseWriter(fabric, tree, most_children, most_lines).run();
}

DepthSpread depth_spread(const Histogram& depth) {
  DepthSpread spread{.packets = depth.count(), .max = depth.max(), .buckets = depth.buckets()};
  const auto at = [&](double q) -> std::int64_t {
    const auto wanted = static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(depth.count()) - 1e-9));
    std::uint64_t seen = 0;
    for (const Histogram::Bucket& bucket : spread.buckets)
      if ((seen += bucket.count) >= wanted) return std::min(bucket.to - 1, depth.max());
    return 0;
  };
  spread.p50 = at(0.5), spread.p90 = at(0.9), spread.p99 = at(0.99), spread.p999 = at(0.999);
  return spread;
}

PacketResults analyse_packets(const Fabric& fabric, const PacketRecord& packets, TimeWindow window) {
  const PortUse use{fabric, sent_until(fabric, packets, window.until), window};
  PacketResults r{.hops = packets.hops,
                  .data_hops = packets.data_hops,
                  .pauses = packets.pauses,
                  .resumes = packets.resumes,
                  .storms = packets.storms,
                  .paused_us = microseconds(packets.paused),
                  .marked = packets.marked,
                  .cnp_sent = packets.cnp_sent,
                  .cnp_handled = packets.cnp_handled,
                  .drops = std::accumulate(packets.drops.begin(), packets.drops.end(), std::uint64_t{0}),
                  .drops_by_reason = packets.drops,
                  .retransmissions = packets.retransmissions,
                  .naks = packets.naks,
                  .timeouts = packets.timeouts,
                  .acks = packets.acks,
                  .tiers = tiers_of(fabric, packets, use),
                  .buffers = buffers_of(fabric, packets),
                  .depth = depth_spread(packets.depth)};
  r.deepest_ports = worst_ports(fabric, packets, use, [](const PortRecord& port) { return port.deepest.count(); });
  r.paused_ports = worst_ports(fabric, packets, use, [](const PortRecord& port) { return port.paused.count(); });
  for (const PacketTier& tier : r.tiers) r.depth.max = std::max(r.depth.max, tier.deepest.count());
  r.virtual_queues = packets.virtual_queues;
  for (const VirtualQueueRecord& one : packets.deepest_virtual_queues) {
    r.deepest_virtual_queues.push_back({end_name(fabric, one.at), port_name(fabric, one.port), one.deepest});
    r.depth.max = std::max(r.depth.max, one.deepest.count());
  }
  r.over_time = queue_series(fabric, packets, window.until, kPortsShown / 2);
  r.broken = packets.broken;
  r.trimmed = packets.trimmed;
  r.by_credits = packets.by_credits;
  r.credit_stalls = packets.credit_stalls;
  r.stalled_us = microseconds(packets.stalled);
  add_pauses(fabric, packets, r);
  r.counters = counter_results(fabric, packets, kMostCounterRows);
  r.failures = failure_effects(fabric, packets, r.tree);
  for (const DeadlockRecord& deadlock : packets.deadlocks) {
    StandstillRow& row = r.standstills.emplace_back();
    row.at_us = microseconds(deadlock.at);
    row.is_cycle = deadlock.is_cycle;
    for (const PortId port : deadlock.ports) row.ports.push_back(port_name(fabric, port));
  }
  return r;
}

}  // namespace railyard
