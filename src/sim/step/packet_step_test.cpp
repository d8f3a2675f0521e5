// Whole training steps packet by packet: what flows say where nothing is in the way, whatever the parallelism and the number of
// threads; refused where there are too many packets.
#include <gtest/gtest.h>

#include "scenario/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

constexpr const char* kSmallDense = R"(name = "step"
[model]
layers = 8
hidden = 1024
heads = 16
ffn = 4096
vocabulary = 8192
sequence = 2048
[training]
global_batch = 32
)";
constexpr const char* kSmallExperts = R"(name = "step"
[model]
layers = 4
hidden = 1024
heads = 16
ffn = 1024
vocabulary = 8192
sequence = 1024
experts = 16
experts_per_token = 2
[training]
global_batch = 32
)";
constexpr const char* kSmallCluster = R"(
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 32
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
spines = 2
)";

struct SmallLayout {
  const char* model;
  const char* parallel;
};
constexpr SmallLayout kSmallLayouts[] = {
    {kSmallDense, "tensor = 4"}, {kSmallDense, "tensor = 8\npipeline = 2"}, {kSmallDense, "tensor = 4\npipeline = 2\nzero = 1"},
    {kSmallDense, "zero = 3"},   {kSmallDense, "tensor = 2\ncontext = 8"},  {kSmallExperts, "expert = 16\nzero = 1"},
};

Result<Run> small_step(const SmallLayout& layout, const std::string& rest, unsigned threads = 1) {
  Progress progress;
  return simulate(testing::scenario_of(std::string(layout.model) + "[parallel]\n" + layout.parallel + kSmallCluster + rest),
                  {.threads = threads}, progress);
}

Run played_step(const SmallLayout& layout, const std::string& rest, unsigned threads = 1) {
  Result<Run> run = small_step(layout, rest, threads);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  return std::move(*run);
}

constexpr const char* kSpread = "[routing]\npolicy = \"adaptive\"\n[engine]\nfidelity = \"packet\"\n";
constexpr const char* kHashed = "[routing]\npolicy = \"ecmp\"\n[engine]\nfidelity = \"packet\"\n";

/// Those that were announced, no more and no less.
void expect_all_packets(const Run& run, const char* what) {
  const PacketRecord& packets = *run.network->packets;
  EXPECT_NEAR(static_cast<double>(packets.data_hops) / run.packets->expected.hops, 1, 0.02) << what;
  EXPECT_NEAR(static_cast<double>(run.network->messages) / run.packets->expected.messages, 1, 1e-9) << what;
  EXPECT_NEAR(static_cast<double>(run.network->payload.count()) / run.packets->expected.payload, 1, 0.01) << what;
  EXPECT_EQ(packets.undelivered, 0U) << what;
  EXPECT_TRUE(packets.messages.empty()) << "they are too many to keep";
}

TEST(PacketStep, agrees_with_flows_within_5_per_cent_where_packets_are_spread) {
  for (const SmallLayout& layout : kSmallLayouts) {
    const railyard::Run run = played_step(layout, kSpread);
    ASSERT_TRUE(run.packets) << layout.parallel;
    EXPECT_NEAR(seconds(run.training->time) / seconds(run.packets->over_flows), 1, 0.05) << layout.parallel;
    ASSERT_EQ(run.training->ops.size(), run.packets->flow_ops.size());
    for (std::size_t i = 0; i < run.training->ops.size(); i++) {
      const OpTimes &packets = run.training->ops[i], &flows = run.packets->flow_ops[i];
      EXPECT_EQ(packets.calls, flows.calls);
      EXPECT_NEAR(packets.seconds / flows.seconds, 1, 0.1) << layout.parallel << ", " << packets.name;
    }
    expect_all_packets(run, layout.parallel);
  }
}

TEST(PacketStep, threads_change_nothing) {
  for (const char* routing : {kSpread, kHashed}) {
    const railyard::Run one = played_step(kSmallLayouts[1], routing), two = played_step(kSmallLayouts[1], routing, 2);
    EXPECT_EQ(one.fingerprint, two.fingerprint);
    EXPECT_EQ(one.training->time, two.training->time);
  }
}

TEST(PacketStep, is_never_faster_than_its_network_allows) {
  for (const SmallLayout& layout : {kSmallLayouts[0], kSmallLayouts[1]}) {
    const railyard::Run run = played_step(layout, kHashed);
    for (const OpTimes& op : run.training->ops) EXPECT_GE(op.seconds, op.ideal) << layout.parallel << ", " << op.name;
    EXPECT_GE(run.training->time, run.training->free.without_network) << layout.parallel;
  }
}

TEST(PacketStep, a_spine_that_fails_costs_time) {
  const std::string failure = "[failures]\n\"spine 1\" = \"down\"\n";
  const railyard::Run whole = played_step(kSmallLayouts[0], kSpread), less = played_step(kSmallLayouts[0], kSpread + failure);
  EXPECT_GT(less.training->time, whole.training->time);
}

TEST(PacketStep, more_packet_hops_than_the_limit_are_refused) {
  const Result<railyard::Run> run = small_step(kSmallLayouts[0], std::string(kSpread) + "limit = 1000\n");
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().front().code, "RY-RUN-010");
}

TEST(PacketStep, switches_that_add_up_are_refused) {
  Progress progress;
  Scenario scenario = testing::scenario_of(std::string(kSmallDense) + "[parallel]\ntensor = 8" + kSmallCluster + kSpread);
  scenario.workload.parallel.switch_reduction = true;
  const Result<railyard::Run> run = simulate(scenario, {.threads = 1}, progress);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().front().code, "RY-RUN-010");
}

}  // namespace
}  // namespace railyard
