#include "base/packed_numbers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace railyard {

namespace {

constexpr std::size_t kPackedCount = 10'000;  // nine blocks, and an open one

/// Bytes that `kPackedCount` numbers take, each of which must come back.
std::size_t bytes_of_numbers(const std::function<std::uint64_t(std::size_t)>& number) {
  PackedNumbers packed;
  std::vector<std::uint64_t> plain;
  for (std::size_t i = 0; i < kPackedCount; i++) plain.push_back(number(i)), packed.push(plain.back());
  EXPECT_EQ(packed.size(), kPackedCount);
  for (std::size_t i = 0; i < kPackedCount; i++) EXPECT_EQ(packed[i], plain[i]) << i;
  EXPECT_EQ(packed.back(), plain.back());
  PackedReader reader(packed);
  for (std::size_t i = 0; i < kPackedCount; i++) EXPECT_EQ(reader[i], plain[i]) << i;
  return packed.bytes();
}

constexpr std::size_t kOverhead = 8 * PackedNumbers::kBlock + 16 * 48;  // the open block, and what blocks are described by

TEST(PackedNumbers, what_rises_evenly_takes_nothing_but_its_blocks) {
  EXPECT_LE(bytes_of_numbers([](std::size_t) { return 7; }), kOverhead);
  EXPECT_LE(bytes_of_numbers([](std::size_t i) { return 3 * i + 17; }), kOverhead);
  EXPECT_LE(bytes_of_numbers([](std::size_t i) { return 1'000'000'000 - 5 * i; }), kOverhead);
  EXPECT_LE(bytes_of_numbers([](std::size_t i) { return i * 7 / 3; }), kOverhead + kPackedCount / 2);
}

TEST(PackedNumbers, what_repeats_takes_the_bits_that_tell_it_apart) {
  const auto alternating = [](std::size_t i) { return i % 3 == 0 ? 1'200'000'000U : i % 3 == 1 ? 65'536U : 100'000U; };
  EXPECT_LE(bytes_of_numbers(alternating), kOverhead + kPackedCount / 2);
}

TEST(PackedNumbers, numbers_of_any_size_come_back) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t state = 1;
  for (unsigned shift = 0; shift < 64; shift++)
    bytes_of_numbers([&](std::size_t) {
      state ^= state << 13U, state ^= state >> 7U, state ^= state << 17U;
      return state >> shift;
    });
  bytes_of_numbers([](std::size_t i) { return i % 2 == 0 ? 0 : kMost; });
  bytes_of_numbers([](std::size_t i) { return i % 1024 == 1023 ? kMost / 2 + 1 : i; });
  bytes_of_numbers([](std::size_t i) { return static_cast<std::uint64_t>(-static_cast<std::int64_t>(i % 70)); });
  bytes_of_numbers([](std::size_t i) { return i % 64 * 0x0123'4567'89ab'cdefU; });
  bytes_of_numbers([](std::size_t i) { return i % 65 * 0x0123'4567'89ab'cdefU; });
}

TEST(PackedNumbers, can_be_emptied_and_copied) {
  PackedNumbers packed;
  for (std::size_t i = 0; i < kPackedCount; i++) packed.push(i * i);
  const PackedNumbers copy = packed;
  packed.clear();
  EXPECT_TRUE(packed.empty());
  packed.push(3);
  EXPECT_EQ(packed[0], 3U);
  EXPECT_EQ(copy[9'999], 9'999U * 9'999U);
}

}  // namespace

}  // namespace railyard
