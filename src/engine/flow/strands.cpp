#include "engine/flow/strands.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "engine/flow/set_key.h"

namespace railyard {

StrandId Strands::add(const LaneSum& sum, std::uint8_t priority) {
  for (const std::uint32_t lane : sum.touched()) {
    lane_.push_back(lane);
    part_.push_back(sum.part(lane));
  }
  RY_CHECK(lane_.size() < std::numeric_limits<std::uint32_t>::max(), "strands cross fewer than 2^32 lanes in all");
  first_.push_back(static_cast<std::uint32_t>(lane_.size()));
  priority_.push_back(priority);
  return StrandId(static_cast<std::uint32_t>(size() - 1));
}

void Strands::clear() {
  first_.assign(1, 0);
  lane_.clear();
  part_.clear();
  priority_.clear();
}

std::span<const std::uint32_t> Strands::lanes(StrandId strand) const {
  return std::span(lane_).subspan(first_[strand.index()], first_[strand.index() + 1] - first_[strand.index()]);
}

std::span<const std::uint64_t> Strands::parts(StrandId strand) const {
  return std::span(part_).subspan(first_[strand.index()], first_[strand.index() + 1] - first_[strand.index()]);
}

void Strands::find_caps(std::span<const std::int64_t> capacity, std::int64_t cap) {
  cap_.assign(size(), cap);
  for (std::size_t s = 0; s < size(); s++)
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; i++) {
      const Int128 most = (Int128(capacity[lane_[i]]) << 32) / part_[i];
      if (most < cap_[s]) cap_[s] = static_cast<std::int64_t>(most);
    }
}

std::vector<bool> Strands::lanes_that_matter(std::span<const std::int64_t> capacity) const {
  std::vector<Int128> most(capacity.size(), 0);  // that all strands together can put on a lane
  std::vector<SetKey> crossed(capacity.size());  // by whom, and with which parts
  for (std::size_t s = 0; s < size(); s++)
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; i++) {
      most[lane_[i]] += (Int128(cap_[s]) * part_[i]) >> 32;
      crossed[lane_[i]].add((std::uint64_t{s} << 32) ^ part_[i] * 0x9E3779B97F4A7C15U);
    }
  std::vector<bool> matters(capacity.size(), false);
  std::unordered_map<SetKey, std::uint32_t, SetKey::Hash> narrowest;  // never iterated
  for (std::uint32_t lane = 0; lane < capacity.size(); lane++) {
    if (most[lane] <= capacity[lane]) continue;
    const auto [known, fresh] = narrowest.try_emplace(crossed[lane], lane);
    if (!fresh && capacity[lane] >= capacity[known->second]) continue;
    if (!fresh) matters[known->second] = false;
    known->second = lane;
    matters[lane] = true;
  }
  return matters;
}

FlowPaths Strands::paths(std::span<const std::int64_t> capacity, std::int64_t cap) {
  find_caps(capacity, cap);
  const std::vector<bool> matters = lanes_that_matter(capacity);
  kept_first_.assign(1, 0);
  kept_lane_.clear();
  kept_part_.clear();
  bool plain = true;
  for (std::size_t s = 0; s < size(); s++) {
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; i++) {
      if (!matters[lane_[i]]) continue;
      kept_lane_.push_back(lane_[i]);
      kept_part_.push_back(part_[i]);
      plain &= part_[i] == kWholePart;
    }
    kept_first_.push_back(static_cast<std::uint32_t>(kept_lane_.size()));
  }
  const bool one_class =
      std::all_of(priority_.begin(), priority_.end(), [&](std::uint8_t p) { return p == priority_.front(); });
  return {.first = kept_first_,
          .lane = kept_lane_,
          .part = plain ? std::span<const std::uint64_t>() : kept_part_,
          .cap = cap_,
          .weight = {},
          .priority = one_class ? std::span<const std::uint8_t>() : priority_};
}

}  // namespace railyard
