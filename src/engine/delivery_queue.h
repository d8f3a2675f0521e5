// Messages that have left and are on their way, by when they arrive.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "base/units.h"

namespace railyard {

/// Things by the instant at which they are due. Made for many that are due at few instants: those are found without a search.
class DeliveryQueue {
 public:
  void add(Picoseconds at, std::uint32_t thing) {
    if (next_.size() <= thing) next_.resize(std::max<std::size_t>(thing + 1, next_.size() * 2));
    next_[thing] = kNone;
    Row& row = lately_[slot_of(at)];
    if (row.at == at && row.last != kNone) {
      next_[row.last] = thing;
      row.last = thing;
      return;
    }
    row = {at, thing};
    instants_.emplace_back(at, thing);
    std::push_heap(instants_.begin(), instants_.end(), std::greater<>());
  }

  /// The first instant; Picoseconds::max() if there is nothing.
  [[nodiscard]] Picoseconds next() const { return instants_.empty() ? Picoseconds::max() : instants_.front().first; }

  /// Takes out everything that is due at next(), in no order that means anything. REQUIRES: there is something.
  void take(std::vector<std::uint32_t>& things) {
    const Picoseconds at = next();
    if (Row& row = lately_[slot_of(at)]; row.at == at) row.last = kNone;
    while (next() == at) {
      for (std::uint32_t thing = instants_.front().second; thing != kNone; thing = next_[thing]) things.push_back(thing);
      std::pop_heap(instants_.begin(), instants_.end(), std::greater<>());
      instants_.pop_back();
    }
  }

  void clear() {
    instants_.clear();
    lately_ = {};
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr int kSlotBits = 5;
  struct Row {
    Picoseconds at;
    std::uint32_t last = kNone;  // of those that were added for this instant
  };
  static std::size_t slot_of(Picoseconds at) {
    return static_cast<std::uint64_t>(at.count()) * 0x9E3779B97F4A7C15U >> (64 - kSlotBits);
  }

  std::array<Row, std::size_t{1} << kSlotBits> lately_{};
  LargeArray<std::uint32_t> next_;                              // by thing: the next one of the same instant
  LargeArray<std::pair<Picoseconds, std::uint32_t>> instants_;  // a heap; with the first thing of each
};

/// Sorts what mostly is sorted, forwards or backwards.
template<class Things, class Less>
void order_deliveries(Things& things, Less less) {
  if (std::is_sorted(things.begin(), things.end(), less)) return;
  if (std::is_sorted(things.rbegin(), things.rend(), less))
    std::reverse(things.begin(), things.end());
  else
    std::sort(things.begin(), things.end(), less);
}

}  // namespace railyard
