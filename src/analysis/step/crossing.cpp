#include "analysis/step/crossing.h"

#include <algorithm>
#include <map>

namespace railyard {

namespace {

constexpr std::uint32_t kMostRanks = 1U << 16;

/// Hops and pairs of one group that leave a domain.
Crossing count_of(const std::vector<std::uint32_t>& members, std::uint32_t domain) {
  std::map<std::uint32_t, double> held;  // by domain
  Crossing counted;
  for (std::size_t i = 0; i < members.size(); i++) {
    const std::uint32_t here = members[i] / domain, next = members[(i + 1) % members.size()] / domain;
    counted.ring += here != next ? 1 : 0;
    held[here]++;
  }
  const auto n = static_cast<double>(members.size());
  counted.pairs = n * n;
  for (const auto& [at, count] : held) counted.pairs -= count * count;
  return counted;
}

}  // namespace

Crossing crossing_of(const Layout& layout, const Group& group) {
  const std::uint32_t ranks = std::min(layout.ranks(), kMostRanks);
  std::vector<bool> seen(layout.ranks(), false);
  Crossing sum;
  double groups = 0;
  for (std::uint32_t rank = 0; rank < ranks; rank++) {
    if (seen[rank]) continue;
    const std::vector<std::uint32_t> members = layout.members(group, rank);
    for (const std::uint32_t member : members) seen[member] = true;
    const Crossing one = count_of(members, layout.domain);
    sum.ring += one.ring, sum.pairs += one.pairs, groups++;
  }
  const double n = group.size;
  return {sum.ring / (groups * n), sum.pairs / (groups * n * n)};
}

double crossing_between(const Layout& layout, std::uint32_t stage, std::uint32_t other) {
  const std::uint32_t inner = layout.tensor * layout.context, of_stage = std::min(layout.stage_ranks(), kMostRanks);
  double cross = 0;
  for (std::uint32_t i = 0; i < of_stage; i++) {
    Position at{i % layout.tensor, i / layout.tensor % layout.context, i / inner, stage};
    const std::uint32_t here = layout.rank(at) / layout.domain;
    at.pipeline = other;
    cross += here != layout.rank(at) / layout.domain ? 1 : 0;
  }
  return cross / of_stage;
}

}  // namespace railyard
