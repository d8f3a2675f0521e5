#include "tools/place/hosts.h"

#include <gtest/gtest.h>

#include "fabric/testing.h"
#include "scheduler/read_nodes.h"

namespace railyard {
namespace {

using Indices = std::vector<std::uint32_t>;

/// Eight servers of two GPUs, two below each of four leaves.
Fabric four_leaves() {
  Scenario s = testing::star(16, 400_Gbps, 500_ns, 300_ns);
  s.fabric.topology = Topology::leaf_spine;
  s.fabric.hosts_per_leaf = 4;
  s.fabric.spines = 2;
  s.fabric.per_node = s.fabric.interfaces_per_node = 2;
  return testing::built(s);
}

Result<MatchedNodes> matched(std::string_view text) {
  const Result<ListedNodes> list = read_nodes(text, "nodes.txt");
  EXPECT_TRUE(list.has_value());
  return match_nodes(*list, four_leaves());
}

TEST(MatchNodes, as_many_as_servers_go_in_natural_order) {
  const auto found = matched("n10 idle\nn9 alloc\nn1 idle\nn2 idle\nn3 mix\nn4 idle\nn5 down\nn6 idle\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->names[7], "n10");
  EXPECT_EQ(found->free, (Indices{7, 0, 1, 3, 5})) << "in the order of the list";
  EXPECT_EQ(found->busy.at("alloc"), 1U);
  EXPECT_TRUE(found->warnings.empty());
}

TEST(MatchNodes, free_nodes_alone_go_by_their_numbers) {
  const auto from_nothing = matched("n[0,3,7]");
  ASSERT_TRUE(from_nothing);
  EXPECT_EQ(from_nothing->free, (Indices{0, 3, 7}));
  const auto to_the_last = matched("n[3,8]");
  ASSERT_TRUE(to_the_last);
  EXPECT_EQ(to_the_last->free, (Indices{2, 7}));
  EXPECT_TRUE(to_the_last->warnings.empty()) << "the last of eight is 8, so the first is 1";
}

TEST(MatchNodes, what_is_assumed_is_said) {
  const auto numbers = matched("n[3,5]");
  ASSERT_TRUE(numbers);
  EXPECT_EQ(numbers->free, (Indices{2, 4}));
  ASSERT_EQ(numbers->warnings.size(), 1U);
  EXPECT_EQ(numbers->warnings.front().code, "RY-PLC-014");
  const auto names = matched("red\nblue\n");
  ASSERT_TRUE(names);
  EXPECT_EQ(names->names[0], "blue");
  EXPECT_EQ(names->warnings.front().code, "RY-PLC-014");
}

TEST(MatchNodes, switches_tell_the_leaf) {
  const auto found = matched("SwitchName=l2 Nodes=b[1-2]\nSwitchName=l10 Nodes=a9\nSwitchName=l1 Nodes=z[1-2]\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->names, (std::vector<std::string>{"z1", "z2", "b1", "b2", "a9", "", "", ""}));
}

TEST(MatchNodes, what_the_fabric_lacks_is_refused) {
  const auto too_many = matched("n[1-9]");
  ASSERT_FALSE(too_many);
  EXPECT_EQ(too_many.error().front().code, "RY-PLC-010");
  EXPECT_EQ(too_many.error().front().message, "the list has 9 nodes, and the fabric 8 servers");
  const auto below_one = matched("SwitchName=l1 Nodes=a[1-3]\n");
  ASSERT_FALSE(below_one);
  EXPECT_EQ(below_one.error().front().message, "l1 has 3 nodes, and a leaf of the fabric 2 servers");
  const auto leaves =
      matched("SwitchName=a Nodes=a\nSwitchName=b Nodes=b\nSwitchName=c Nodes=c\nSwitchName=d Nodes=d\nSwitchName=e Nodes=e\n");
  ASSERT_FALSE(leaves);
  EXPECT_EQ(leaves.error().front().message, "the list has 5 leaf switches where the fabric has 4 leaves");
}

}  // namespace
}  // namespace railyard
