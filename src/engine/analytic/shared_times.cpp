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
  for (std::uint32_t i = 0; i < batch.size(); i++) open_.push_back({volume_of(batch[i].size), i});
}

void SharedTimes::find_rates() {
  rate_.resize(path_.size());
  shares_.find_rates(path_, rate_);
  for (const std::int64_t rate : rate_) RY_CHECK(rate > 0, "a link that runs has something for everybody");
}

void SharedTimes::find_rates_of_open(std::span<const Sending> batch) {
  path_.clear();
  for (const Open& one : open_) path_.push_back(batch[one.index].path);
  find_rates();
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
  std::uint64_t merged = 0;
  if (have_one_size(batch))
    find_for_one_size(batch);
  else
    merged = find_for_many_sizes(batch);
  forget();
  return merged;
}

void SharedTimes::find_for_one_size(std::span<Sending> batch) {
  for (const Sending& one : batch) path_.push_back(one.path);
  find_rates();
  for (std::size_t i = 0; i < batch.size(); i++) batch[i].takes = time_for(volume_of(batch[i].size), rate_[i]);
}

std::uint64_t SharedTimes::find_for_many_sizes(std::span<Sending> batch) {
  begin(batch);
  std::uint64_t merged = 0;
  for (Picoseconds now; !open_.empty();) {
    find_rates_of_open(batch);
    const Picoseconds until = end_of_rates(now);
    const std::size_t before = open_.size();
    for (std::size_t i = 0; i < open_.size(); i++)
      if (Int128(rate_[i]) * (until - now).count() >= open_[i].left)
        batch[open_[i].index].takes = now + time_for(open_[i].left, rate_[i]);
    move_on(now, until);
    merged += before - open_.size() - 1;
    now = until;
  }
  return merged;
}

std::vector<Int128> SharedTimes::left(std::span<const Sending> batch, Picoseconds elapsed) {
  const bool one_size = have_one_size(batch);
  begin(batch);
  std::vector<Int128> left(batch.size(), 0);
  for (Picoseconds now; !open_.empty() && now < elapsed;) {
    find_rates_of_open(batch);
    const Picoseconds until = one_size ? elapsed : std::min(elapsed, end_of_rates(now));
    move_on(now, until);
    now = until;
  }
  for (const Open& one : open_) left[one.index] = one.left;
  forget();
  return left;
}

void SharedTimes::forget() {
  give_back(open_);
  give_back(path_);
  give_back(rate_);
}

}  // namespace railyard
