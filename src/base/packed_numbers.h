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
/// what looks like chance takes the bits that it has. Looking one up takes a few nanoseconds. Little is copied as it grows.
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
  [[nodiscard]] std::uint64_t operator[](std::size_t at) const {
    const std::size_t i = at % kBlock;
    if (at / kBlock >= blocks_.size()) {
      RY_CHECK(at < size(), "a number that is looked up is there");
      return open_[i];
    }
    const Block& block = blocks_[at / kBlock];
    if (block.of_list) return of_list(block, i);
    const std::uint64_t line = block.first + block.step * i + block.fraction * i / kFractions;
    return block.width == 0 ? line : line + bits_at(words_of(block), i * block.width, block.width);
  }
  /// All numbers from block * kBlock on that belong to it.
  void unpack(std::size_t block, std::vector<std::uint64_t>& out) const;
  [[nodiscard]] std::uint64_t back() const { return (*this)[size() - 1]; }
  void clear();
  /// Of memory that its numbers take.
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Near a line: number i is first + step * i + fraction * i / 1024 and then its bits. Of a list: which of it; `first` says
  /// how long it is.
  struct Block {
    std::uint64_t first = 0, step = 0;
    std::uint32_t chunk = 0, word = 0;
    std::uint16_t fraction = 0;
    std::uint8_t width = 0;  // bits of each
    bool of_list = false;
  };

  static constexpr std::size_t kWordBits = 64;
  static constexpr std::uint64_t kFractions = 1024;

  static std::uint64_t bits_at(const std::uint64_t* words, std::size_t at, std::size_t width) {
    const std::size_t word = at / kWordBits, shift = at % kWordBits;
    std::uint64_t bits = words[word] >> shift;
    if (shift + width > kWordBits) bits |= words[word + 1] << (kWordBits - shift);
    return width == kWordBits ? bits : bits & ((std::uint64_t{1} << width) - 1);
  }
  [[nodiscard]] const std::uint64_t* words_of(const Block& block) const { return chunks_[block.chunk].data() + block.word; }
  [[nodiscard]] std::uint64_t of_list(const Block& block, std::size_t i) const {
    const std::uint64_t* const words = words_of(block);
    return words[block.width == 0 ? 0 : bits_at(words + block.first, i * block.width, block.width)];
  }
  void grow();
  void close_block();
  bool try_list(std::size_t most_bits);
  std::uint64_t* room_for(Block& block, std::size_t words);

  std::vector<Block> blocks_;
  std::vector<std::vector<std::uint64_t>> chunks_;
  std::vector<std::uint64_t> open_;  // the last numbers, as they are
};

/// Looks numbers up one after the other, a block at a time. The numbers must not change meanwhile.
class PackedReader {
 public:
  explicit PackedReader(const PackedNumbers& numbers) : numbers_(&numbers) {}

  std::uint64_t operator[](std::size_t at) {
    if (at / PackedNumbers::kBlock != block_) {
      block_ = at / PackedNumbers::kBlock;
      numbers_->unpack(block_, values_);
    }
    RY_CHECK(at % PackedNumbers::kBlock < values_.size(), "a number that is looked up is there");
    return values_[at % PackedNumbers::kBlock];
  }

 private:
  const PackedNumbers* numbers_;
  std::size_t block_ = static_cast<std::size_t>(-1);
  std::vector<std::uint64_t> values_;
};

}  // namespace railyard
