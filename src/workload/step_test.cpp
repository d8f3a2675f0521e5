#include "workload/step.h"

#include <gtest/gtest.h>

#include <map>

#include "scenario/testing.h"
#include "workload/expand.h"
#include "workload/testing.h"

namespace railyard {
namespace {

using testing::gpt;
using testing::scenario_of;

Step step_of(const std::string& text) {
  Result<Step> step = testing::build_step(scenario_of(text));
  if (!step) throw std::runtime_error(to_text(step.error().front()));
  return std::move(*step);
}

const std::string kGpt3 = R"(name = "HPN"
[model]
preset = "gpt3-175b"
[cluster]
gpu = "H800-SXM-80"
gpus_per_node = 8
gpus = 32768
[training]
global_batch = 8192
gradients = "bf16"
recompute = "selective"
[parallel]
tensor = 8
pipeline = 8
)";

TEST(Step, gpt3_over_8_8_512_sends_what_hpn_reports) {
  // Alibaba HPN (SIGCOMM'24), table 3: 5.5 GB per data-parallel reduction, 6 MB per pipeline transfer.
  const Step step = step_of(kGpt3);
  EXPECT_EQ(step.layout.data, 512U);
  EXPECT_EQ(step.boundary, 6_MiB);  // 2 bytes x 2,048 tokens x 12,288 / 8
  const Op& gradients = step.stages[3].gradients.front().front();
  const std::int64_t block = 12LL * 12288 * 12288 / 8 + 2 * 12288;  // attention 4 h^2, MLP 8 h^2; every rank has both norms
  EXPECT_EQ(gradients.size.count(), 2 * 12 * block);
  EXPECT_NEAR(static_cast<double>(gradients.size.count()), 5.5e9, 0.1e9);
  EXPECT_EQ(gradients.group.size, 512U);
}

TEST(Step, llama_3_scatters_fp32_gradients_of_eight_layers_per_stage) {
  const Step step = step_of(R"(name = "Llama 3"
[model]
preset = "llama3-405b"
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 16384
[training]
global_batch = 2048
recompute = "selective"
[parallel]
tensor = 8
pipeline = 16
zero = 1
)");
  const std::int64_t attention = 2LL * 16384 * 16384 + 2LL * 16384 * 1024, mlp = 3LL * 16384 * 53248, norms = 2LL * 16384 * 8;
  const Op& scatter = step.stages[5].gradients.front().front();
  EXPECT_EQ(scatter.collective, CollectiveKind::reduce_scatter);
  EXPECT_EQ(scatter.size.count(), 4 * (attention + mlp + norms));  // eight layers on eight tensor ranks
  const Op& gather = step.stages[5].gathers.front().front();
  EXPECT_EQ(gather.size.count(), 2 * (attention + mlp + norms));
}

TEST(Step, embedding_and_head_count_as_layers_where_layers_do_not_divide) {
  const Step step = step_of(R"(name = "Llama 3"
[model]
preset = "llama3-405b"
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 1024
[training]
global_batch = 128
recompute = "full"
[parallel]
tensor = 8
pipeline = 16
virtual_pipeline = 8
zero = 1
)");
  EXPECT_EQ(step.virtual_stages.front().dense, 0U);
  EXPECT_EQ(step.virtual_stages.back().dense, 0U);
  for (std::size_t i = 1; i + 1 < step.virtual_stages.size(); i++) EXPECT_EQ(step.virtual_stages[i].dense, 1U);
}

TEST(Step, deepseek_v2_dispatches_to_the_devices_its_routing_allows) {
  const Step step = step_of(R"(name = "DeepSeek-V2"
[model]
preset = "deepseek-v2"
[cluster]
gpu = "H800-SXM-80"
gpus_per_node = 8
gpus = 128
[training]
global_batch = 512
recompute = "selective"
[parallel]
pipeline = 16
expert = 8
zero = 1
expert_dispatch = "deduplicated"
stage_layers = [3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 2]
)");
  // Each of 4,096 tokens goes to 3 (1 - C(40,6)/C(60,6)) of 8 devices, one of which is its own in 1 of 8 cases.
  const double devices = 3 * (1 - 3838380.0 / 50063860.0) * 7 / 8;
  bool seen = false;
  for (const Segment& segment : step.work({5, 0}).forward)
    for (const Op& op : segment.ops)
      if (op.name == "dispatch") {
        seen = true;
        EXPECT_NEAR(static_cast<double>(op.size.count()), 4096.0 * 5120 * 2 * devices, 1);
        EXPECT_EQ(op.remote.count(), 0);  // the expert group is one node
      }
  EXPECT_TRUE(seen);
}

TEST(Step, zero_stages_shard_what_they_say) {
  const auto memory = [](std::uint32_t zero) {
    return testing::build_step(gpt(8, 8, "global_batch = 8", "zero = " + std::to_string(zero)))->stages.front().memory;
  };
  const MemoryPlan none = memory(0), one = memory(1), two = memory(2), three = memory(3);
  EXPECT_EQ(none.optimizer.count(), one.optimizer.count() * 8);
  EXPECT_EQ(none.gradients, one.gradients);
  EXPECT_EQ(one.gradients.count(), two.gradients.count() * 8);
  EXPECT_EQ(two.weights.count(), three.weights.count() * 8);
}

TEST(Step, hybrid_sharding_reduces_between_replicas_what_it_has_scattered) {
  const Result<Step> step = testing::build_step(gpt(8, 16, "global_batch = 16", "zero = 1\nshard_group = 8"));
  const std::vector<Op>& ops = step->stages.front().gradients.front();
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_EQ(ops[0].collective, CollectiveKind::reduce_scatter);
  EXPECT_EQ(ops[0].group.size, 8U);
  EXPECT_EQ(ops[1].collective, CollectiveKind::all_reduce);
  EXPECT_EQ(ops[1].group.size, 2U);
  EXPECT_EQ(ops[1].group.stride, 8U);
  EXPECT_EQ(ops[1].size.count(), ops[0].size.count() / 8);
}

TEST(Step, a_plan_that_does_not_fit_says_by_how_much_and_what_would_help) {
  const Result<Step> step = testing::build_step(gpt(24, 8, "global_batch = 8", ""));
  ASSERT_FALSE(step.has_value());
  EXPECT_EQ(step.error().front().code, "RY-MEM-001");
  EXPECT_NE(step.error().front().message.find("too much"), std::string::npos);
  EXPECT_NE(step.error().front().hint.find("zero = 1"), std::string::npos);
}

/// Messages of some ranks, as (from, to, micro-batch, chunk, direction) with how often they are sent and received.
std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>, int> message_balance(const Step& step,
                                                                                             std::uint32_t replica) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool>, int> balance;
  for (const std::uint32_t rank : replica_ranks(step.layout, replica))
    for (const RankOp& op : expand_rank(step, rank)) {
      const bool is_forward = op.slot.kind == PassKind::forward;
      if (op.kind == RankOpKind::send) balance[{rank, op.peers.front(), op.slot.micro_batch_index, is_forward}]++;
      if (op.kind == RankOpKind::receive) balance[{op.peers.front(), rank, op.slot.micro_batch_index, is_forward}]--;
    }
  return balance;
}

TEST(Expand, every_message_that_is_sent_is_received) {
  for (const char* parallel : {"tensor = 2\npipeline = 4", "pipeline = 4\nvirtual_pipeline = 2",
                               "pipeline = 4\nschedule = \"zero-bubble\"", "pipeline = 4\nschedule = \"dualpipe\""}) {
    const Result<Step> step = testing::build_step(gpt(8, 16, "global_batch = 64", parallel));
    ASSERT_TRUE(step.has_value());
    const auto balance = message_balance(*step, 1);
    EXPECT_FALSE(balance.empty());
    for (const auto& [message, difference] : balance) EXPECT_EQ(difference, 0);
  }
}

TEST(Expand, all_members_of_a_group_agree_on_its_collectives) {
  const Result<Step> step = testing::build_step(gpt(4, 16, "global_batch = 16", "tensor = 4\ncontext = 2\nzero = 1"));
  std::map<std::vector<std::uint32_t>, std::map<std::uint32_t, std::vector<std::int64_t>>> sizes;  // by group, by member
  for (std::uint32_t rank = 0; rank < 16; rank++)
    for (const RankOp& op : expand_rank(*step, rank))
      if (op.kind == RankOpKind::collective) {
        EXPECT_NE(std::find(op.peers.begin(), op.peers.end(), rank), op.peers.end());
        sizes[op.peers][rank].push_back(op.size.count());
      }
  EXPECT_FALSE(sizes.empty());
  for (const auto& [members, by_rank] : sizes) {
    EXPECT_EQ(by_rank.size(), members.size());
    for (const auto& [rank, list] : by_rank) EXPECT_EQ(list, by_rank.begin()->second);
  }
}

TEST(Expand, gradients_are_scattered_after_they_were_computed) {
  const Result<Step> step =
      testing::build_step(gpt(8, 16, "global_batch = 64", "pipeline = 4\nschedule = \"zero-bubble\"\nzero = 2"));
  std::size_t scattered = 0;
  for (const RankOp& op : expand_rank(*step, 5))
    if (op.kind == RankOpKind::collective && op.name == "gradients") {
      scattered++;
      EXPECT_EQ(op.slot.kind, PassKind::weight_gradient);
    }
  EXPECT_EQ(scattered, 2U * 16);  // two layers, sixteen micro-batches
}

TEST(Expand, a_rank_computes_what_its_stage_does) {
  const Result<Step> step = testing::build_step(gpt(8, 16, "global_batch = 16", "tensor = 4\npipeline = 4"));
  double flops = 0;
  Picoseconds expanded, collapsed;
  for (const RankOp& op : expand_rank(*step, 5))
    if (op.kind == RankOpKind::compute) expanded += op.time;
  const VirtualStageWork& work = step->work({step->layout.position(5).pipeline, 0});
  for (const auto* segments : {&work.forward, &work.backward})
    for (const Segment& segment : *segments)
      for (const Op& op : segment.ops) {
        flops += op.flops;
        collapsed += op.time * segment.repeats * step->pipeline.micro_batches;
      }
  for (const Op& op : step->stages[step->layout.position(5).pipeline].optimizer) collapsed += op.time;
  EXPECT_EQ(expanded, collapsed);
  EXPECT_GT(flops, 0);
}

}  // namespace
}  // namespace railyard
