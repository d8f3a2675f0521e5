// When groups end, asked for span by span.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "base/units.h"
#include "engine/rates/end_queue.h"

namespace railyard {

struct GroupEnd {
  Picoseconds at;
  std::uint32_t group;
};

/// What EndQueue tells, for whoever takes all that end within a span at once and sets them anew: a time is written and nothing
/// else is looked at, and of blocks of times it is known what none is before.
class SpanEnds {
 public:
  /// Begins with the ends of `groups` groups, end(group), kNever for none.
  template<class End>
  void begin(std::size_t groups, End end) {
    at_.assign((groups + kBlock - 1) / kBlock * kBlock, kNever);
    first_.assign(at_.size() / kBlock, kNever);
    taken_.resize(at_.size() + 1);
    count_ = 0;
    for (std::uint32_t group = 0; group < groups; group++)
      if (const Picoseconds at = end(group); at != kNever) set(group, at);
  }

  void set(std::uint32_t group, Picoseconds at) {
    at_[group] = at;
    Picoseconds& first = first_[group / kBlock];
    first = std::min(first, at);
  }
  [[nodiscard]] Picoseconds at(std::uint32_t group) const { return at_[group]; }
  /// Nothing is through before.
  [[nodiscard]] Picoseconds not_before() const {
    Picoseconds least = kNever;
    for (const Picoseconds first : first_) least = std::min(least, first);
    return least;
  }
  /// Takes out all that are through before `until`: these are taken() then. Returns whether any are left.
  bool take_before(Picoseconds until) {
    count_ = 0;
    Picoseconds rest = kNever;
    for (std::uint32_t block = 0; block < first_.size(); block++) {
      if (first_[block] < until) first_[block] = take_of_block(block * kBlock, until);
      rest = std::min(rest, first_[block]);
    }
    return rest != kNever;
  }
  [[nodiscard]] std::span<const GroupEnd> taken() const { return {taken_.data(), count_}; }

 private:
  static constexpr std::uint32_t kBlock = 16;

  /// Returns the first that is left. Which of them it is cannot be foretold: there is no branch.
  Picoseconds take_of_block(std::uint32_t begin, Picoseconds until) {
    Picoseconds rest = kNever;
    GroupEnd* taken = &taken_[count_];
    for (std::uint32_t group = begin; group < begin + kBlock; group++) {
      const Picoseconds at = at_[group];
      const bool is_before = at < until;
      *taken = {at, group};
      taken += is_before;
      const Picoseconds left = is_before ? kNever : at;
      at_[group] = left;
      rest = left < rest ? left : rest;
    }
    count_ = static_cast<std::size_t>(taken - taken_.data());
    return rest;
  }

  LargeArray<Picoseconds> at_;     // by group
  LargeArray<Picoseconds> first_;  // of every so many, or earlier
  std::vector<GroupEnd> taken_;    // room for all, and for one more
  std::size_t count_ = 0;          // taken
};

}  // namespace railyard
