#include "analysis/patterns/entropy.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace railyard {

namespace {

/// Loads of the members of one group.
using GroupLoads = std::vector<double>;

/// Groups of a trunk: the ports of one node towards the trunk's far end.
std::map<NodeId, GroupLoads> groups_of(const Fabric& fabric, const Telemetry& telemetry, TrunkId trunk) {
  std::map<NodeId, GroupLoads> groups;
  for (const PortId port : fabric.trunk_ports[trunk])
    groups[fabric.port_from[port]].push_back(static_cast<double>(telemetry.port_carried[port].count()));
  return groups;
}

struct Sums {
  std::uint32_t groups = 0, members = 0, idle = 0;
  double worst = 1, entropy = 0, effective = 0;

  void add(const GroupLoads& loads) {
    double sum = 0;
    for (const double load : loads) sum += load;
    if (sum <= 0 || loads.size() < 2) return;
    double bits = 0;
    for (const double load : loads) {
      if (load <= 0) idle++;
      if (load > 0) bits -= load / sum * std::log2(load / sum);
    }
    groups++;
    members += static_cast<std::uint32_t>(loads.size());
    worst = std::max(worst, *std::max_element(loads.begin(), loads.end()) * static_cast<double>(loads.size()) / sum);
    entropy += bits / std::log2(static_cast<double>(loads.size()));
    effective += std::exp2(bits);
  }
};

}  // namespace

std::vector<MemberLoads> member_loads(const Fabric& fabric, const Telemetry& telemetry) {
  std::vector<MemberLoads> all;
  if (telemetry.port_carried.empty()) return all;
  std::map<Tier, Sums> tiers;
  for (const TrunkId trunk : ids(fabric.trunk_tier))
    if (fabric.trunk_ports[trunk].size() > 1 && telemetry.trunk_carried[trunk] > Bytes::zero())
      for (const auto& [node, loads] : groups_of(fabric, telemetry, trunk)) tiers[fabric.trunk_tier[trunk]].add(loads);
  for (const auto& [tier, sums] : tiers) {
    if (sums.groups == 0) continue;
    all.push_back({tier, std::string(name_of(tier, fabric.topology)), sums.groups, sums.members,
                   static_cast<double>(sums.idle) / sums.members, sums.worst, sums.entropy / sums.groups,
                   sums.effective / sums.groups});
  }
  return all;
}

double expected_idle(std::uint32_t members, std::uint32_t flows) { return std::pow(1.0 - 1.0 / members, flows); }

double expected_worst_to_mean(std::uint32_t members, std::uint32_t flows, std::uint32_t groups) {
  // E[max] = sum over t of P(max > t), and P(max <= t) = P(one <= t)^(members × groups).
  const double p = 1.0 / members, k = flows;
  if (members == 1) return 1;
  double expected = 0, cumulated = 0,
         term = k * std::log1p(-p);  // of the binomial: its logarithm, which many flows do not drown
  for (std::uint32_t t = 0; t < flows; t++) {
    cumulated += std::exp(term);
    const double below = std::pow(std::min(1.0, cumulated), static_cast<double>(members) * groups);
    expected += 1 - below;
    term += std::log((k - t) / (t + 1) * p / (1 - p));
  }
  return expected * members / k;
}

}  // namespace railyard
