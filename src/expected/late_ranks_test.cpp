#include "expected/late_ranks.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

/// Calls of one all-reduce by eight ranks, each in a file of its own.
Measurements calls(const std::vector<double>& milliseconds) {
  Measurements measured;
  for (std::uint32_t rank = 0; rank < milliseconds.size(); rank++) {
    CollectiveTest test;
    test.tool = "nccl-inspector", test.collective = "all_reduce", test.ranks = 8;
    test.places.push_back({rank, "node-" + std::to_string(rank / 4), 0, {}, {}});
    CollectiveRow row;
    row.size = 64_MiB, row.time_s = milliseconds[rank] * 1e-3, row.rank = rank;
    test.rows.push_back(row);
    measured.tests.push_back(test);
  }
  return measured;
}

TEST(LateRanks, the_last_to_arrive_waits_for_nobody) {
  std::vector<Outlier> odd;
  late_ranks(calls({9, 9.2, 8.9, 9, 9.1, 4.0, 9, 9}), odd);
  ASSERT_EQ(odd.size(), 1U);
  EXPECT_EQ(odd.front().name, "5 (node-1)");
  odd.clear();
  late_ranks(calls({9, 9.2, 8.9, 9, 9.1, 8.5, 9, 9}), odd);
  EXPECT_TRUE(odd.empty());
}

TEST(LateRanks, who_computes_longest_is_waited_for) {
  Measurements measured;
  for (std::uint32_t rank = 0; rank < 4; rank++) {
    RankTrace trace;
    trace.rank = rank, trace.compute_s = rank == 2 ? 1.4 : 1.0;
    measured.traces.push_back(trace);
  }
  std::vector<Outlier> odd;
  late_ranks(measured, odd);
  ASSERT_EQ(odd.size(), 1U);
  EXPECT_EQ(odd.front().name, "2");
  measured.traces.resize(2);
  odd.clear();
  late_ranks(measured, odd);
  EXPECT_TRUE(odd.empty());
}

}  // namespace
}  // namespace railyard
