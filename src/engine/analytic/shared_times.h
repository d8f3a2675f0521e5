// When messages of one size that start together are through, where closed forms do not share fairly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "engine/analytic/batch_times.h"
#include "engine/analytic/fair_shares.h"

namespace railyard {

/// One solution for all of a batch (docs/models.md, batches that share links): on the link that holds a message back nobody is
/// faster, so nobody leaves it before the message does, and rates stay.
class SharedTimes {
 public:
  explicit SharedTimes(FairShares& shares) : shares_(shares) {}

  /// Whether a batch is one of these.
  [[nodiscard]] static bool suits(std::span<const Sending> batch) {
    return std::all_of(batch.begin(), batch.end(), [&](const Sending& one) { return one.size == batch.front().size; });
  }

  /// Finds how long each takes.
  void find(std::span<Sending> batch);

  /// What is left of each after `elapsed`, by index, in the units of volume_of; of those that are through nothing. REQUIRES:
  /// links run as they did in find().
  std::vector<Int128> left(std::span<const Sending> batch, Picoseconds elapsed);

 private:
  void find_rates(std::span<const Sending> batch);
  void forget();

  FairShares& shares_;
  LargeArray<std::uint32_t> path_;  // by message, as is rate_
  LargeArray<std::int64_t> rate_;
};

}  // namespace railyard
