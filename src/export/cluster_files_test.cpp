#include "export/cluster_files.h"

#include <gtest/gtest.h>

#include "fabric/testing.h"

namespace railyard {
namespace {

using testing::built;

TEST(SlurmTopology, every_server_is_below_one_switch) {
  const std::string text = slurm_topology(built(testing::leaf_spine(32, 8, 2, 400_Gbps, 100_ns)));
  EXPECT_NE(text.find("SwitchName=leaf0 Nodes=server[0-7]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("SwitchName=leaf3 Nodes=server[24-31]\n"), std::string::npos);
  EXPECT_NE(text.find("SwitchName=spine0 Switches=leaf[0-3]\n"), std::string::npos);
  EXPECT_EQ(text.find("SwitchName=top"), std::string::npos) << "one tree needs nothing above it";
}

TEST(SlurmTopology, servers_with_the_same_rails_are_one_place) {
  Scenario rails = testing::servers(Topology::rail_optimized, 64, 8, 4);
  const std::string text = slurm_topology(built(rails));
  EXPECT_NE(text.find("# leaf 0, leaf 1"), std::string::npos) << text;
  EXPECT_NE(text.find("SwitchName=rails0 Nodes=server[0-3]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("SwitchName=spine0 Switches=rails[0-1]\n"), std::string::npos) << text;
}

TEST(NcclTopology, nics_lie_beside_their_gpus) {
  const std::string text = nccl_topology({.gpus = 4, .nics = 2, .nic_rate = 400_Gbps, .scale_up_rate = 3600_Gbps});
  EXPECT_NE(text.find("count=\"18\" tclass=\"0x068000\""), std::string::npos) << text;
  EXPECT_NE(text.find("name=\"mlx5_1\" dev=\"1\" speed=\"400000\""), std::string::npos);
  EXPECT_EQ(text.find("mlx5_2"), std::string::npos);
  const std::string amd = nccl_topology(
      {.gpus = 8, .nics = 8, .nic_rate = 400_Gbps, .is_amd = true, .scale_up_rate = 3584_Gbps, .scale_up_switched = false});
  std::size_t links = 0;
  for (std::size_t at = amd.find("<xgmi"); at != std::string::npos; at = amd.find("<xgmi", at + 1)) links++;
  EXPECT_EQ(links, 8U * 7) << "every GPU to every other";
}

}  // namespace
}  // namespace railyard
