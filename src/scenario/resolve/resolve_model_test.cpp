#include "scenario/resolve/resolve_model.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/testing.h"

namespace railyard {
namespace {

TEST(ResolveTransport, the_share_of_a_step_follows_from_headers) {
  const auto share = [](const std::string& transport) {
    return testing::scenario_of(
               "name = \"s\"\n[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 64\n[cluster]\n"
               "gpu = \"H100-SXM-80\"\ngpus = 16\ngpus_per_node = 8\n[transport]\n" +
               transport)
        .workload.gpu->step.scale_out_share;
  };
  const double reference = share("");
  EXPECT_EQ(share("mtu = 4096\n"), reference);  // RoCE, to the last bit
  // A packet of 4,096 bytes is 4,178 over RoCE, 4,122 over InfiniBand, 4,218 over Ultra Ethernet, 4,186 over TCP.
  EXPECT_DOUBLE_EQ(share("kind = \"infiniband\"\n") / reference, 4178.0 / 4122.0);
  EXPECT_DOUBLE_EQ(share("kind = \"uec\"\n") / reference, 4178.0 / 4218.0);
  EXPECT_DOUBLE_EQ(share("kind = \"tcp\"\n") / reference, 4178.0 / 4186.0);
  EXPECT_DOUBLE_EQ(share("mtu = 1024\n") / reference, (1024.0 / 1106.0) / (4096.0 / 4178.0));
  EXPECT_DOUBLE_EQ(share("header = 0\n") / reference, 4178.0 / 4096.0);
}

const std::string kSmall =
    "name = \"t\"\n[model]\nlayers = 8\nhidden = 1024\nheads = 16\nvocabulary = 32000\nsequence = 2048\n";
const std::string kRest =
    "[training]\nglobal_batch = 32\n[cluster]\ngpu = \"H100-SXM-80\"\ngpus = 16\ngpus_per_node = 8\n"
    "[parallel]\npipeline = 4\n";

const Input* input_of(const Scenario& scenario, const std::string& key) {
  const auto found = std::find_if(scenario.inputs.begin(), scenario.inputs.end(), [&](const Input& i) { return i.key == key; });
  return found == scenario.inputs.end() ? nullptr : &*found;
}

TEST(ResolveModel, dimensions_that_nobody_gave_are_listed_as_assumed) {
  const Scenario s = testing::scenario_of(kSmall + kRest);
  EXPECT_EQ(s.workload.model->kv_heads, 16U);
  EXPECT_EQ(s.workload.model->ffn, 4096U);
  for (const char* key : {"model.kv_heads", "model.head_dim", "model.ffn", "model.gated", "model.tied_embeddings"}) {
    ASSERT_TRUE(input_of(s, key)) << key;
    EXPECT_EQ(input_of(s, key)->origin.status, Status::assumed) << key;
  }
  EXPECT_EQ(input_of(s, "model.ffn")->value, "4096");
  EXPECT_FALSE(input_of(s, "model.experts_per_token"));
}

TEST(ResolveModel, dimensions_that_somebody_gave_are_not) {
  const Scenario s = testing::scenario_of(kSmall + "ffn = 2816\nkv_heads = 4\nhead_dim = 64\n" + kRest);
  EXPECT_EQ(s.workload.model->attention, Attention::gqa);
  for (const char* key : {"model.kv_heads", "model.head_dim", "model.ffn"}) EXPECT_FALSE(input_of(s, key)) << key;
}

TEST(ResolveModel, experts_without_a_width_are_as_wide_as_the_mlp) {
  const Scenario s = testing::scenario_of(kSmall + "experts = 8\nffn = 2816\n" + kRest);
  EXPECT_EQ(s.workload.model->expert_ffn, 2816U);
  EXPECT_TRUE(s.workload.model->experts_follow_ffn);
  ASSERT_TRUE(input_of(s, "model.expert_ffn"));
}

TEST(ResolveModel, interleaved_without_chunks_acts_as_1f1b_and_says_so) {
  const Scenario s = testing::scenario_of(kSmall + kRest + "schedule = \"interleaved\"\n");
  EXPECT_EQ(s.workload.parallel.schedule, PipelineSchedule::one_f_one_b);
  ASSERT_EQ(s.warnings.size(), 1U);
  EXPECT_NE(s.warnings.front().message.find("acts as \"1f1b\""), std::string::npos);
  EXPECT_TRUE(testing::scenario_of(kSmall + kRest + "schedule = \"1f1b\"\n").warnings.empty());
}

TEST(ResolveModel, chunks_are_interleaved_unless_said_otherwise) {
  const Scenario s = testing::scenario_of(kSmall + kRest + "virtual_pipeline = 2\n");
  EXPECT_EQ(s.workload.parallel.schedule, PipelineSchedule::interleaved);
  EXPECT_TRUE(s.warnings.empty());
}

}  // namespace
}  // namespace railyard
