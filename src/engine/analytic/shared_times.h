// When messages that start together are through, where closed forms do not share fairly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "engine/analytic/batch_times.h"
#include "engine/analytic/fair_shares.h"

namespace railyard {

/// Follows a batch by itself, rates solved for all that is left of it at once (docs/models.md, batches that share links).
///
/// Messages of one size need one solution: on the link that holds a message back nobody is faster, so nobody leaves it before
/// the message does, and rates stay. Others change whenever one is through. That many messages of many sizes make too many
/// changes to follow: those within a part of the time since the start are made together, so that messages leave their links to
/// others somewhat late. What is through when it says so never is too early for its rate.
class SharedTimes {
 public:
  static constexpr std::size_t kMostFollowed = 4096;  // messages of different sizes whose every change is followed, elsewhere
  static constexpr std::int64_t kMergedPart = 64;     // of the time since the start

  explicit SharedTimes(FairShares& shares) : shares_(shares) {}

  /// Whether a batch is one of these two.
  [[nodiscard]] static bool suits(std::span<const Sending> batch) {
    return batch.size() > kMostFollowed || have_one_size(batch);
  }
  [[nodiscard]] static bool have_one_size(std::span<const Sending> batch) {
    return std::all_of(batch.begin(), batch.end(), [&](const Sending& one) { return one.size == batch.front().size; });
  }

  /// Finds how long each takes. Returns how many changes of rates were made together with others.
  std::uint64_t find(std::span<Sending> batch);

  /// What is left of each after `elapsed`, by index, in the units of volume_of. REQUIRES: links run as they did in find().
  std::vector<Int128> left(std::span<const Sending> batch, Picoseconds elapsed);

 private:
  /// A message that is not through.
  struct Open {
    Int128 left;
    std::uint32_t index;  // in the batch
  };

  void begin(std::span<const Sending> batch);
  void find_for_one_size(std::span<Sending> batch);
  [[nodiscard]] std::uint64_t find_for_many_sizes(std::span<Sending> batch);
  void find_rates();
  void find_rates_of_open(std::span<const Sending> batch);
  [[nodiscard]] Picoseconds first_end(Picoseconds now) const;
  [[nodiscard]] Picoseconds end_of_rates(Picoseconds now) const;
  void move_on(Picoseconds now, Picoseconds until);
  void forget();

  FairShares& shares_;
  LargeArray<Open> open_;
  LargeArray<std::uint32_t> path_;  // by open message, as is rate_
  LargeArray<std::int64_t> rate_;
};

}  // namespace railyard
