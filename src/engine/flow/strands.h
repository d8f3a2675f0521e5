// The paths of everything that was opened, as the solver wants them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "engine/flow/lanes.h"
#include "engine/rates/max_min.h"

namespace railyard {

using StrandId = Id<struct StrandTag>;

/// Rows of (lane, part), one per strand, in the order they were added.
class Strands {
 public:
  StrandId add(const LaneSum& sum, std::uint8_t priority);
  void clear();

  [[nodiscard]] std::size_t size() const { return first_.size() - 1; }
  [[nodiscard]] std::span<const std::uint32_t> lanes(StrandId strand) const;
  [[nodiscard]] std::span<const std::uint64_t> parts(StrandId strand) const;

  /// What the solver has to look at. The rates are the same without lanes that cannot become full, because even all strands
  /// together at the most each of them can ever reach leave room; and of lanes that the same strands cross with the same parts,
  /// as the NICs of a stage, the narrowest speaks for all.
  [[nodiscard]] FlowPaths paths(std::span<const std::int64_t> capacity, std::int64_t cap);

  /// The most a strand can ever reach. REQUIRES: paths() was called.
  [[nodiscard]] std::int64_t alone(StrandId strand) const { return cap_[strand.index()]; }

 private:
  void find_caps(std::span<const std::int64_t> capacity, std::int64_t cap);
  template<class T, class Job>
  void for_each_crossing(LargeArray<T>& of_lane, Job job) const;
  [[nodiscard]] std::vector<std::uint32_t> lanes_to_fill(std::span<const std::int64_t> capacity) const;
  [[nodiscard]] std::vector<bool> lanes_that_matter(std::span<const std::int64_t> capacity) const;

  LargeArray<std::uint32_t> first_{0}, lane_;
  LargeArray<std::uint64_t> part_;
  std::vector<std::uint8_t> priority_;
  // What paths() shows.
  LargeArray<std::uint32_t> kept_first_, kept_lane_;
  LargeArray<std::uint64_t> kept_part_;
  LargeArray<std::int64_t> cap_;
};

}  // namespace railyard
