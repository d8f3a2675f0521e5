#include "engine/flow/strands.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "engine/flow/set_key.h"

namespace railyard {

StrandId Strands::add(const LaneSum& sum, std::uint8_t priority) {
  lane_.insert(lane_.end(), sum.lanes().begin(), sum.lanes().end());
  part_.insert(part_.end(), sum.parts().begin(), sum.parts().end());
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
      const Int128 most = part_[i] == kWholePart ? capacity[lane_[i]] : (Int128(capacity[lane_[i]]) << 32) / part_[i];
      if (most < cap_[s]) cap_[s] = static_cast<std::int64_t>(most);
    }
}

namespace {

/// Lanes by what crosses them: open addressing, since there may be a million.
class LanesByKey {
 public:
  explicit LanesByKey(std::span<const SetKey> keys) : keys_(keys), slots_(std::bit_ceil(2 * keys.size() + 2), kNobody) {}

  /// Which one stands for all with this one's key; itself if it is the first.
  std::uint32_t& find(std::uint32_t index) {
    for (std::size_t at = SetKey::Hash()(keys_[index]);; at++) {
      std::uint32_t& slot = slots_[at & (slots_.size() - 1)];
      if (slot == kNobody) slot = index;
      if (keys_[slot] == keys_[index]) return slot;
    }
  }

 private:
  static constexpr std::uint32_t kNobody = 0xFFFFFFFF;
  std::span<const SetKey> keys_;
  LargeArray<std::uint32_t> slots_;
};

}  // namespace

/// Calls job(strand, crossing, value of its lane) in order. Lanes lie anywhere: memory is asked for some in advance.
template<class T, class Job>
void Strands::for_each_crossing(LargeArray<T>& of_lane, Job job) const {
  constexpr std::uint32_t kAhead = 16;
  for (std::uint32_t s = 0; s < size(); s++)
    for (std::uint32_t i = first_[s]; i < first_[s + 1]; i++) {
      if (i + kAhead < lane_.size()) __builtin_prefetch(&of_lane[lane_[i + kAhead]], 1);
      job(s, i, of_lane[lane_[i]]);
    }
}

/// Lanes that all strands together could fill, each at the most it can reach.
std::vector<std::uint32_t> Strands::lanes_to_fill(std::span<const std::int64_t> capacity) const {
  LargeArray<std::int64_t> left(capacity.begin(), capacity.end());
  for_each_crossing(left, [&](std::uint32_t strand, std::uint32_t i, std::int64_t& of_lane) {
    const Int128 most = part_[i] == kWholePart ? cap_[strand] : (Int128(cap_[strand]) * part_[i]) >> 32;
    of_lane = of_lane < most ? -1 : of_lane - static_cast<std::int64_t>(most);
  });
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < capacity.size(); lane++)
    if (left[lane] < 0) lanes.push_back(lane);
  return lanes;
}

std::vector<bool> Strands::lanes_that_matter(std::span<const std::int64_t> capacity) const {
  const std::vector<std::uint32_t> lanes = lanes_to_fill(capacity);
  LargeArray<std::uint32_t> place(capacity.size(), 0);  // behind that in `lanes`; 0: not there
  for (std::uint32_t i = 0; i < lanes.size(); i++) place[lanes[i]] = i + 1;
  LargeArray<SetKey> crossed(lanes.size() + 1);  // by whom, and with which parts
  for_each_crossing(place, [&](std::uint32_t strand, std::uint32_t i, std::uint32_t of_lane) {
    if (of_lane > 0) crossed[of_lane - 1].add((std::uint64_t{strand} << 32) ^ part_[i] * 0x9E3779B97F4A7C15U);
  });
  std::vector<bool> matters(capacity.size(), false);
  LanesByKey narrowest(std::span<const SetKey>(crossed).first(lanes.size()));
  for (std::uint32_t i = 0; i < lanes.size(); i++) {
    std::uint32_t& known = narrowest.find(i);
    if (known != i && capacity[lanes[i]] >= capacity[lanes[known]]) continue;
    matters[lanes[known]] = false;
    known = i;
    matters[lanes[i]] = true;
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
