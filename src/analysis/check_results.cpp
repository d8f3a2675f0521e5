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
  check_slowdown(traffic.flows);
  for (const Distance& distance : traffic.distances) check_slowdown(distance.flows);
  if (traffic.background) check_slowdown(*traffic.background);
  if (traffic.storage) check_slowdown(*traffic.storage);
  check_tiers(traffic.tiers);
  check_members(traffic.members);
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

void check_patterns(const Patterns& patterns) {
  for (const PointPattern& point : patterns.points) {
    for (const Burstiness& b : point.resolutions) {
      RY_CHECK(is_within(b.mean_gbps, point.capacity_gbps), "no mean rate is above the line");
      RY_CHECK(is_within(b.peak_gbps, point.capacity_gbps), "no burst is above the line");
      RY_CHECK(is_share(b.duty_cycle), "a duty cycle is a share");
    }
    check_over_time(point.whole, point.capacity_gbps);
    check_over_time(point.excerpt, point.capacity_gbps);
  }
  for (const LoadSpread& load : patterns.loads)
    RY_CHECK(is_within(load.gbps.max, load.capacity_gbps), "nothing sends more than its links carry");
  if (!patterns.fabric_map) return;
  for (const FabricMap::Link& link : patterns.fabric_map->links)
    RY_CHECK(is_share(link.up) && is_share(link.down) && is_share(link.peak), "no link is used beyond its rate");
}

void check_network(const NetworkResults& network) {
  for (const OpRow& op : network.ops) RY_CHECK(is_within(1, op.slowdown), "no collective is faster than on an idle network");
  check_tiers(network.tiers);
  check_members(network.members);
  for (const RailLoad& rail : network.rails)
    RY_CHECK(is_share(rail.mean_utilisation) && is_share(rail.peak_utilisation), "no rail is used beyond its rate");
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
  if (results.traffic) check_traffic(*results.traffic);
  if (results.network) check_network(*results.network);
  if (results.slice) check_traffic(results.slice->traffic);
  check_patterns(results.patterns);
}

}  // namespace railyard
