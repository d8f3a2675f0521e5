// Numbers by position, in few bits each, for lists of which there are hundreds of millions of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"

namespace railyard {

/// Grows at its end only. Blocks of 1,024 numbers are kept as what each is off a line through the first and the last, or as
/// which of few different numbers each is, whichever takes less. What rises evenly or repeats takes less than a bit a number;
/// what looks like chance takes the bits that it has. Looking one up takes a few nanoseconds. Nothing is copied as it grows.
class PackedNumbers {
 public:
  static constexpr std::size_t kBlock = 1024;

  void push(std::uint64_t number) {
    if (open_.capacity() == open_.size()) grow();
    open_.push_back(number);
    if (open_.size() == kBlock) close_block();
  }
  [[nodiscard]] std::size_t size() const { return blocks_.size() * kBlock + open_.size(); }
  [[nodiscard]] bool empty() const { return blocks_.empty() && open_.empty(); }
  [[nodiscard]] std::uint64_t operator[](std::size_t at) const;
  [[nodiscard]] std::uint64_t back() const { return (*this)[size() - 1]; }
  void clear();
  /// Of memory that its numbers take.
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Near a line: number i is first + step * i + fraction * i / 1024 and then its bits. Of a list: which of it; `first` says how
  /// long it is.
  struct Block {
    std::uint64_t first = 0, step = 0;
    std::uint32_t chunk = 0, word = 0;
    std::uint16_t fraction = 0;
    std::uint8_t width = 0;  // bits of each
    bool of_list = false;
  };

  void grow();
  void close_block();
  bool try_list(std::size_t most_bits);
  std::uint64_t* room_for(Block& block, std::size_t words);

  std::vector<Block> blocks_;
  std::vector<std::vector<std::uint64_t>> chunks_;
  std::vector<std::uint64_t> open_;  // the last numbers, as they are
};

}  // namespace railyard
