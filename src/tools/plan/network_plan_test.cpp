#include "tools/plan/network_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "scenario/presets.h"
#include "sim/simulate.h"
#include "tools/plan/network_search.h"
#include "tools/plan/network_space.h"

namespace railyard {
namespace {

constexpr const char* kJob = R"(
name = "a job that talks"
[model]
preset = "llama3-8b"
sequence = 4096
[training]
global_batch = 128
[parallel]
tensor = 4
zero = 1
[cluster]
gpu = "H100-SXM-80"
gpus = 128
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
oversubscription = 4
[transport]
kind = "roce"
[engine]
fidelity = "flow"
)";

class NetworkPlanTest : public testing::Test {
 protected:
  Result<PlannedNetwork> plan(const PlanRequest& request, unsigned threads = 1) {
    const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog());
    Progress progress;
    return find_network_plan({file, {}, request, threads}, *scenario, builtin_catalog(), progress);
  }
  const TemporaryFolder folder;
  const std::string file = folder.write("job.toml", kJob).string();
};

TEST_F(NetworkPlanTest, parts_speak_their_transport_and_fit_the_host) {
  const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog());
  const std::vector<NetworkParts> parts = network_parts(*scenario, builtin_catalog());
  EXPECT_GT(parts.size(), 5U);
  for (const NetworkParts& one : parts) {
    EXPECT_LE(one.rate, 512_Gbps) << one.switch_model << ": PCIe 5 carries no more to an H100";
    const auto* box = builtin_catalog().switches.find(one.switch_model);
    ASSERT_TRUE(box);
    EXPECT_NE(std::find(box->fact.transports.begin(), box->fact.transports.end(), one.transport), box->fact.transports.end());
  }
}

TEST_F(NetworkPlanTest, chooses_the_least_hardware_that_loses_no_more_than_allowed_and_survives) {
  const Result<PlannedNetwork> found = plan({.network = true});
  ASSERT_TRUE(found) << found.error().front().message;
  const NetworkRow& chosen = found->rows[found->chosen];
  EXPECT_LE(chosen.step_s, found->rows.front().step_s * 1.01);
  ASSERT_TRUE(chosen.one_down_s);
  EXPECT_TRUE(std::isfinite(*chosen.one_down_s));
  for (std::size_t i = 1; i < found->rows.size(); i++) EXPECT_LE(found->rows[i - 1].step_s, found->rows[i].step_s);
  for (const NetworkRow& row : found->rows) {
    if (row.one_down_s.value_or(0) > 0) {
      EXPECT_GE(*row.one_down_s, row.step_s * 0.999);
    }
    const bool same = row.step_s <= found->rows.front().step_s * 1.01 && row.one_down_s && std::isfinite(*row.one_down_s);
    if (same && !(row.network_usd.complete && chosen.network_usd.complete)) {
      EXPECT_GE(row.switches + row.optics / 16, chosen.switches + chosen.optics / 16);
    }
  }
  ASSERT_TRUE(found->today);
  EXPECT_GE(found->today->step_s, found->rows.front().step_s);
}

TEST_F(NetworkPlanTest, the_command_builds_the_network_that_is_told_of) {
  const Result<PlannedNetwork> found = plan({.network = true});
  ASSERT_TRUE(found);
  const NetworkRow& chosen = found->rows[found->chosen];
  const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog(), chosen.set);
  ASSERT_TRUE(scenario) << scenario.error().front().message;
  Progress progress;
  const Result<railyard::Run> run = simulate(*scenario, {.threads = 1}, progress);
  ASSERT_TRUE(run);
  EXPECT_DOUBLE_EQ(seconds(run->training->time), chosen.step_s);
}

TEST_F(NetworkPlanTest, playing_few_proposes_what_playing_all_does) {
  const std::string journal = (folder.path() / "all").string();
  for (const char* const by : {"hardware", "step", "price", "power", "tokens", "one-down"}) {
    const Result<PlannedNetwork> proof = plan({.exhaustive = true, .journal = journal, .network = true, .by = by});
    const Result<PlannedNetwork> found = plan({.journal = journal, .network = true, .by = by});
    ASSERT_TRUE(proof && found) << by;
    EXPECT_EQ(words_of_network(found->rows[found->chosen]), words_of_network(proof->rows[proof->chosen])) << by;
    EXPECT_EQ(found->rows[found->chosen].step_s, proof->rows[proof->chosen].step_s) << by;
    const auto front_of = [](const PlannedNetwork& of) {
      std::vector<std::string> out;
      for (const NetworkRow& row : of.rows)
        if (row.on_front) out.push_back(words_of_network(row));
      return out;
    };
    EXPECT_EQ(front_of(*found), front_of(*proof)) << by;
    const LevelCount &few = found->search.levels[kPlayed], &all = proof->search.levels[kPlayed];
    EXPECT_EQ(all.tried, all.candidates);
    EXPECT_EQ(few.tried + few.ruled_out, all.tried);
    EXPECT_LT(few.tried, all.tried / 4) << by;
  }
}

TEST_F(NetworkPlanTest, what_each_choice_does_is_told_around_the_one_that_is_proposed) {
  const Result<PlannedNetwork> found = plan({.network = true});
  ASSERT_TRUE(found);
  const NetworkRow& chosen = found->rows[found->chosen];
  ASSERT_EQ(found->search.effects.size(), found->space.axes().size());
  for (std::size_t axis = 0; axis < found->space.axes().size(); axis++) {
    const std::vector<AxisEffect>& effects = found->search.effects[axis];
    ASSERT_EQ(effects.size(), found->space.axes()[axis].values.size());
    for (const AxisEffect& effect : effects) {
      const bool is_own = found->space.axes()[axis].values[effect.value].text == chosen.values[axis];
      if (is_own) {
        EXPECT_EQ(effect.outcome.values.front(), chosen.step_s);
      }
      if (effect.outcome.refused.empty() && found->space.axes()[axis].name != kPartsAxis) {
        EXPECT_FALSE(effect.is_bound) << "how it is wired is played";
      }
    }
  }
}

TEST_F(NetworkPlanTest, power_that_is_not_known_is_no_advantage) {
  const Result<PlannedNetwork> found = plan({.network = true});
  ASSERT_TRUE(found);
  for (const NetworkRow& row : found->rows) {
    if (!row.on_front || row.network_watts.complete) continue;
    for (const NetworkRow& other : found->rows)
      EXPECT_FALSE(other.network_watts.complete && other.switches <= row.switches && other.cables <= row.cables &&
                   other.step_s <= row.step_s)
          << words_of_network(row) << " beside " << words_of_network(other);
  }
}

TEST_F(NetworkPlanTest, threads_change_nothing) {
  const Result<PlannedNetwork> one = plan({.network = true}, 1), two = plan({.network = true}, 2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(write_json(network_plan_document(*one)), write_json(network_plan_document(*two)));
}

TEST_F(NetworkPlanTest, a_limit_that_binds_is_named_with_what_it_would_have_to_be) {
  for (const auto& [request, words] : {std::pair{PlanRequest{.network = true, .budget = 10.0}, "costs at least $"},
                                       {PlanRequest{.network = true, .budget = 10.0}, "above the budget of $10"},
                                       {PlanRequest{.network = true, .watts = 1.0}, "kW that are allowed"},
                                       {PlanRequest{.network = true, .reach_m = 0.1}, "longer than the 0.1 m"},
                                       {PlanRequest{.network = true, .radix = 4}, "more than the 4 ports that are allowed"},
                                       {PlanRequest{.network = true, .budget = 10.0, .watts = 1.0}, ", and draws at least "}}) {
    const Result<PlannedNetwork> found = plan(request);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().front().code, "RY-PLN-005");
    EXPECT_NE(found.error().front().message.find(words), std::string::npos) << found.error().front().message;
  }
}

TEST_F(NetworkPlanTest, a_job_that_no_network_carries_says_why) {
  const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog());
  Progress progress;
  const Result<PlannedNetwork> found =
      find_network_plan({file, {"cluster.gpus=12"}, {.network = true}, 1}, *scenario, builtin_catalog(), progress);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().front().code, "RY-PLN-007");
  EXPECT_NE(found.error().front().message.find("of most, gpus = 12 does not fill whole nodes"), std::string::npos)
      << found.error().front().message;
}

TEST_F(NetworkPlanTest, a_switch_that_fails_may_cost_so_much) {
  const Result<PlannedNetwork> found = plan({.network = true, .tolerate = 0.5});
  ASSERT_TRUE(found) << found.error().front().message;
  const NetworkRow& chosen = found->rows[found->chosen];
  ASSERT_TRUE(chosen.one_down_s);
  EXPECT_GT(*chosen.one_down_s, 0);
  EXPECT_LE(*chosen.one_down_s, chosen.step_s * 1.5);
}

TEST_F(NetworkPlanTest, what_has_no_price_does_not_count_as_within_a_budget) {
  const Result<PlannedNetwork> found = plan({.network = true, .budget = 1e9});
  ASSERT_TRUE(found);
  bool some_known = false;
  for (const NetworkRow& row : found->rows)
    some_known = some_known ||
                 (row.is_known && row.step_s <= found->rows.front().step_s * 1.01 && std::isfinite(row.one_down_s.value_or(0)));
  EXPECT_EQ(found->rows[found->chosen].is_known, some_known);
  const Result<PlannedNetwork> free = plan({.network = true});
  ASSERT_TRUE(free);
  if (!free->rows[free->chosen].network_usd.complete) {
    EXPECT_NE(network_plan_answer(*free).find("no price is known: give prices."), std::string::npos);
  }
}

TEST_F(NetworkPlanTest, is_chosen_by_what_was_asked_for) {
  const Result<PlannedNetwork> found = plan({.network = true, .by = "price", .loss = 1});
  ASSERT_TRUE(found);
  const NetworkRow& chosen = found->rows[found->chosen];
  for (const NetworkRow& row : found->rows) {
    if (row.network_usd.complete && std::isfinite(row.one_down_s.value_or(INFINITY))) {
      EXPECT_LE(chosen.network_usd.value, row.network_usd.value);
    }
  }
}

TEST_F(NetworkPlanTest, a_journal_changes_nothing_and_is_of_its_limits) {
  PlanRequest kept{.journal = (folder.path() / "journal").string(), .network = true};
  const Result<PlannedNetwork> one = plan({.network = true}), two = plan(kept, 2), again = plan(kept);
  ASSERT_TRUE(one && two && again);
  const std::string text = write_json(network_plan_document(*one));
  EXPECT_EQ(write_json(network_plan_document(*two)), text);
  EXPECT_EQ(write_json(network_plan_document(*again)), text);
  kept.budget = 1e9;
  const Result<PlannedNetwork> other = plan(kept);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().front().code, "RY-SEA-002");
}

TEST_F(NetworkPlanTest, a_single_switch_is_said_to_be_one) {
  const Result<PlannedNetwork> found = plan({.network = true});
  ASSERT_TRUE(found);
  PlannedNetwork alone = *found;
  alone.rows[alone.chosen].switches = 1;
  const std::string text = network_plan_answer(alone);
  EXPECT_NE(text.find("with 1 switch at"), std::string::npos) << text;
  EXPECT_NE(text.find("the job stops with it"), std::string::npos) << text;
}

TEST_F(NetworkPlanTest, growth_is_counted_in_switches_and_cables) {
  const Result<PlannedNetwork> found = plan({.network = true, .grow = 128});
  ASSERT_TRUE(found);
  EXPECT_NE(found->growth.find("With 128 GPUs more it takes"), std::string::npos) << found->growth;
  const Result<PlannedNetwork> odd = plan({.network = true, .grow = 72});
  ASSERT_TRUE(odd);
  EXPECT_NE(odd->growth.find("it takes"), std::string::npos) << "the batch has no say: " << odd->growth;
}

}  // namespace
}  // namespace railyard
