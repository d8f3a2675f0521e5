#include "config/read/cli_tree.h"

#include <gtest/gtest.h>

#include "config/read/cli_kind.h"
#include "config/read/cli_ports.h"
#include "config/read/cli_values.h"

namespace railyard {
namespace {

TEST(CliTree, what_is_indented_deeper_is_below) {
  const CliTree tree =
      cli_tree("interface Ethernet1\r\n   mtu 9214\r\n   tx-queue 3\r\n      no priority\r\n!\r\nqos rewrite dscp\r\n");
  ASSERT_EQ(tree.statements.size(), 5U);
  std::vector<std::string> tops, below;
  tree.each_top([&](const CliStatement& one) { tops.push_back(one.text()); });
  EXPECT_EQ(tops, (std::vector<std::string>{"interface Ethernet1", "qos rewrite dscp"}));
  tree.each_below(tree.statements[0], [&](const CliStatement& one) { below.push_back(one.text()); });
  EXPECT_EQ(below, (std::vector<std::string>{"mtu 9214", "tx-queue 3"}));
  EXPECT_TRUE(tree.statements[3].no);
  EXPECT_EQ(tree.statements[3].line, 4U);
  EXPECT_EQ(tree.statements[3].column, 7U);
  EXPECT_EQ(tree.block_text(tree.statements[2]), "tx-queue 3\nno priority\n");
}

TEST(CliTree, banners_and_comments_are_no_statements) {
  EXPECT_EQ(cli_tree("banner login\nqos profile not-one\nEOF\nhostname a\n").statements.size(), 2U);
  EXPECT_EQ(cli_tree("banner motd ^C hello\nqos profile not-one\n^C\nhostname a\n").statements.size(), 2U);
  EXPECT_EQ(cli_tree("banner motd #\nhostname a\n").statements.size(), 2U) << "one that never ends hides nothing";
  EXPECT_TRUE(cli_tree("! a\n\n   \n# b\n").statements.empty());
}

TEST(CliTree, deep_indents_need_no_stack) {
  std::string text;
  for (int i = 0; i < 3000; i++) text += std::string(static_cast<std::size_t>(i), ' ') + "a\n";
  const CliTree tree = cli_tree(text);
  EXPECT_EQ(tree.statements.size(), 3000U);
  EXPECT_EQ(tree.statements[0].end, 3000U);
}

TEST(CliValues, lists_and_names_of_code_points) {
  CliStatement line;
  line.words = {"x", "0-2,4", "7", "9", "5-3"};
  EXPECT_EQ(cli_numbers_below(line, 1, 8), (std::vector<std::uint8_t>{0, 1, 2, 4, 7}));
  EXPECT_EQ(cli_dscp("af31"), 26);
  EXPECT_EQ(cli_dscp("cs6"), 48);
  EXPECT_EQ(cli_dscp("EF"), 46);
  EXPECT_EQ(cli_dscp("64"), std::nullopt);
}

TEST(CliValues, speeds_and_thresholds) {
  EXPECT_EQ(cli_speed("400g-4"), 400_Gbps);
  EXPECT_EQ(cli_speed("100gfull"), 100_Gbps);
  EXPECT_EQ(cli_speed("100000"), 100_Gbps);
  EXPECT_EQ(cli_speed("auto"), std::nullopt);
  EXPECT_EQ(cli_threshold("150", "kbytes"), (Threshold{ThresholdUnit::bytes, 150'000}));
  EXPECT_EQ(cli_threshold("3", "milliseconds"), (Threshold{ThresholdUnit::time, 3000}));
  EXPECT_EQ(cli_threshold("3", "parsecs"), std::nullopt);
}

TEST(CliValues, descriptions_name_the_other_end) {
  const auto both = [](std::string_view text) {
    const DescribedNeighbour found = described_neighbour(text);
    return found.device + "/" + found.port;
  };
  EXPECT_EQ(both("P2P_LINK_TO_POD1-SPINE2_Ethernet7/1"), "POD1-SPINE2/Ethernet7/1");
  EXPECT_EQ(both("facing_spine3:et-0/0/4:1"), "spine3/et-0/0/4:1");
  EXPECT_EQ(both("to leaf-07 Ethernet1/3"), "leaf-07/Ethernet1/3");
  EXPECT_EQ(both("tenant 2 to gpu-host-12"), "gpu-host-12/");
  EXPECT_EQ(both("gpu-host-12 mlx5_3"), "gpu-host-12/mlx5_3");
  EXPECT_EQ(both("Breakout et-0/0/12"), "/");
  EXPECT_EQ(both("storage of the second floor"), "/");
  EXPECT_EQ(both(""), "/");
}

TEST(CliValues, groups_that_are_not_paused_never_take_a_priority_that_is) {
  QosPolicy policy;
  set_paused_groups(policy, {{4, 3, 4}});
  policy.pfc = 1U << 3;
  EXPECT_EQ(policy.pausing_priority(4), 3);
  for (std::uint8_t other = 0; other < kPriorities; other++)
    EXPECT_EQ(policy.pausing_priority(other).has_value(), other == 4) << int{other};
  EXPECT_EQ(policy.queue_of_priority[3], 4);
}

TEST(CliPorts, ranges_are_taken_apart) {
  const auto names = [](std::vector<std::string_view> words) {
    CliStatement line;
    line.words = std::move(words);
    return cli_interface_names(line);
  };
  EXPECT_EQ(names({"interface", "ethernet", "1/3-5"}), (std::vector<std::string>{"ethernet1/3", "ethernet1/4", "ethernet1/5"}));
  EXPECT_EQ(names({"interface", "range", "ethernet1/1/7-1/1/8,1/1/10"}),
            (std::vector<std::string>{"ethernet1/1/7", "ethernet1/1/8", "ethernet1/1/10"}));
  EXPECT_EQ(names({"interface", "Ethernet1,Ethernet3-4"}), (std::vector<std::string>{"Ethernet1", "Ethernet3", "Ethernet4"}));
  EXPECT_EQ(names({"interface", "1/1/17-1/1/18"}), (std::vector<std::string>{"1/1/17", "1/1/18"}));
  EXPECT_EQ(names({"interface", "ethernet1/1/1:1-1/1/1:2"}), (std::vector<std::string>{"ethernet1/1/1:1", "ethernet1/1/1:2"}));
  EXPECT_LE(names({"interface", "Ethernet1-99999999999,5-1"}).size(), 4096U);
}

TEST(CliKind, text_of_none_is_none) {
  EXPECT_EQ(cli_kind(""), CliKind::none);
  EXPECT_EQ(cli_kind("{\"PORT\": {}}"), CliKind::none);
  EXPECT_EQ(cli_kind("#!/bin/bash\nexport NCCL_IB_TC=106\n"), CliKind::none);
  EXPECT_EQ(cli_kind("hostname leaf1\ninterface Ethernet1\n"), CliKind::none) << "too little to tell";
}

}  // namespace
}  // namespace railyard
