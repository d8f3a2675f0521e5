#include "analysis/check_results.h"

#include <algorithm>

namespace railyard {

namespace {

bool is_share(double value) { return value >= 0 && is_within(value, 1); }

void check_tiers(const std::vector<TierLoad>& tiers) {
  for (const TierLoad& tier : tiers)
    RY_CHECK(is_share(tier.mean_utilisation) && is_share(tier.peak_utilisation), "no tier is used beyond its rate");
}

void check_members(const std::vector<MemberLoads>& members) {
  for (const MemberLoads& one : members)
    RY_CHECK(is_share(one.idle) && is_share(one.entropy), "of links that are equal choices a share is idle");
}

void check_rails(const std::vector<RailLoad>& rails) {
  for (const RailLoad& rail : rails)
    RY_CHECK(is_share(rail.mean_utilisation) && is_share(rail.peak_utilisation), "no rail is used beyond its rate");
}

void check_packets(const PacketResults& packets) {
  for (const PacketTier& tier : packets.tiers)
    RY_CHECK(is_share(tier.mean_utilisation) && is_share(tier.peak_utilisation), "no port sends more than its rate");
  for (const auto* ports : {&packets.deepest_ports, &packets.paused_ports})
    for (const PortRow& port : *ports) {
      RY_CHECK(is_share(port.utilisation), "no port sends more than its rate");
      RY_CHECK(is_within(port.mean_backlog, static_cast<double>(port.deepest.count())),
               "no queue is deeper on average than ever");
    }
  for (const QueueLine& line : packets.over_time.lines) {
    for (const double gbps : line.gbps) RY_CHECK(is_within(gbps, line.capacity_gbps), "no port sends above its line rate");
    for (const double paused : line.paused) RY_CHECK(is_share(paused), "no port is paused longer than there is time");
  }
  RY_CHECK(packets.resumes <= packets.pauses, "what resumes was paused");
}

void check_slowdown(const FlowTimes& flows) {
  RY_CHECK(flows.undelivered <= flows.messages, "no more messages are lost than were sent");
  if (flows.undelivered == flows.messages) return;
  for (const double slowdown : {flows.slowdown.mean, flows.slowdown.p50, flows.slowdown.p99, flows.slowdown.max})
    RY_CHECK(is_within(1, slowdown), "no message is faster than alone on the fabric");
}

void check_traffic(const TrafficResults& traffic) {
  RY_CHECK(is_within(traffic.goodput_gbps, traffic.receivers_line_gbps),
           "no more arrives than the links of all receivers carry");
  for (const double gbps : {traffic.receiver_gbps.mean, traffic.receiver_gbps.max, traffic.receiver_least_gbps})
    RY_CHECK(is_within(gbps, traffic.receiver_line_gbps), "nobody receives more than its links carry");
  check_slowdown(traffic.flows);
  for (const Distance& distance : traffic.distances) check_slowdown(distance.flows);
  if (traffic.background) check_slowdown(*traffic.background);
  if (traffic.storage) check_slowdown(*traffic.storage);
  check_tiers(traffic.tiers);
  check_members(traffic.members);
  check_rails(traffic.rails);
  if (traffic.packets) check_packets(*traffic.packets);
}

void check_over_time(const OverTime& series, double capacity_gbps) {
  std::vector<double> sums;
  for (const OverTime::Row& row : series.rows) {
    sums.resize(std::max(sums.size(), row.gbps.size()), 0);
    for (std::size_t i = 0; i < row.gbps.size(); i++) sums[i] += row.gbps[i];
  }
  for (const double sum : sums) RY_CHECK(is_within(sum, capacity_gbps), "nothing is above its line rate at any time");
}

void check_sizes(const FlowSizes& sizes) {
  for (const FlowSizes::Shares& part : {sizes.elephants, sizes.mice})
    RY_CHECK(is_share(part.count) && is_share(part.bytes), "flows of some sizes are a share of all");
}

void check_paths(const PathDiversity& paths) {
  for (const PathVariant& variant : paths.variants)
    for (const PathChoice& tier : variant.tiers)
      for (const double share : {tier.idle, tier.expected_idle, tier.collisions, tier.expected_collisions})
        RY_CHECK(is_share(share), "of links and flows a share is idle or collides");
}

void check_patterns(const Patterns& patterns) {
  for (const PointPattern& point : patterns.points) {
    for (const Burstiness& b : point.resolutions) {
      RY_CHECK(is_within(b.mean_gbps, point.capacity_gbps), "no mean rate is above the line");
      RY_CHECK(is_within(b.peak_gbps, point.capacity_gbps), "no burst is above the line");
      RY_CHECK(is_share(b.duty_cycle) && is_share(b.period_strength), "a duty cycle is a share, and so is a correlation");
    }
    check_over_time(point.whole, point.capacity_gbps);
    check_over_time(point.excerpt, point.capacity_gbps);
  }
  for (const LoadSpread& load : patterns.loads)
    RY_CHECK(is_within(load.gbps.max, load.capacity_gbps), "nothing sends more than its links carry");
  for (const FlowSizes& sizes : patterns.flow_sizes) check_sizes(sizes);
  if (patterns.paths) check_paths(*patterns.paths);
  if (!patterns.fabric_map) return;
  for (const FabricMap::Link& link : patterns.fabric_map->links)
    RY_CHECK(is_share(link.up) && is_share(link.down) && is_share(link.peak), "no link is used beyond its rate");
  if (!patterns.map_over_time) return;
  for (const MapOverTime::Loads& link : patterns.map_over_time->links)
    for (const auto* loads : {&link.up, &link.down, &link.peak})
      for (const double load : *loads) RY_CHECK(is_share(load), "no link is used beyond its rate at any time");
}

/// Attention over the whole square counts at most twice what is computed of it: what a GPU that skips the other half is said to
/// do may be above its peak, and no more than twice that.
void check_step(const StepResults& step) {
  RY_CHECK(is_within(step.mfu.hardware, step.peak_share), "no GPU computes faster than its peak");
  RY_CHECK(is_within(step.mfu.causal, step.peak_share), "no model is computed faster than the GPU's peak");
  RY_CHECK(is_within(step.mfu.full, 2 * step.peak_share), "attention over the whole square is at most twice the visible half");
  RY_CHECK(is_share(step.dropped_share), "no more tokens are dropped than there are");
  for (const TrafficRow& row : step.traffic)
    RY_CHECK(is_within(row.scale_out, row.sent), "no more crosses the network than is sent");
}

void check_slice(const SliceResults& slice) {
  check_traffic(slice.traffic);
  RY_CHECK(is_share(slice.background_mean) && is_share(slice.background_most),
           "what others use of a port is a share of its rate");
  for (const SliceRow& row : slice.rows)
    for (const double gbps : {row.flow_gbps, row.packet_gbps, row.packet_least_gbps})
      RY_CHECK(is_within(gbps, row.line_gbps), "no collective sends faster than a NIC");
}

void check_network(const NetworkResults& network) {
  for (const OpRow& op : network.ops) RY_CHECK(is_within(1, op.slowdown), "no collective is faster than on an idle network");
  check_tiers(network.tiers);
  check_members(network.members);
  check_rails(network.rails);
  for (const TierSeries& series : network.series)
    for (const auto* values : {&series.mean, &series.peak})
      for (const double value : *values) RY_CHECK(is_share(value), "no tier is used beyond its rate at any time");
}

}  // namespace

void check_results(const Results& results) {
  for (const CollectivePoint& point : results.points) {
    RY_CHECK(is_share(point.of_bound), "no collective beats its bound");
    if (point.packets) check_packets(*point.packets);
  }
  check_tiers(results.tiers);
  check_members(results.members);
  check_rails(results.rails);
  if (results.traffic) check_traffic(*results.traffic);
  if (results.network) check_network(*results.network);
  if (results.step) check_step(*results.step);
  if (results.packets) check_packets(results.packets->packets);
  if (results.slice) check_slice(*results.slice);
  check_patterns(results.patterns);
}

}  // namespace railyard
