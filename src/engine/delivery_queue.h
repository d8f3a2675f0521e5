// Messages that have left and are on their way, by when they arrive.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "base/large_array.h"
#include "base/units.h"

namespace railyard {

/// Things by the instant at which they are due. Made for many that are due at few instants, and for those that are due in the
/// order in which they are added, but for some that are quicker: both are found without a search.
class DeliveryQueue {
 public:
  void add(Picoseconds at, std::uint32_t thing) {
    if (next_.size() <= thing) next_.resize(std::max<std::size_t>(thing + 1, next_.size() * 2));
    next_[thing] = kNone;
    first_ = std::min(first_, at);
    for (Lane& lane : lanes_)
      if (lane.add(at, thing, next_)) return;
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
  [[nodiscard]] Picoseconds next() const { return first_; }

  /// Takes out everything that is due at next(), in no order that means anything. REQUIRES: there is something.
  void take(std::vector<std::uint32_t>& things) {
    const Picoseconds at = next();
    for (Lane& lane : lanes_)
      if (lane.next() == at) take_row(lane.take(), things);
    if (!instants_.empty() && instants_.front().first == at) take_from_heap(at, things);
    first_ = instants_.empty() ? Picoseconds::max() : instants_.front().first;
    for (const Lane& lane : lanes_) first_ = std::min(first_, lane.next());
  }

  void clear() {
    first_ = Picoseconds::max();
    instants_.clear();
    lately_ = {};
    for (Lane& lane : lanes_) lane.clear();
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  static constexpr int kSlotBits = 5;
  struct Row {
    Picoseconds at;
    std::uint32_t last = kNone;  // of those that were added for this instant
  };
  /// Instants that came in the order of time.
  class Lane {
   public:
    /// False if something later is there.
    bool add(Picoseconds at, std::uint32_t thing, LargeArray<std::uint32_t>& next) {
      if (!instants_.empty() && at < instants_.back().at) return false;
      if (!instants_.empty() && at == instants_.back().at)
        next[std::exchange(instants_.back().last, thing)] = thing;
      else
        instants_.push_back({at, thing, thing});
      return true;
    }
    [[nodiscard]] Picoseconds next() const { return instants_.empty() ? Picoseconds::max() : instants_[begin_].at; }
    /// The first thing of the first instant. REQUIRES: there is one.
    std::uint32_t take() {
      const std::uint32_t first = instants_[begin_++].first;
      if (begin_ == instants_.size()) {
        clear();
      } else if (begin_ >= kManyGone && 2 * begin_ >= instants_.size()) {
        instants_.erase(instants_.begin(), instants_.begin() + static_cast<std::ptrdiff_t>(begin_));
        begin_ = 0;
      }
      return first;
    }
    void clear() {
      instants_.clear();
      begin_ = 0;
    }

   private:
    struct Instant {
      Picoseconds at;
      std::uint32_t first, last;
    };
    static constexpr std::size_t kManyGone = 64;
    LargeArray<Instant> instants_;
    std::size_t begin_ = 0;  // of those that are left
  };

  static std::size_t slot_of(Picoseconds at) {
    return static_cast<std::uint64_t>(at.count()) * 0x9E3779B97F4A7C15U >> (64 - kSlotBits);
  }
  void take_from_heap(Picoseconds at, std::vector<std::uint32_t>& things) {
    if (Row& row = lately_[slot_of(at)]; row.at == at) row.last = kNone;
    while (!instants_.empty() && instants_.front().first == at) {
      take_row(instants_.front().second, things);
      std::pop_heap(instants_.begin(), instants_.end(), std::greater<>());
      instants_.pop_back();
    }
  }

  void take_row(std::uint32_t thing, std::vector<std::uint32_t>& things) const {
    for (; thing != kNone; thing = next_[thing]) things.push_back(thing);
  }

  Picoseconds first_ = Picoseconds::max();  // of all instants
  std::array<Lane, 3> lanes_;               // tried in this order, so that each has what is quicker than the one before
  std::array<Row, std::size_t{1} << kSlotBits> lately_{};
  LargeArray<std::uint32_t> next_;                              // by thing: the next one of the same instant
  LargeArray<std::pair<Picoseconds, std::uint32_t>> instants_;  // the rest: a heap; with the first thing of each
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

/// Sorts numbers, least first. Of many, those of one instant lie close together: they are dealt by the bits in which they
/// differ. Those that differ only below bit `from` may stay as they are. `room` is for its use.
inline void order_numbers(std::vector<std::uint64_t>& numbers, std::vector<std::uint64_t>& room, int from = 0) {
  constexpr std::size_t kFew = 64;
  constexpr int kBits = 8;
  if (numbers.size() < kFew) return order_deliveries(numbers, std::less<>());
  if (std::is_sorted(numbers.begin(), numbers.end())) return;
  std::uint64_t differ = 0;
  for (const std::uint64_t number : numbers) differ |= number ^ numbers.front();
  for (int shift = std::max(from, std::countr_zero(differ)); shift < 64 && differ >> shift != 0; shift += kBits) {
    std::array<std::uint32_t, std::size_t{1} << kBits> begin{};
    const auto digit = [&](std::uint64_t number) { return number >> shift & (begin.size() - 1); };
    for (const std::uint64_t number : numbers) begin[digit(number)]++;
    std::exclusive_scan(begin.begin(), begin.end(), begin.begin(), 0U);
    room.resize(numbers.size());
    for (const std::uint64_t number : numbers) room[begin[digit(number)]++] = number;
    numbers.swap(room);
  }
}

/// Sorts things by what number_of says of each. Numbers are read once and lie together, unless there are so many things that
/// this would take much memory.
class DeliveryOrder {
 public:
  template<class NumberOf>
  void sort(std::vector<std::uint32_t>& things, NumberOf number_of) {
    constexpr std::size_t kMany = 1U << 16;
    if (things.size() < 2) return;
    if (things.size() > kMany)
      return order_deliveries(things, [&](std::uint32_t a, std::uint32_t b) { return number_of(a) < number_of(b); });
    numbers_.clear();
    std::uint32_t place = 0;
    for (const std::uint32_t thing : things) numbers_.push_back(std::uint64_t{number_of(thing)} << 16 | place++);
    order_numbers(numbers_, room_);
    before_.assign(things.begin(), things.end());
    for (std::size_t i = 0; i < things.size(); i++) things[i] = before_[numbers_[i] & 0xFFFF];
  }

 private:
  std::vector<std::uint64_t> numbers_, room_;
  std::vector<std::uint32_t> before_;
};

}  // namespace railyard
