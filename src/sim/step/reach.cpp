#include "sim/step/reach.h"

#include <algorithm>
#include <vector>

#include "fabric/routes.h"

namespace railyard {

namespace {

constexpr std::size_t kMostShifts = 64;  // of all-to-all pairs that are looked at

/// How many messages go how far.
struct Counts {
  std::uint64_t domain = 0, leaf = 0, pod = 0, across = 0;

  [[nodiscard]] Reach shares() const {
    const auto all = static_cast<double>(leaf + pod + across);
    const double near = domain == 0 ? 0 : static_cast<double>(domain) / (all + static_cast<double>(domain));
    if (all == 0) return {.domain = near};
    return {static_cast<double>(leaf) / all, static_cast<double>(pod) / all, static_cast<double>(across) / all, near};
  }
};

class Counter {
 public:
  Counter(const Fabric& fabric, const Placement& placement) : fabric_(fabric), placement_(placement) {}

  void add(std::uint32_t from, std::uint32_t to, Counts& counts) const {
    const EndpointId b = placement_[RankId(to)];
    if (placement_[RankId(from)] == b) return;
    if (share_domain(fabric_, placement_[RankId(from)], b)) {
      counts.domain++;
      return;
    }
    const EndpointId a = relay_of(fabric_, placement_[RankId(from)], b);  // where it enters the network
    if (fabric_.leaf_of(a) == fabric_.leaf_of(b))
      counts.leaf++;
    else if (fabric_.drawn || fabric_.pod_of(a) == fabric_.pod_of(b))
      counts.pod++;
    else
      counts.across++;
  }

  void add_ring(const std::vector<std::uint32_t>& members, Counts& counts) const {
    for (std::size_t i = 0; i < members.size(); i++) add(members[i], members[(i + 1) % members.size()], counts);
  }

  void add_pairs(const std::vector<std::uint32_t>& members, Counts& counts) const {
    const std::size_t shifts = std::min(members.size() - 1, kMostShifts);
    for (std::size_t k = 0; k < shifts; k++) {
      const std::size_t shift = 1 + k * (members.size() - 1) / shifts;
      for (std::size_t i = 0; i < members.size(); i++) add(members[i], members[(i + shift) % members.size()], counts);
    }
  }

 private:
  const Fabric& fabric_;
  const Placement& placement_;
};

}  // namespace

std::array<GroupReach, kGroupKinds> reach_of_groups(const Step& step, const Fabric& fabric, const Placement& placement) {
  const Layout& layout = step.layout;
  const Counter counter(fabric, placement);
  std::array<GroupReach, kGroupKinds> all;
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    Group group = layout.group(static_cast<GroupKind>(kind));
    // Both directions of DualPipe hold the same parameters, and reduce them together.
    const bool of_data = group.kind == GroupKind::data || group.kind == GroupKind::expert_data;
    group.mirrored = of_data && step.pipeline.schedule == PipelineSchedule::dualpipe;
    if (group.mirrored) group.size *= 2;
    if (group.size < 2) continue;
    Counts ring, pairs;
    std::vector<bool> seen(layout.ranks(), false);
    for (std::uint32_t rank = 0; rank < layout.ranks(); rank++) {
      if (seen[rank]) continue;
      const std::vector<std::uint32_t> members = layout.members(group, rank);
      for (const std::uint32_t member : members) seen[member] = true;
      counter.add_ring(members, ring);
      if (group.kind == GroupKind::expert) counter.add_pairs(members, pairs);
    }
    all[kind] = {ring.shares(), pairs.shares()};
  }
  return all;
}

TierRates rates_per_gpu(const Fabric& fabric) {
  TierRates rates;
  if (fabric.drawn) return rates;
  const auto add = [&](TrunkId trunk, double& to) {
    to += static_cast<double>(fabric.trunk_rate(trunk).count()) / 8 / fabric.endpoints();
  };
  for (std::uint32_t i = 0; i < fabric.interfaces; i++) add(host_up_trunk(fabric, InterfaceId(i)), rates.nic);
  for (const Block& block : fabric.blocks)
    if (block.parent.valid()) add(block.up, block.kind == NodeKind::leaf ? rates.leaf_up : rates.pod_up);
  if (!fabric.ways.empty()) {
    rates.pod_up += static_cast<double>(rate_of_circuits(fabric).count()) / 8 / fabric.endpoints();
    return rates;
  }
  for (const CircuitBundle& bundle : fabric.circuits) {
    add(bundle.there, rates.pod_up);
    add(bundle.back, rates.pod_up);
  }
  return rates;
}

}  // namespace railyard
