#include "answer/serving.h"

#include <gtest/gtest.h>

#include "scenario/testing.h"

namespace railyard {
namespace {

const std::string kModel = R"(name = "serving"
[model]
preset = "llama3-8b"
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
cable = "30 m"
[routing]
policy = "adaptive"
)";
const std::string kSides = R"([serving]
prefill_gpus = 8
prefill_tensor = 2
decode_gpus = 16
decode_tensor = 4
prompt = 2048
output = 128
)";

ServingAnswer served(const std::string& text) {
  Progress progress;
  Result<ServingAnswer> found = find_serving(testing::scenario_of(text), 1, progress);
  if (!found) throw std::runtime_error(to_text(found.error().front()));
  return std::move(*found);
}

TEST(Serving, parts_of_a_pass_add_up) {
  const ServingAnswer found = served(kModel + kSides + "batch = 8\n");
  for (const ServedPass* pass : {&found.run.prefill, &found.run.decode}) {
    EXPECT_EQ(pass->compute() + pass->scale_up() + pass->network(), pass->time());
    EXPECT_EQ(pass->network(), Picoseconds::zero());  // tensor groups stay inside servers
    EXPECT_GT(pass->scale_up(), Picoseconds::zero());
  }
  EXPECT_EQ(found.run.first_token(), found.run.prefill.time() + found.run.transfer);
  // 2,048 tokens of 131,072 bytes by two GPUs with 400 Gb/s each.
  EXPECT_NEAR(seconds(found.run.transfer), 2048 * 131072.0 / 2 / (50e9 * 0.95), 1e-5);
}

TEST(Serving, the_batch_is_the_least_that_keeps_up) {
  const ServingAnswer found = served(kModel + kSides + "requests_per_second = 20\n");
  const auto tokens = [](const ServingAnswer& one) { return one.run.decode_rate * 128; };
  EXPECT_GE(tokens(found), 20 * 128.0);
  const std::uint32_t batch = found.run.decode.requests / 4;
  ASSERT_GT(batch, 0U);
  if (batch > 1) {
    const ServingAnswer less = served(kModel + kSides + "batch = " + std::to_string(batch - 1) + "\n");
    EXPECT_LT(tokens(less), 20 * 128.0);
  }
}

TEST(Serving, more_requests_take_longer_each_and_write_more) {
  const ServingAnswer few = served(kModel + kSides + "batch = 4\n"), many = served(kModel + kSides + "batch = 64\n");
  EXPECT_GT(many.run.next_token(), few.run.next_token());
  EXPECT_GT(many.run.decode_rate, few.run.decode_rate);
}

TEST(Serving, flows_on_a_wide_fabric_take_what_closed_forms_say) {
  const ServingAnswer found = served(kModel + "[engine]\nfidelity = \"flow\"\n" + kSides + "requests_per_second = 20\n");
  ASSERT_TRUE(found.load);
  EXPECT_NEAR(found.load->next_together.median, seconds(found.run.next_token()), seconds(found.run.next_token()) * 0.01);
  EXPECT_NEAR(found.load->first_together.median, seconds(found.run.first_token()), seconds(found.run.first_token()) * 0.05);
  ASSERT_EQ(found.parts->jobs.size(), 3U);
  EXPECT_EQ(found.parts->jobs[2].turn, "caches");
  // Every pass of prefill sends one cache of each of its four groups.
  EXPECT_NEAR(found.parts->jobs[2].posted, 4 * 2048 * 131072.0, 4 * 2048 * 131072.0 * 0.01);
}

TEST(Serving, is_the_same_on_any_number_of_threads) {
  const Scenario scenario =
      testing::scenario_of(kModel + "[engine]\nfidelity = \"flow\"\n" + kSides + "requests_per_second = 20\n");
  Progress one, four;
  EXPECT_EQ(find_serving(scenario, 1, one)->fingerprint, find_serving(scenario, 4, four)->fingerprint);
}

}  // namespace
}  // namespace railyard
