#include "engine/analytic/equal_shares.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "engine/analytic/sole_links.h"

namespace railyard {

namespace {

constexpr std::uint32_t kMostPaths = 1U << 16;  // so that tables of groups are never large

}  // namespace

void EqualShares::find() {
  found_ = true;
  if (paths_.size() > kMostPaths) return;
  SoleLinks sole = find_sole_links(paths_);
  if (sole.groups.empty()) return;
  group_of_.swap(sole.of_path);
  takes_all_ = std::find(group_of_.begin(), group_of_.end(), kNone) == group_of_.end();
  std::uint32_t begin = 0;
  for (const SoleLinks::Group& group : sole.groups) {
    groups_.push_back({.capacity = group.capacity, .cap = group.cap, .begin = begin});
    begin += group.paths;
  }
  on_wire_.resize(begin);
}

void EqualShares::forget() {
  give_back(group_of_), give_back(groups_), give_back(on_wire_);
  touched_.clear();
  ends_.clear();
}

void EqualShares::enter(std::uint32_t path, std::uint32_t sending, Int128 left, Picoseconds now) {
  const std::uint32_t number = group_of_[path];
  Group& group = groups_[number];
  advance(group, now);
  put(group, sending, left);
  if (!std::exchange(group.touched, true)) touched_.push_back(number);
}

/// Mostly one group ends, or very many do at once: these leave the queue together.
void EqualShares::take_ended(Picoseconds now, std::vector<std::uint32_t>& sendings) {
  take_ended_of(ends_.first(), now, sendings);
  if (ends_.next() != now) return;
  ending_.clear();
  ends_.take_all(ending_);
  for (const std::uint32_t number : ending_) take_ended_of(number, now, sendings);
}

void EqualShares::take_ended_of(std::uint32_t number, Picoseconds now, std::vector<std::uint32_t>& sendings) {
  Group& group = groups_[number];
  advance(group, now);
  while (is_through(group)) sendings.push_back(take(group));
  find_end(number, now);
}

void EqualShares::settle(Picoseconds now) {
  for (const std::uint32_t number : touched_) {
    groups_[number].touched = false;
    find_end(number, now);
  }
  touched_.clear();
}

/// REQUIRES: the group was advanced to now.
void EqualShares::find_end(std::uint32_t number, Picoseconds now) {
  const Picoseconds end = end_of(groups_[number], now);
  if (end == kNever) return ends_.remove(number);
  ends_.set(number, end);
}

}  // namespace railyard
