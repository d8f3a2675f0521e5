// When rates change too often to follow every change.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/units.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// Counts the work of finding rates. From some amount on, a flow that is through holds its share of links for a while, as if
/// padding followed what it carried, so that those that end soon after each other make one change of rates. Padding is never
/// more than a part of what the flow carried; what starts, and a link that changes, never wait.
///
/// So all times are those of max-min rates, to the unit, for messages that are followed by padding of 0 to 1 / kPart of their
/// size (docs/models.md, merged changes of rates).
class MergedChanges {
 public:
  static constexpr std::int64_t kPart = 64;
  static constexpr std::uint64_t kMergeAfter = std::uint64_t{1} << 25;  // members and crossings: about half a second

  explicit MergedChanges(std::optional<std::uint64_t> merge_after) : merge_after_(merge_after.value_or(kMergeAfter)) {}

  /// Work so far (FollowedRates::work).
  void count(std::uint64_t work) { begun_ = work > merge_after_; }
  [[nodiscard]] bool begun() const { return begun_; }
  /// How long a flow that carried `volume` and is through at `rate` may hold its share. REQUIRES: rate > 0.
  [[nodiscard]] Picoseconds hold(Int128 volume, std::int64_t rate) const {
    if (!begun_) return Picoseconds::zero();
    return Picoseconds(static_cast<std::int64_t>(std::min(volume / kPart / rate, Int128(kLongest.count()))));
  }

 private:
  static constexpr Picoseconds kLongest = 3'600'000'000_us;  // no sum of times overflows
  const std::uint64_t merge_after_;
  bool begun_ = false;
};

}  // namespace railyard
