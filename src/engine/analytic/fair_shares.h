// The rates of messages that share lanes and start and end at different times.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/analytic/ways.h"
#include "engine/rates/incremental.h"

namespace railyard {

/// Max-min fair rates of the ways that are in use, followed from one change to the next. Costs nothing until the first is.
class FairShares {
 public:
  explicit FairShares(const Ways& ways) : ways_(ways) {}

  /// REQUIRES: the way is not in use, or in use.
  void enter(std::uint32_t way);
  void leave(std::uint32_t way) { rates_.remove(way); }
  /// It runs at another rate than before.
  void lane_changed(std::uint32_t lane);
  /// No way is in use any more, and lanes run as built.
  void clear();

  /// Ways whose rates may have changed, all that were entered among them. Valid until the next change.
  std::span<const std::uint32_t> settle();
  /// In units of 1 / kRateUnitsPerBit. REQUIRES: the way is in use, and nothing has changed since settle().
  [[nodiscard]] std::int64_t rate(std::uint32_t way) const { return rates_.rate(way); }

 private:
  void take_new_ways();

  const Ways& ways_;
  std::vector<std::int64_t> capacity_;  // by lane
  // Of the ways so far, as the solver wants them.
  std::vector<std::uint32_t> first_{0}, lane_;
  std::vector<std::uint64_t> part_;
  std::vector<std::int64_t> cap_;
  bool whole_ = true;  // all parts are
  IncrementalMaxMin rates_;
};

}  // namespace railyard
