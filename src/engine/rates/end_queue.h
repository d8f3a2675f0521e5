// What is through next.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/check.h"
#include "base/large_array.h"
#include "base/units.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// When things are through at the rates they have, the earliest first; of equal times the one with the lowest number. A thing
/// is there once: one that gets another rate moves. A heap of four, in which most that move stay where they are.
class EndQueue {
 public:
  /// Adds it, or moves it. REQUIRES: at is not kNever.
  void set(std::uint32_t thing, Picoseconds at) {
    if (place_.size() <= thing) place_.resize(std::max<std::size_t>(thing + 1, place_.size() * 2), kAway);
    if (restarting_ || place_[thing] == kAway) {
      place_[thing] = static_cast<std::uint32_t>(ends_.size());
      ends_.push_back({at, thing});
      if (!restarting_) rise(place_[thing]);
      return;
    }
    End& end = ends_[place_[thing]];
    const bool earlier = at < end.at;
    end.at = at;
    earlier ? rise(place_[thing]) : sink(place_[thing]);
  }
  /// Begins anew, for everything that is there is set again or removed before restarted() is called: they are put in order
  /// once. REQUIRES: nothing is asked or taken in between.
  void restart() {
    restarting_ = true;
    ends_.clear();
  }
  void restarted() {
    restarting_ = false;
    if (ends_.size() < 2) return;
    for (auto at = static_cast<std::uint32_t>((ends_.size() - 2) / kChildren + 1); at > 0; at--) sink(at - 1);
  }
  /// Nothing happens if it is not there.
  void remove(std::uint32_t thing) {
    if (thing >= place_.size() || place_[thing] == kAway) return;
    const std::uint32_t at = std::exchange(place_[thing], kAway);
    if (restarting_) return;
    const End last = ends_.back();
    ends_.pop_back();
    if (at == ends_.size()) return;
    put(at, last);
    rise(at);
    sink(place_[last.thing]);
  }
  /// The first time; kNever if there is nothing.
  [[nodiscard]] Picoseconds next() const { return ends_.empty() ? kNever : ends_.front().at; }
  /// Takes the first out. REQUIRES: there is one.
  std::uint32_t take() {
    const std::uint32_t thing = ends_.front().thing;
    remove(thing);
    return thing;
  }
  void clear() {
    for (const End& end : ends_) place_[end.thing] = kAway;
    ends_.clear();
  }

 private:
  struct End {
    Picoseconds at;
    std::uint32_t thing;
    friend bool operator<(const End& a, const End& b) { return a.at != b.at ? a.at < b.at : a.thing < b.thing; }
  };
  static constexpr std::uint32_t kAway = 0xFFFFFFFF, kChildren = 4;

  void put(std::uint32_t at, const End& end) {
    ends_[at] = end;
    place_[end.thing] = at;
  }
  void rise(std::uint32_t at) {
    const End end = ends_[at];
    for (; at > 0 && end < ends_[(at - 1) / kChildren]; at = (at - 1) / kChildren) put(at, ends_[(at - 1) / kChildren]);
    put(at, end);
  }
  void sink(std::uint32_t at) {
    const End end = ends_[at];
    const auto size = static_cast<std::uint32_t>(ends_.size());
    for (std::uint32_t first = kChildren * at + 1; first < size; first = kChildren * at + 1) {
      std::uint32_t least = first;
      for (std::uint32_t child = first + 1; child < std::min(first + kChildren, size); child++)
        if (ends_[child] < ends_[least]) least = child;
      if (!(ends_[least] < end)) break;
      put(at, ends_[least]);
      at = least;
    }
    put(at, end);
  }

  LargeArray<End> ends_;
  LargeArray<std::uint32_t> place_;  // by thing: in ends_
  bool restarting_ = false;
};

}  // namespace railyard
