#include "scheduler/write_placement.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

const std::vector<std::string> kNames = {"gpu1", "gpu2", "gpu3"};
const std::vector<RankSeat> kSeats = {{2, 0}, {2, 1}, {0, 0}, {0, 1}};

TEST(WritePlacement, hostfile_is_in_the_order_of_ranks) {
  EXPECT_EQ(write_hostfile(kNames, kSeats), "gpu3 slots=2\ngpu1 slots=2\n");
}

TEST(WritePlacement, rankfile_has_a_line_per_rank) {
  EXPECT_EQ(write_rankfile(kNames, kSeats), "rank 0=gpu3 slot=0\nrank 1=gpu3 slot=1\nrank 2=gpu1 slot=0\nrank 3=gpu1 slot=1\n");
}

TEST(WritePlacement, slurm_has_a_host_per_task) { EXPECT_EQ(write_slurm_hosts(kNames, kSeats), "gpu3\ngpu3\ngpu1\ngpu1\n"); }

TEST(WritePlacement, ranks_that_do_not_follow_each_other_are_noticed) {
  EXPECT_TRUE(is_consecutive(kSeats));
  EXPECT_FALSE(is_consecutive({{0, 0}, {1, 0}, {0, 1}}));
}

}  // namespace
}  // namespace railyard
