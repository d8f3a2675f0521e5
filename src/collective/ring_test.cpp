#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "collective/schedule.h"

namespace railyard {
namespace {

/// Carries a schedule out on small integers: value[p][c] is what position p holds of chunk c, starting with p + 1.
std::vector<std::vector<std::int64_t>> replay(const Schedule& schedule) {
  std::vector<std::vector<std::int64_t>> value(schedule.positions, std::vector<std::int64_t>(schedule.chunks.size()));
  for (std::uint32_t p = 0; p < schedule.positions; p++) std::fill(value[p].begin(), value[p].end(), p + 1);
  for (const Round& round : schedule.rounds) {
    for (std::uint32_t repeat = 0; repeat < round.repeats; repeat++) {
      const auto before = value;
      for (const Transfer& t : round.transfers) {
        const std::uint32_t chunk = schedule.chunk_of(round, t, repeat);
        std::int64_t& target = value[t.to.index()][chunk];
        const std::int64_t sent = before[t.from.index()][chunk];
        target = repeat < round.reducing_repeats ? target + sent : sent;
      }
    }
  }
  return value;
}

TEST(RingAllReduce, leaves_the_sum_everywhere) {
  for (std::uint32_t n = 2; n <= 33; n++) {
    const std::int64_t sum = std::int64_t{n} * (n + 1) / 2;
    for (const auto& held : replay(ring_all_reduce(n, Bytes(1000))))
      for (const std::int64_t value : held) ASSERT_EQ(value, sum) << n << " ranks";
  }
}

TEST(RingAllReduce, chunks_sum_to_the_buffer_and_are_equal_but_for_the_last) {
  for (const std::int64_t size : {1, 7, 63, 1000, 1 << 20}) {
    const Schedule schedule = ring_all_reduce(7, Bytes(size));
    for (std::uint32_t i = 0; i + 1 < std::min<std::int64_t>(7, size); i++) EXPECT_EQ(schedule.chunks[i], schedule.chunks[0]);
    EXPECT_EQ(std::accumulate(schedule.chunks.begin(), schedule.chunks.end(), Bytes::zero()), Bytes(size));
  }
}

TEST(RingAllReduce, every_rank_sends_exactly_two_n_minus_one_over_n_of_the_buffer_on_average) {
  for (const std::uint32_t n : {2U, 5U, 16U}) {
    const Bytes size(1'000'003);
    const Schedule schedule = ring_all_reduce(n, size);
    Bytes sent;
    for (const Round& round : schedule.rounds)
      for (std::uint32_t repeat = 0; repeat < round.repeats; repeat++)
        for (const Transfer& t : round.transfers) sent += schedule.chunks[schedule.chunk_of(round, t, repeat)];
    EXPECT_EQ(sent, all_reduce_total_bytes(n, size));
  }
}

TEST(RingAllReduce, a_large_ring_is_described_in_little_space) {
  const Schedule schedule = ring_all_reduce(16'384, 1_GiB);
  EXPECT_EQ(schedule.rounds.size(), 1U);
  EXPECT_EQ(schedule.messages(), 2ULL * 16'383 * 16'384);
  EXPECT_EQ(schedule.repeats(), 2ULL * 16'383);
}

}  // namespace
}  // namespace railyard
