#include "workload/layout.h"

#include <gtest/gtest.h>

#include <set>

namespace railyard {
namespace {

Layout some(RankOrder order) {
  return {.tensor = 4, .context = 2, .data = 6, .pipeline = 3, .expert = 8, .expert_tensor = 2, .order = order};
}

constexpr GroupKind kAll[] = {GroupKind::tensor, GroupKind::context,     GroupKind::expert_tensor, GroupKind::expert,
                              GroupKind::data,   GroupKind::expert_data, GroupKind::pipeline};

TEST(Layout, positions_and_ranks_are_one_to_one) {
  for (const RankOrder order : {RankOrder::data_inside, RankOrder::pipeline_inside}) {
    const Layout layout = some(order);
    for (std::uint32_t rank = 0; rank < layout.ranks(); rank++) EXPECT_EQ(layout.rank(layout.position(rank)), rank);
  }
}

TEST(Layout, groups_of_a_kind_partition_the_ranks) {
  for (const RankOrder order : {RankOrder::data_inside, RankOrder::pipeline_inside}) {
    const Layout layout = some(order);
    for (const GroupKind kind : kAll) {
      const Group group = layout.group(kind);
      std::set<std::vector<std::uint32_t>> groups;
      for (std::uint32_t rank = 0; rank < layout.ranks(); rank++) {
        const auto members = layout.members(group, rank);
        EXPECT_EQ(members.size(), group.size);
        EXPECT_NE(std::find(members.begin(), members.end(), rank), members.end()) << name_of(kind);
        groups.insert(members);
      }
      EXPECT_EQ(groups.size() * group.size, layout.ranks()) << name_of(kind);
    }
  }
}

TEST(Layout, tensor_ranks_are_neighbours_and_stages_far_apart) {
  const Layout layout = some(RankOrder::data_inside);
  EXPECT_EQ(layout.members(layout.group(GroupKind::tensor), 5), (std::vector<std::uint32_t>{4, 5, 6, 7}));
  EXPECT_EQ(layout.members(layout.group(GroupKind::pipeline), 1), (std::vector<std::uint32_t>{1, 49, 97}));
  const Layout inside = some(RankOrder::pipeline_inside);
  EXPECT_EQ(inside.members(inside.group(GroupKind::pipeline), 1), (std::vector<std::uint32_t>{1, 9, 17}));
}

TEST(Layout, members_of_a_domain_are_counted_as_they_sit) {
  for (const RankOrder order : {RankOrder::data_inside, RankOrder::pipeline_inside})
    for (const std::uint32_t domain : {1U, 4U, 6U, 8U, 9U, 16U, 24U, 48U, 72U, 144U}) {
      const Layout layout = on_domains(some(order), domain);
      for (const GroupKind kind : kAll) {
        const Group group = layout.group(kind);
        std::uint32_t fewest = group.size;
        for (std::uint32_t rank = 0; rank < layout.ranks(); rank++) {
          std::uint32_t here = 0;
          for (const std::uint32_t member : layout.members(group, rank)) here += member / domain == rank / domain ? 1 : 0;
          fewest = std::min(fewest, here);
        }
        EXPECT_EQ(group.local, fewest) << name_of(kind) << " in domains of " << domain;
      }
    }
}

TEST(Layout, a_replica_that_spans_domains_crosses_somewhere) {
  Layout layout{.tensor = 2, .context = 1, .data = 2, .pipeline = 8, .order = RankOrder::pipeline_inside};
  layout = on_domains(layout, 8);
  EXPECT_FALSE(layout.crosses(0, 1));
  EXPECT_TRUE(layout.crosses(3, 4));
  EXPECT_TRUE(layout.crosses(7, 0));
}

TEST(Layout, a_mirrored_group_has_the_stage_of_the_other_direction) {
  Layout layout{.tensor = 1, .context = 1, .data = 2, .pipeline = 4};
  Group group = layout.group(GroupKind::data);
  group.mirrored = true;
  group.size *= 2;
  EXPECT_EQ(layout.members(group, 0), (std::vector<std::uint32_t>{0, 1, 6, 7}));
  EXPECT_EQ(layout.members(group, 7), (std::vector<std::uint32_t>{0, 1, 6, 7}));
}

}  // namespace
}  // namespace railyard
