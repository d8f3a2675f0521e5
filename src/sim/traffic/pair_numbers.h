// Numbers of pairs of hosts, of which an all-to-all has millions.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "base/large_array.h"

namespace railyard {

/// A number for every pair, found again by the pair: one row in one array, so that a pair costs one look into memory.
class PairNumbers {
 public:
  /// The number of the pair, which becomes `next` if it has none. REQUIRES: the pair is not all ones.
  std::uint32_t find_or_add(std::uint64_t pair, std::uint32_t next) {
    if (2 * (pairs_ + 1) > rows_.size()) grow();
    Row& row = rows_[place_of(pair)];
    if (row.pair == kNone) row = {pair, next}, pairs_++;
    return row.number;
  }

 private:
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  struct Row {
    std::uint64_t pair = kNone;
    std::uint32_t number = 0;
  };

  /// Where it is, or would be: neighbours follow where a place is taken.
  [[nodiscard]] std::size_t place_of(std::uint64_t pair) const {
    const std::size_t last = rows_.size() - 1;
    std::size_t place = (pair ^ pair >> 32) * 0x9E3779B97F4A7C15U >> std::countl_zero(last);
    while (rows_[place].pair != kNone && rows_[place].pair != pair) place = (place + 1) & last;
    return place;
  }
  void grow() {
    constexpr std::size_t kFewest = 64;
    LargeArray<Row> before(rows_.empty() ? kFewest : 2 * rows_.size());
    before.swap(rows_);
    for (const Row& row : before)
      if (row.pair != kNone) rows_[place_of(row.pair)] = row;
  }

  LargeArray<Row> rows_;  // as many as a power of two, at least half of them empty
  std::size_t pairs_ = 0;
};

}  // namespace railyard
