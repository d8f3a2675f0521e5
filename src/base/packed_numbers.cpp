#include "base/packed_numbers.h"

#include <algorithm>
#include <array>
#include <bit>

namespace railyard {

namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kChunk = 8192;        // words; a block never lies in two
constexpr std::size_t kFirstChunk = 256;    // of a short list
constexpr std::size_t kLongestList = 64;    // different numbers of a block
constexpr std::size_t kListWorthwhile = 3;  // bits a number below which no list is tried
constexpr std::uint64_t kFractions = 1024;

std::size_t words_for(std::size_t bits) { return (bits + kWordBits - 1) / kWordBits; }

void put_bits(std::uint64_t* words, std::size_t at, std::size_t width, std::uint64_t bits) {
  const std::size_t word = at / kWordBits, shift = at % kWordBits;
  words[word] |= bits << shift;
  if (shift + width > kWordBits) words[word + 1] |= bits >> (kWordBits - shift);
}

std::uint64_t on_line(std::uint64_t first, std::uint64_t step, std::uint64_t fraction, std::size_t i) {
  return first + step * i + fraction * i / kFractions;
}

/// The different numbers of a block in the order in which they come, and which each is.
class DifferentNumbers {
 public:
  DifferentNumbers() { slots_.fill(kEmpty); }

  /// False where there are too many.
  bool add(std::uint64_t number, std::uint8_t& which) {
    std::size_t slot = (number * 0x9e37'79b9'7f4a'7c15U) >> (kWordBits - kSlotBits);
    while (slots_[slot] != kEmpty && numbers_[slots_[slot]] != number) slot = (slot + 1) % slots_.size();
    if (slots_[slot] == kEmpty) {
      if (count_ == kLongestList) return false;
      slots_[slot] = static_cast<std::uint8_t>(count_);
      numbers_[count_++] = number;
    }
    which = slots_[slot];
    return true;
  }
  [[nodiscard]] std::span<const std::uint64_t> numbers() const { return {numbers_.data(), count_}; }

 private:
  static constexpr std::uint8_t kEmpty = 0xff;
  static constexpr std::size_t kSlotBits = 8;
  std::array<std::uint8_t, std::size_t{1} << kSlotBits> slots_ = {};
  std::array<std::uint64_t, kLongestList> numbers_ = {};
  std::size_t count_ = 0;
};

}  // namespace

void PackedNumbers::grow() { open_.reserve(std::min(kBlock, std::max<std::size_t>(16, open_.capacity() * 2))); }

std::uint64_t* PackedNumbers::room_for(Block& block, std::size_t words) {
  if (chunks_.empty() || chunks_.back().size() + words > kChunk) chunks_.emplace_back();
  std::vector<std::uint64_t>& chunk = chunks_.back();
  if (chunk.capacity() < chunk.size() + words)
    chunk.reserve(chunks_.size() == 1 ? std::max({kFirstChunk, 2 * chunk.capacity(), words}) : kChunk);
  block.chunk = static_cast<std::uint32_t>(chunks_.size() - 1);
  block.word = static_cast<std::uint32_t>(chunk.size());
  chunk.resize(chunk.size() + words, 0);
  return chunk.data() + block.word;
}

bool PackedNumbers::try_list(std::size_t most_bits) {
  DifferentNumbers different;
  std::array<std::uint8_t, kBlock> which = {};
  for (std::size_t i = 0; i < kBlock; i++)
    if (!different.add(open_[i], which[i])) return false;
  const std::span<const std::uint64_t> list = different.numbers();
  const auto width = static_cast<std::size_t>(std::bit_width(list.size() - 1));
  if (width * kBlock + list.size() * kWordBits >= most_bits) return false;
  Block block{.first = list.size(), .width = static_cast<std::uint8_t>(width), .of_list = true};
  std::uint64_t* const words = room_for(block, list.size() + words_for(width * kBlock));
  std::copy(list.begin(), list.end(), words);
  for (std::size_t i = 0; width > 0 && i < kBlock; i++) put_bits(words + list.size(), i * width, width, which[i]);
  blocks_.push_back(block);
  return true;
}

void PackedNumbers::close_block() {
  constexpr auto kSteps = static_cast<std::int64_t>(kBlock - 1);
  const auto rise = static_cast<std::int64_t>(open_.back() - open_.front());  // of numbers that wrap around, too
  std::int64_t step = rise / kSteps;
  if (rise % kSteps < 0) step--;
  const std::uint64_t rest = static_cast<std::uint64_t>(rise) - static_cast<std::uint64_t>(step) * std::uint64_t{kBlock - 1};
  Block block{.step = static_cast<std::uint64_t>(step),
              .fraction = static_cast<std::uint16_t>(rest * kFractions / static_cast<std::uint64_t>(kSteps))};
  std::int64_t lowest = 0, highest = 0;
  for (std::size_t i = 0; i < kBlock; i++) {
    const auto off = static_cast<std::int64_t>(open_[i] - on_line(open_.front(), block.step, block.fraction, i));
    lowest = std::min(lowest, off), highest = std::max(highest, off);
  }
  block.first = open_.front() + static_cast<std::uint64_t>(lowest);
  const auto width =
      static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest)));
  if (width <= kListWorthwhile || !try_list(width * kBlock)) {
    block.width = static_cast<std::uint8_t>(width);
    std::uint64_t* const words = width > 0 ? room_for(block, words_for(width * kBlock)) : nullptr;
    for (std::size_t i = 0; width > 0 && i < kBlock; i++)
      put_bits(words, i * width, width, open_[i] - on_line(block.first, block.step, block.fraction, i));
    blocks_.push_back(block);
  }
  open_.clear();
}

void PackedNumbers::unpack(std::size_t number, std::vector<std::uint64_t>& out) const {
  if (number >= blocks_.size()) {
    RY_CHECK(number == blocks_.size(), "a block that is unpacked is there");
    out = open_;
    return;
  }
  const Block& block = blocks_[number];
  out.resize(kBlock);
  if (block.of_list)
    for (std::size_t i = 0; i < kBlock; i++) out[i] = of_list(block, i);
  else
    for (std::size_t i = 0; i < kBlock; i++) out[i] = on_line(block.first, block.step, block.fraction, i);
  if (block.of_list || block.width == 0) return;
  const std::uint64_t* const words = words_of(block);
  for (std::size_t i = 0; i < kBlock; i++) out[i] += bits_at(words, i * block.width, block.width);
}

void PackedNumbers::clear() {
  blocks_ = {};
  chunks_ = {};
  open_ = {};
}

std::size_t PackedNumbers::bytes() const {
  std::size_t words = open_.capacity();
  for (const std::vector<std::uint64_t>& chunk : chunks_) words += chunk.capacity();
  return words * sizeof(std::uint64_t) + blocks_.capacity() * sizeof(Block);
}

}  // namespace railyard
