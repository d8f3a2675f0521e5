// What is through next.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/large_array.h"
#include "base/units.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// When things are through at the rates they have, the earliest first; of equal times the one with the lowest number. A thing
/// is there once: one that gets another rate moves.
///
/// A tree over all numbers: of every eight times, which are one cache line, the level above has the least. What moves mostly
/// is not the first of its eight, and then nothing above changes.
class EndQueue {
 public:
  /// Adds it, or moves it. REQUIRES: at is not kNever.
  void set(std::uint32_t thing, Picoseconds at) {
    if (thing >= size_) grow(thing + 1);
    if (times_[thing] == kNever) count_++;
    change(thing, at);
  }
  /// Begins anew, for everything that is there is set again or removed before restarted() is called: if that is much, they are
  /// put in order once. REQUIRES: nothing is asked or taken in between.
  void restart() { restarting_ = count_ * kGroup >= size_; }
  void restarted() {
    if (restarting_) fill_levels();
    restarting_ = false;
  }
  /// Nothing happens if it is not there.
  void remove(std::uint32_t thing) {
    if (thing >= size_ || times_[thing] == kNever) return;
    count_--;
    change(thing, kNever);
  }
  /// The first time; kNever if there is nothing.
  [[nodiscard]] Picoseconds next() const { return size_ == 0 ? kNever : times_[begin_[top_]]; }
  /// What is through then. REQUIRES: there is something.
  [[nodiscard]] std::uint32_t first() const {
    RY_CHECK(count_ > 0, "what is first is there");
    const Picoseconds at = next();
    std::uint32_t thing = 0;
    for (std::size_t level = top_; level-- > 0;)
      thing = thing * kGroup + first_of(places_of(at, begin_[level] + std::size_t{thing} * kGroup));
    return thing;
  }
  /// Takes the first out. REQUIRES: there is one.
  std::uint32_t take() {
    const std::uint32_t thing = first();
    remove(thing);
    return thing;
  }
  /// Takes out all that are through at next(), in the order of their numbers, and appends them. REQUIRES: there is one.
  void take_all(std::vector<std::uint32_t>& things) {
    RY_CHECK(count_ > 0, "what is taken is there");
    const std::size_t before = things.size();
    take_below(top_, 0, next(), things);
    count_ -= things.size() - before;
  }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  /// When it is through; kNever if it is not there.
  [[nodiscard]] Picoseconds at(std::uint32_t thing) const { return thing < size_ ? times_[thing] : kNever; }
  void clear() {
    if (count_ > 0) std::fill(times_.begin(), times_.end(), kNever);
    count_ = 0;
  }

 private:
  static constexpr std::uint32_t kGroup = 8;

  // Of eight from `begin` on. Which of them it is cannot be foretold: neither has a branch.

  [[nodiscard]] Picoseconds least_of(std::size_t begin) const {
    const Picoseconds* const at = &times_[begin];
    const auto least = [](Picoseconds a, Picoseconds b) { return b < a ? b : a; };
    return least(least(least(at[0], at[1]), least(at[2], at[3])), least(least(at[4], at[5]), least(at[6], at[7])));
  }
  /// Those that are `at`, as bits.
  [[nodiscard]] std::uint32_t places_of(Picoseconds at, std::size_t begin) const {
    std::uint32_t places = 0;
    for (std::uint32_t i = 0; i < kGroup; i++) places |= std::uint32_t{times_[begin + i] == at} << i;
    return places;
  }
  static std::uint32_t first_of(std::uint32_t places) { return static_cast<std::uint32_t>(std::countr_zero(places)); }

  /// Of what one place of a level stands for, all that are `at`. REQUIRES: there is one.
  void take_below(std::size_t level, std::uint32_t place, Picoseconds at, std::vector<std::uint32_t>& things) {
    if (level == 0) {
      things.push_back(place);
      times_[place] = kNever;
      return;
    }
    const std::size_t begin = begin_[level - 1] + std::size_t{place} * kGroup;
    for (std::uint32_t places = places_of(at, begin); places != 0; places &= places - 1)
      take_below(level - 1, place * kGroup + first_of(places), at, things);
    times_[begin_[level] + place] = least_of(begin);
  }

  void change(std::uint32_t place, Picoseconds to) {
    Picoseconds from = times_[place];
    times_[place] = to;
    if (restarting_) return;
    for (std::size_t level = 0; level < top_; level++) {
      const std::uint32_t group = place / kGroup;
      Picoseconds& above = times_[begin_[level + 1] + group];
      if (to >= above) {
        if (from != above) return;  // another is the first, and stays it
        to = least_of(begin_[level] + std::size_t{group} * kGroup);
        if (to == above) return;
      }
      from = above;
      above = to;
      place = group;
    }
  }

  void grow(std::uint32_t things) {
    const std::uint32_t before = size_;
    size_ = (std::max(things, 2 * before) + kGroup - 1) / kGroup * kGroup;
    std::size_t all = 0, level_size = size_;
    for (top_ = 0;; top_++) {
      begin_[top_] = all;
      all += (level_size + kGroup - 1) / kGroup * kGroup;
      if (level_size == 1) break;
      level_size = (level_size + kGroup - 1) / kGroup;
    }
    LargeArray<Picoseconds> times(all, kNever);
    std::copy_n(times_.begin(), before, times.begin());
    times_.swap(times);
    fill_levels();
  }

  void fill_levels() {
    for (std::size_t level = 0; level < top_; level++)
      for (std::size_t i = begin_[level]; i < begin_[level + 1]; i += kGroup)
        times_[begin_[level + 1] + (i - begin_[level]) / kGroup] = least_of(i);
  }

  LargeArray<Picoseconds> times_;           // level by level: things by number, then the least of every eight, and on
  std::array<std::size_t, 12> begin_ = {};  // of each level
  std::size_t top_ = 0;                     // the level that has one time, the first of all
  std::uint32_t size_ = 0;                  // things that there is room for
  std::size_t count_ = 0;                   // that are there
  bool restarting_ = false;
};

}  // namespace railyard
