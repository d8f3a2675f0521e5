#include "engine/analytic/shared_times.h"

#include <algorithm>

namespace railyard {

namespace {

Picoseconds time_for(Int128 volume, std::int64_t rate) {
  return Picoseconds(static_cast<std::int64_t>((volume + rate - 1) / rate));
}

}  // namespace

void SharedTimes::begin(std::span<const Sending> batch) {
  open_.clear();
  equal_ = true;
  for (std::uint32_t i = 0; i < batch.size(); i++) {
    open_.push_back({volume_of(batch[i].size), i});
    equal_ &= batch[i].size == batch.front().size;
  }
}

void SharedTimes::find_rates(std::span<const Sending> batch) {
  path_.clear();
  for (const Open& one : open_) path_.push_back(batch[one.index].path);
  rate_.resize(open_.size());
  shares_.find_rates(path_, rate_);
  for (const std::int64_t rate : rate_) RY_CHECK(rate > 0, "a link that runs has something for everybody");
}

/// Divides only where somebody is earlier than all before.
Picoseconds SharedTimes::first_end(Picoseconds now) const {
  Picoseconds first = time_for(open_.front().left, rate_.front());
  for (std::size_t i = 1; i < open_.size(); i++)
    if (Int128(rate_[i]) * (first.count() - 1) >= open_[i].left) first = time_for(open_[i].left, rate_[i]);
  return now + first;
}

/// Until when the rates are not found again.
Picoseconds SharedTimes::end_of_rates(Picoseconds now) const {
  if (equal_) return Picoseconds::max();
  const Picoseconds first = first_end(now);
  return first + first / kMergedPart;
}

/// Drops those that are through by `until`.
void SharedTimes::move_on(Picoseconds now, Picoseconds until) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < open_.size(); i++) {
    const Int128 moved = Int128(rate_[i]) * (until - now).count();
    if (moved >= open_[i].left) continue;
    open_[kept++] = {open_[i].left - moved, open_[i].index};
  }
  open_.resize(kept);
}

std::uint64_t SharedTimes::find(std::span<Sending> batch) {
  begin(batch);
  std::uint64_t merged = 0;
  for (Picoseconds now; !open_.empty();) {
    find_rates(batch);
    const Picoseconds until = end_of_rates(now);
    const std::size_t before = open_.size();
    for (std::size_t i = 0; i < open_.size(); i++) {
      if (equal_ || Int128(rate_[i]) * (until - now).count() >= open_[i].left)
        batch[open_[i].index].takes = now + time_for(open_[i].left, rate_[i]);
    }
    if (equal_) break;
    move_on(now, until);
    merged += before - open_.size() - 1;
    now = until;
  }
  open_ = {}, path_ = {}, rate_ = {};
  return merged;
}

std::vector<Int128> SharedTimes::left(std::span<const Sending> batch, Picoseconds elapsed) {
  begin(batch);
  std::vector<Int128> left(batch.size(), 0);
  for (Picoseconds now; !open_.empty() && now < elapsed;) {
    find_rates(batch);
    const Picoseconds until = std::min(elapsed, end_of_rates(now));
    move_on(now, until);
    now = until;
  }
  for (const Open& one : open_) left[one.index] = one.left;
  open_ = {}, path_ = {}, rate_ = {};
  return left;
}

}  // namespace railyard
