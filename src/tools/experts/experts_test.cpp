#include "tools/experts/experts.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

/// Sixteen servers of eight H800 in a network of two tiers.
Scenario servers(const std::string& fabric, const std::string& more = "") {
  return testing::scenario_of(
      "name = \"servers\"\n[collective]\nkind = \"all_to_all\"\nsizes = \"1 MiB\"\n[cluster]\ngpu = \"H800-SXM-80\"\ngpus = "
      "128\n"
      "gpus_per_node = 8\nnic = \"ConnectX-7\"\n[fabric]\nswitch = \"Quantum-2\"\n" +
      fabric + "\n[transport]\nkind = \"infiniband\"\n" + more);
}

const std::string kSprayed = "[routing]\npolicy = \"spray\"\n";
const std::string kRails = "topology = \"rail-optimized\"\nhosts_per_leaf = 8\n";

ExpertsTable asked(const ExpertsRequest& request, const Scenario& scenario) {
  Result<ExpertsTable> table = exchange_experts(request, scenario, builtin_catalog());
  if (!table) throw std::runtime_error(to_text(table.error().front()));
  return std::move(*table);
}

std::string refusal(const ExpertsRequest& request, const Scenario& scenario) {
  const Result<ExpertsTable> table = exchange_experts(request, scenario, builtin_catalog());
  return table ? "" : table.error().front().code;
}

TEST(Experts, a_nic_carries_its_payload_where_nothing_is_oversubscribed) {
  const ExpertsTable table = asked({.ranks = {8, 64, 128}}, servers(kRails, kSprayed));
  ASSERT_EQ(table.points.size(), 3U);
  EXPECT_EQ(table.points[0].nic, 0);
  EXPECT_EQ(table.points[0].dispatch.limit, ExchangeLimit::scale_up);
  for (const std::size_t i : {1U, 2U}) EXPECT_NEAR(table.points[i].nic, 50e9 * 4096 / 4122, 0.05e9);
}

TEST(Experts, are_slower_where_leaves_are_oversubscribed) {
  const ExpertsRequest request{.ranks = {128}};
  const ExpertsPoint full = asked(request, servers(kRails, kSprayed)).points.front();
  const ExpertsPoint thin = asked(request, servers(kRails + "oversubscription = 4\n", kSprayed)).points.front();
  // Eight of fifteen other nodes lie under another leaf, and share a quarter of the rate.
  EXPECT_NEAR(thin.nic / full.nic, 15.0 / 8 / 4, 0.01);
  EXPECT_GT(thin.dispatch.time, full.dispatch.time);
  EXPECT_EQ(thin.dispatch.network_bytes, full.dispatch.network_bytes);
}

TEST(Experts, are_slower_where_hashes_collide) {
  const ExpertsRequest request{.ranks = {128}};
  const double even = asked(request, servers(kRails, kSprayed)).points.front().nic;
  EXPECT_LT(asked(request, servers(kRails, "[routing]\npolicy = \"ecmp\"\n")).points.front().nic, 0.97 * even);
}

TEST(Experts, decoding_crosses_rails_in_the_network_and_normal_kernels_do_not) {
  const Scenario thin = servers(kRails + "oversubscription = 4\n", kSprayed);  // eight servers a leaf
  const double along = asked({.ranks = {64}}, thin).points.front().nic;
  const double across = asked({.ranks = {64}, .low_latency = true}, thin).points.front().nic;
  EXPECT_NEAR(along, 50e9 * 4096 / 4122, 0.05e9);
  EXPECT_LT(across, 0.5 * along);
}

TEST(Experts, figures_are_those_asked_for_then_the_models_then_those_of_deepseek) {
  Scenario scenario = servers(kRails, kSprayed);
  const ExpertsSetting usual = resolve({}, scenario);
  EXPECT_EQ(usual.hidden, 7168U);
  EXPECT_EQ(usual.node_limit, 4U);
  EXPECT_EQ(usual.tokens, 4096U);
  EXPECT_EQ(resolve({.low_latency = true}, scenario).tokens, 128U);
  EXPECT_EQ(resolve({.low_latency = true}, scenario).node_limit, 0U);
  scenario.workload.model.emplace();
  scenario.workload.model->hidden = 2048;
  EXPECT_EQ(resolve({}, scenario).hidden, 7168U) << "a dense model has no experts";
  scenario.workload.model->experts = 128;
  scenario.workload.model->experts_per_token = 6;
  const ExpertsSetting own = resolve({.top_k = 2}, scenario);
  EXPECT_EQ(own.hidden, 2048U);
  EXPECT_EQ(own.experts, 128U);
  EXPECT_EQ(own.top_k, 2U);
  EXPECT_EQ(own.node_limit, 0U) << "no groups: any node";
}

TEST(Experts, usual_sizes_are_those_the_cluster_has) {
  EXPECT_EQ(asked({}, servers(kRails, kSprayed)).points.size(), 4U);                     // 8 to 64
  EXPECT_EQ(asked({.low_latency = true}, servers(kRails, kSprayed)).points.size(), 5U);  // 256 are too many
  EXPECT_EQ(asked({.experts = 16}, servers(kRails, kSprayed)).points.back().ranks, 16U);
}

TEST(Experts, groups_and_experts_that_do_not_go_together_are_refused) {
  const Scenario scenario = servers(kRails, kSprayed);
  for (const std::uint32_t ranks : {1U, 12U, 256U}) EXPECT_EQ(refusal({.ranks = {ranks}}, scenario), "RY-RUN-016") << ranks;
  EXPECT_EQ(refusal({.ranks = {64}, .experts = 96}, scenario), "RY-RUN-017");
  EXPECT_EQ(refusal({.ranks = {64}, .experts = 64, .top_k = 9, .node_limit = 1}, scenario), "RY-RUN-017");
  EXPECT_EQ(refusal({.ranks = {8}, .experts = 8, .top_k = 9}, scenario), "RY-RUN-017");
  EXPECT_EQ(refusal({.ranks = {64}, .experts = 64, .top_k = 8, .node_limit = 1}, scenario), "");
}

TEST(Experts, gpus_without_links_are_refused) {
  const Scenario lonely = testing::scenario_of(
      "name = \"lonely\"\n[collective]\nkind = \"all_to_all\"\nsizes = \"1 MiB\"\n[cluster]\ngpus = 16\nnic = \"ConnectX-7\"\n"
      "[fabric]\ntopology = \"star\"\nswitch = \"Tomahawk-5\"\n");
  EXPECT_EQ(refusal({.ranks = {16}}, lonely), "RY-RUN-018");
}

}  // namespace
}  // namespace railyard
