// Training steps whose gradients are added up in switches: the gain lies between its closed-form bounds.
#include "sim/step/switch_trees.h"

#include <gtest/gtest.h>

#include "scenario/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

constexpr const char* kTreeModel = R"(name = "step"
[model]
layers = 16
hidden = 8192
heads = 64
ffn = 32768
gated = false
vocabulary = 51200
sequence = 4096
[training]
global_batch = 64
[parallel]
tensor = 8
bucket = "1 GB"
data_overlap = false
)";
constexpr const char* kTreeCluster = R"(
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 64
nic = "ConnectX-7"
[transport]
kind = "infiniband"
[fabric]
switch = "Quantum-2"
cable = "30 m"
)";
constexpr const char* kTreeFull = "topology = \"leaf-spine\"\nhosts_per_leaf = 16\nspines = 4\n";
constexpr const char* kTreeOversubscribed = "topology = \"leaf-spine\"\nhosts_per_leaf = 16\noversubscription = 4\n";
constexpr const char* kTreeRails = "topology = \"rail-only\"\n";

Result<Run> tree_run(const std::string& parallel, const std::string& fabric, const std::string& engine) {
  Progress progress;
  return simulate(testing::scenario_of(kTreeModel + parallel + kTreeCluster + fabric + "[engine]\n" + engine), {.threads = 1},
                  progress);
}

StepRun tree_step(const std::string& parallel, const std::string& fabric, const std::string& engine = "fidelity = \"flow\"\n") {
  Result<Run> run = tree_run(parallel, fabric, engine);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  return std::move(*run->training);
}

/// Of all stages, which are one here.
double exposed_data(const StepRun& run) { return seconds(run.stages.front().exposed[index(GroupKind::data)]); }

constexpr const char* kSwitches = "switch_reduction = true\n";
constexpr double kMembers = 8;  // of a data-parallel group: one in every server

TEST(SwitchTrees, an_all_reduce_gains_what_it_sends_less) {
  for (const char* fabric : {kTreeFull, kTreeRails}) {
    const double ring = exposed_data(tree_step("", fabric)), tree = exposed_data(tree_step(kSwitches, fabric));
    const double bound = ring * (1 - kMembers / (2 * (kMembers - 1)));
    EXPECT_GT(ring - tree, 0);
    EXPECT_NEAR((ring - tree) / bound, 1, 0.02) << fabric;
  }
}

TEST(SwitchTrees, the_step_gains_what_its_gradients_do) {
  const StepRun ring = tree_step("", kTreeFull), tree = tree_step(kSwitches, kTreeFull);
  EXPECT_NEAR(seconds(ring.time - tree.time), exposed_data(ring) - exposed_data(tree), 1e-6);
}

TEST(SwitchTrees, flows_take_the_closed_form_where_nothing_is_shared) {
  for (const char* zero : {"", "zero = 1\n", "zero = 3\n", "zero = 1\nshard_group = 4\n"})
    for (const char* mode : {"exact", "quantised"}) {
      const double closed = seconds(tree_step(std::string(zero) + kSwitches, kTreeFull, "").time);
      const StepRun run =
          tree_step(std::string(zero) + kSwitches, kTreeFull, std::string("fidelity = \"flow\"\nmode = \"") + mode + "\"\n");
      EXPECT_NEAR(seconds(run.time) / closed, 1, 0.01) << zero << mode;
    }
}

TEST(SwitchTrees, sharded_states_gain_hops_and_no_bytes) {
  const double ring = exposed_data(tree_step("zero = 1\n", kTreeFull)),
               tree = exposed_data(tree_step("zero = 1\nswitch_reduction = true\n", kTreeFull));
  EXPECT_NEAR(tree / ring, 1, 0.1);  // reduce-scatter 8/7 as long, all-gather as long
}

TEST(SwitchTrees, a_leaf_sends_up_one_sum_for_all_below_it) {
  // Two servers under a leaf, 4:1 above it: a ring sends 2 · 7/8 of the buffer up once for the leaf, and a tree the buffer.
  const double ring = exposed_data(tree_step("", kTreeOversubscribed)),
               tree = exposed_data(tree_step(kSwitches, kTreeOversubscribed));
  EXPECT_LT(tree, ring);
  EXPECT_GT(tree, exposed_data(tree_step(kSwitches, kTreeFull)));
}

TEST(SwitchTrees, a_link_with_k_of_m_members_below_carries_their_part) {
  const Scenario scenario =
      testing::scenario_of(std::string(kTreeModel) + kTreeCluster + kTreeFull + "[engine]\nfidelity = \"flow\"\n");
  Progress progress;
  const auto run = simulate(scenario, {.threads = 1}, progress);
  ASSERT_TRUE(run);
  const Fabric& fabric = run->fabric;
  std::vector<std::vector<EndpointId>> nodes;
  for (std::uint32_t server = 0; server < 8; server++) nodes.push_back({EndpointId(server * 8), EndpointId(server * 8 + 1)});
  const std::vector<bool> here(fabric.endpoints(), true);
  const auto shares = [&](CollectiveKind kind, Tier tier) {
    SwitchTrees trees;
    EXPECT_TRUE(add_trees(fabric, nodes, kind, here, trees));
    EXPECT_EQ(trees.flow_ends.size(), 2U);  // a tree for each NIC that a server has for the group
    double sum = 0;
    for (const Hop& hop : trees.hops)
      if (fabric.trunk_tier[hop.trunk] == tier) sum += hop.share;
    return sum;
  };
  // 8 servers, 2 trees with half of the buffer each; 4 leaves with 2 servers.
  EXPECT_DOUBLE_EQ(shares(CollectiveKind::all_reduce, Tier::host_up), 8);
  EXPECT_DOUBLE_EQ(shares(CollectiveKind::all_reduce, Tier::leaf_up), 4);
  EXPECT_DOUBLE_EQ(shares(CollectiveKind::reduce_scatter, Tier::host_up), 8);
  EXPECT_DOUBLE_EQ(shares(CollectiveKind::reduce_scatter, Tier::host_down), 1);
  EXPECT_DOUBLE_EQ(shares(CollectiveKind::all_gather, Tier::host_up), 1);
  EXPECT_DOUBLE_EQ(shares(CollectiveKind::all_gather, Tier::host_down), 7);
  EXPECT_DOUBLE_EQ(shares(CollectiveKind::all_gather, Tier::leaf_up), 1);
}

TEST(SwitchTrees, groups_that_no_switch_joins_are_refused) {
  const auto run = tree_run("order = \"tp-cp-pp-dp\"\nswitch_reduction = true\n",
                            "topology = \"optical\"\nhosts_per_leaf = 16\nhosts_per_pod = 32\n", "fidelity = \"flow\"\n");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().front().code, "RY-RUN-007");
}

}  // namespace
}  // namespace railyard
