#include "analysis/step/crossing.h"

#include <gtest/gtest.h>

#include "analysis/results.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

/// 144 ranks on two domains of 72: of nine groups of 16, the fifth has eight members in each.
Layout two_racks() { return on_domains({.tensor = 1, .context = 1, .data = 144, .pipeline = 1, .expert = 16}, 72); }

TEST(Crossing, counts_groups_inside_and_outside_of_domains) {
  const Layout layout = two_racks();
  const Crossing experts = crossing_of(layout, layout.group(GroupKind::expert));
  EXPECT_DOUBLE_EQ(experts.ring, 2.0 / (9 * 16));  // two hops of one ring
  EXPECT_DOUBLE_EQ(experts.pairs, 0.5 / 9);        // half of the pairs of one group
  const Crossing data = crossing_of(layout, layout.group(GroupKind::data));
  EXPECT_DOUBLE_EQ(data.ring, 2.0 / 144);
  EXPECT_DOUBLE_EQ(data.pairs, 0.5);
}

TEST(Crossing, of_stages_is_a_share_of_their_ranks) {
  Layout layout{.tensor = 1, .context = 1, .data = 9, .pipeline = 4, .order = RankOrder::pipeline_inside};
  layout = on_domains(layout, 6);  // replicas of four: every other crosses, between its second and third stage
  EXPECT_DOUBLE_EQ(crossing_between(layout, 0, 1), 0);
  EXPECT_DOUBLE_EQ(crossing_between(layout, 1, 2), 3.0 / 9);
}

TEST(Crossing, what_goes_how_far_adds_up_where_groups_straddle_domains) {
  const Scenario scenario = testing::scenario_of(
      "name = \"t\"\n[model]\npreset = \"qwen3-30b-a3b\"\n[training]\nglobal_batch = 144\n[parallel]\nexpert = 16\n"
      "[cluster]\ngpu = \"GB200\"\ngpus = 144\ngpus_per_node = 4\n[fabric]\ntopology = \"leaf-spine\"\nhosts_per_leaf = 16\n"
      "[engine]\nfidelity = \"flow\"\n");
  Progress progress;
  const Results results = analyse(scenario, *simulate(scenario, {.threads = 1}, progress));
  for (const ReachRow& row : results.step->reach)
    EXPECT_NEAR(row.domain + row.leaf + row.pod + row.across, row.sent, row.sent * 1e-9) << row.group;
  const auto experts = std::find_if(results.step->reach.begin(), results.step->reach.end(),
                                    [](const ReachRow& row) { return row.group == "expert"; });
  ASSERT_NE(experts, results.step->reach.end());
  // Of one group in nine, about half: the other eight send nothing out of their domain.
  EXPECT_GT(experts->domain / experts->sent, 0.9);
  EXPECT_GT(experts->leaf + experts->pod + experts->across, 0);
}

}  // namespace
}  // namespace railyard
