// When messages that set out at one instant are through, if that can be said at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "engine/analytic/batch_times.h"
#include "engine/analytic/fair_shares.h"
#include "engine/analytic/shared_times.h"

namespace railyard {

/// The batch that set out last. One that is equal to it, as every round of a ring is to the one before, takes as long and is
/// not looked at again.
class TogetherTimes {
 public:
  TogetherTimes(const AnalyticPaths& paths, FairShares& shares) : batch_times_(paths), shared_times_(shares) {}

  /// Begins another batch.
  void begin() {
    same_ = known_;
    count_ = 0;
  }
  void add(std::uint32_t path, Bytes size) {
    same_ = same_ && count_ < batch_.size() && batch_[count_].path == path && batch_[count_].size == size;
    if (!same_) batch_.resize(count_), batch_.push_back({path, size, {}});
    count_++;
  }
  /// Finds how long each takes. False where they have to be followed change by change. Edges of a bundle wait for the slowest
  /// of them, fair or not.
  bool find(bool bundles) {
    if (same_ && count_ == batch_.size()) return true;
    batch_.resize(count_);
    closed_ = batch_times_.find(batch_) || bundles;
    known_ = closed_ || SharedTimes::suits(batch_);
    if (known_ && !closed_) shared_times_.find(batch_);
    return known_;
  }
  /// Links do not run as they did.
  void forget() { known_ = false; }

  /// As added. REQUIRES: the times were found.
  [[nodiscard]] std::span<const Sending> batch() const { return batch_; }
  /// What is left of each after `elapsed`, by index, in the units of volume_of; of those that are through nothing. REQUIRES:
  /// the times were found, and links run as they did then.
  std::vector<Int128> left(Picoseconds elapsed) {
    return closed_ ? batch_times_.left(batch_, elapsed) : shared_times_.left(batch_, elapsed);
  }

 private:
  BatchTimes batch_times_;
  SharedTimes shared_times_;
  LargeArray<Sending> batch_;
  std::size_t count_ = 0;  // of it, that were added
  bool closed_ = false;    // its times are those of closed forms
  bool known_ = false;     // its times were found
  bool same_ = false;      // what was added is what was there
};

}  // namespace railyard
