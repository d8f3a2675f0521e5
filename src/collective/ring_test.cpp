#include <gtest/gtest.h>

#include "collective/limits.h"
#include "collective/lower.h"

namespace railyard {
namespace {

Schedule ring_all_reduce(std::uint32_t positions, Bytes size) {
  return *lower(CollectiveKind::all_reduce, CollectiveAlgorithm::ring, {.positions = positions}, size);
}

TEST(RingAllReduce, chunks_sum_to_the_buffer_and_are_equal_but_for_the_last) {
  for (const std::int64_t size : {1, 7, 63, 1000, 1 << 20}) {
    const Schedule schedule = ring_all_reduce(7, Bytes(size));
    for (std::uint32_t i = 0; i + 1 < std::min<std::int64_t>(7, size); i++) EXPECT_EQ(schedule.chunks[i], schedule.chunks[0]);
    EXPECT_EQ(schedule.chunks.total(), Bytes(size));
  }
}

TEST(RingAllReduce, every_rank_sends_exactly_two_n_minus_one_over_n_of_the_buffer_on_average) {
  for (const std::uint32_t n : {2U, 5U, 16U}) {
    const Bytes size(1'000'003);
    const Schedule schedule = ring_all_reduce(n, size);
    Bytes sent;
    for (const Round& round : schedule.rounds)
      for (std::uint32_t repeat = 0; repeat < round.repeats; repeat++)
        for (const Transfer& t : round.transfers) sent += schedule.bytes_of(round, t, repeat);
    EXPECT_EQ(sent, least_bytes_sent(CollectiveKind::all_reduce, n, size));
  }
}

TEST(RingAllReduce, a_large_ring_is_described_in_little_space) {
  const Schedule schedule = ring_all_reduce(16'384, 1_GiB);
  EXPECT_EQ(schedule.rounds.size(), 2U);
  EXPECT_EQ(schedule.rounds[0].transfers.size(), 16'384U);
  EXPECT_EQ(schedule.messages(), 2ULL * 16'383 * 16'384);
  EXPECT_EQ(schedule.repeats(), 2ULL * 16'383);
}

}  // namespace
}  // namespace railyard
