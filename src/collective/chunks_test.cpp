#include "collective/chunks.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(Chunks, an_even_split_differs_by_at_most_one_byte_and_sums_to_the_buffer) {
  for (const std::int64_t size : {0, 1, 6, 7, 8, 1000})
    for (const std::uint32_t count : {1U, 7U, 13U}) {
      const Chunks chunks = Chunks::even(Bytes(size), count, 3);
      Bytes sum;
      for (std::uint32_t i = 0; i < 3 * count; i++) sum += chunks[i];
      EXPECT_EQ(sum, Bytes(size));
      EXPECT_EQ(chunks.total(), sum);
      EXPECT_EQ(chunks.largest(), chunks[0]);
      EXPECT_LE(chunks.sum(0, 1, 3) - chunks.sum(3 * count - 3, 1, 3), 1_B);  // first and last part
      EXPECT_LE(chunks[0] - chunks[2], 1_B);
      EXPECT_EQ(Chunks::copies(Bytes(size), 5, count).total(), Bytes(5 * size));
    }
}

TEST(Chunks, rounded_up_the_last_are_shorter_or_empty) {
  const Chunks chunks = Chunks::rounded_up(10_B, 8);
  EXPECT_EQ(chunks[4], 2_B);
  EXPECT_EQ(chunks[5], 0_B);
  EXPECT_EQ(chunks.total(), 10_B);
  EXPECT_EQ(Chunks::rounded_up(7_B, 3)[2], 1_B);
}

TEST(Chunks, sums_over_any_steps_are_those_of_the_single_chunks) {
  const std::vector<Bytes> sizes = {5_B, 0_B, 7_B, 1_B, 1_B, 30_B, 2_B, 0_B, 0_B, 4_B, 8_B, 9_B};
  const Chunks all[] = {Chunks::rounded_up(21_B, 12), Chunks::rounded_up(119_B, 12), Chunks::even(5_B, 12),
                        Chunks::even(125_B, 12),      Chunks::even(23_B, 4, 3),      Chunks::copies(5_B, 4, 3),
                        Chunks::even(125_B, 3, 4),    Chunks::listed(sizes)};
  for (const Chunks& chunks : all)
    for (std::uint32_t first = 0; first < 12; first++)
      for (std::uint32_t step = 0; step < 15; step++)
        for (std::uint32_t times = 1; times < 30; times++) {
          Bytes sum;
          for (std::uint32_t i = 0; i < times; i++) sum += chunks[(first + i * step) % 12];
          ASSERT_EQ(chunks.sum(first, step, times), sum) << first << " + " << step << " × " << times;
        }
}

}  // namespace
}  // namespace railyard
