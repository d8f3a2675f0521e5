#include "answer/levers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "answer/advice.h"
#include "catalog/catalog.h"
#include "scenario/load.h"

namespace railyard {

namespace {

constexpr const char* kStep = R"(
name = "step"
[model]
preset = "llama3-8b"
[training]
global_batch = 64
[parallel]
tensor = 2
pipeline = 2
[cluster]
gpu = "H100-SXM-80"
gpus = 16
gpus_per_node = 8
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 8
[engine]
fidelity = "flow"
)";

Scenario scenario_of(const std::string& more, const std::vector<std::string>& overrides = {}) {
  const auto read = [&](const std::filesystem::path&) -> Result<std::string> { return kStep + more; };
  const Result<Scenario> scenario = load_scenario("test.toml", builtin_catalog(), overrides, read);
  EXPECT_TRUE(scenario.has_value());
  return *scenario;
}

std::vector<Trial> levers(const std::string& more, const std::vector<std::string>& overrides = {}) {
  return levers_for(scenario_of(more, overrides), builtin_catalog());
}

bool tries(const std::vector<Trial>& all, const std::string& set) {
  return std::any_of(all.begin(), all.end(),
                     [&](const Trial& trial) { return std::find(trial.set.begin(), trial.set.end(), set) != trial.set.end(); });
}

}  // namespace

TEST(Levers, try_switches_that_add_up_where_there_are_some) {
  const std::string set = "parallel.switch_reduction=true";
  EXPECT_FALSE(tries(levers("", {"fabric.switch=Tomahawk-5"}), set));
  EXPECT_TRUE(tries(levers("", {"fabric.switch=Quantum-2", "transport.kind=infiniband"}), set));
  EXPECT_TRUE(tries(levers("", {"fabric.switch=Tomahawk-Ultra"}), set));
  EXPECT_FALSE(tries(levers("", {"fabric.switch=Quantum-2", "transport.kind=infiniband", set}), set));
}

TEST(Levers, try_what_the_scenario_does_not_have) {
  const std::vector<Trial> all = levers("");
  for (const char* set : {"routing.policy=adaptive", "transport.qps_per_connection=4", "placement.policy=round-robin",
                          "parallel.order=tp-cp-pp-dp", "parallel.virtual_pipeline=2", "training.micro_batch=2",
                          "parallel.tensor_overlap=full", "fabric.oversubscription=2", "fabric.rails=true"})
    EXPECT_TRUE(tries(all, set)) << set;
}

TEST(Levers, leave_out_what_is_there_already) {
  EXPECT_FALSE(tries(levers("[routing]\npolicy = \"adaptive\"\n"), "routing.policy=adaptive"));
  EXPECT_FALSE(tries(levers("", {"parallel.tensor_overlap=full"}), "parallel.tensor_overlap=full"));
  EXPECT_FALSE(tries(levers("", {"fabric.rails=true"}), "fabric.rails=true"));
  EXPECT_FALSE(tries(levers(""), "failures="));
  EXPECT_FALSE(tries(levers(""), "fabric.oversubscription=1"));
  EXPECT_TRUE(tries(levers("", {"fabric.oversubscription=2"}), "fabric.oversubscription=1"));
}

TEST(Levers, of_a_step_in_closed_form_leave_the_network_alone) {
  const std::vector<Trial> all = levers("", {"engine.fidelity=analytic"});
  EXPECT_FALSE(tries(all, "routing.policy=adaptive"));
  EXPECT_TRUE(tries(all, "parallel.virtual_pipeline=2"));
}

TEST(Levers, are_of_hardware_that_can_be_bought) {
  const char* const kNone = "fabric.link_rate=800 Gb/s";
  const auto rail = [](const char* nic, const char* box, const char* gpu) {
    return std::vector<std::string>{std::string("cluster.nic=") + nic, std::string("fabric.switch=") + box,
                                    std::string("cluster.gpu=") + gpu};
  };
  EXPECT_FALSE(tries(levers("", rail("ConnectX-7", "Tomahawk-5", "H100-SXM-80")), kNone));  // PCIe 5.0 carries 504 Gb/s
  EXPECT_FALSE(tries(levers("", {"fabric.switch=Tomahawk-5"}), kNone));                     // a NIC is not named
  const std::vector<Trial> blackwell = levers("", rail("ConnectX-7", "Tomahawk-5", "B300-SXM"));
  EXPECT_TRUE(tries(blackwell, kNone));
  EXPECT_TRUE(tries(blackwell, "cluster.nic=Thor-Ultra"));
  EXPECT_TRUE(tries(blackwell, "fabric.switch=Tomahawk-6"));  // a Tomahawk-5 has 64 such ports
  EXPECT_TRUE(tries(blackwell, "fabric.radix=128"));
  const std::vector<Trial> small = levers("[transport]\nkind = \"infiniband\"\n", rail("ConnectX-7", "Quantum-2", "B300-SXM"));
  EXPECT_TRUE(tries(small, "fabric.switch=Quantum-X800"));
  EXPECT_TRUE(tries(small, "fabric.radix=64"));
  const std::vector<Trial> slow = levers("", {"fabric.link_rate=25 Gb/s"});
  EXPECT_FALSE(tries(slow, "fabric.link_rate=12.5 Gb/s"));
  EXPECT_FALSE(tries(slow, "fabric.link_rate=50 Gb/s"));
}

TEST(Levers, of_links_above_leaves_say_how_many_there_would_be) {
  const auto words = [](const std::vector<std::string>& overrides) {
    for (const Trial& trial : levers("", overrides))
      if (trial.of == ChangeOf::less_hardware && trial.kind == "oversubscription") return trial.change;
    return std::string();
  };
  EXPECT_EQ(words({}), "8 links above the leaves instead of 16 (2:1 instead of 1:1)");
  // 22 servers are dealt to six leaves today and to five then: not half as many links.
  EXPECT_EQ(words({"fabric.hosts_per_leaf=", "cluster.gpus=176", "fabric.switch=Tomahawk-5", "fabric.radix=64",
                   "training.global_batch=704"}),
            "100 links above the leaves instead of 192 (2:1 instead of 1:1)");
}

TEST(Levers, repair_what_has_failed) { EXPECT_TRUE(tries(levers("[failures]\n\"spine 0\" = \"down\"\n"), "failures=")); }

TEST(Advice, tells_what_helps_from_what_would_do_and_what_should_stay) {
  const Baseline before{.run = "a", .label = "A", .metric = "step", .time_s = 1.0, .resolves = 0.03};
  const auto tried = [&](ChangeOf of, double time) {
    return advice_of(before, {.kind = "k", .change = "c", .set = {}, .of = of, .step_s = time});
  };
  std::vector<Advice> all{
      tried(ChangeOf::less_hardware, 1.001), tried(ChangeOf::setting, 1.2), tried(ChangeOf::setting, 0.99),
      tried(ChangeOf::less_hardware, 1.2),   tried(ChangeOf::job, 0.8),     tried(ChangeOf::setting, 1.0001)};
  rank(all);
  ASSERT_EQ(all.size(), 5U);  // the last moves nothing
  EXPECT_DOUBLE_EQ(all[0].after_s, 0.8);
  EXPECT_DOUBLE_EQ(all[1].after_s, 0.99);
  EXPECT_TRUE(all[2].cheaper);
  EXPECT_TRUE(all[3].keeps && all[4].keeps);
  EXPECT_TRUE(all[0].confidence.starts_with("high"));
  EXPECT_TRUE(all[1].confidence.starts_with("medium"));
}

TEST(Seeds, are_several_where_switches_hash_and_never_beyond_the_largest) {
  EXPECT_EQ(seeds_for(scenario_of(""), true), (std::vector<std::uint64_t>{1, 2, 3, 4, 5, 6, 7}));
  const std::uint64_t largest = (std::uint64_t{1} << 63) - 1;
  EXPECT_EQ(seeds_for(scenario_of("", {fmt::format("engine.seed={}", largest)}), false),
            (std::vector<std::uint64_t>{largest, 0, 1}));
  EXPECT_TRUE(seeds_for(scenario_of("[routing]\npolicy = \"adaptive\"\n"), true).empty());
}

TEST(Advice, tells_one_gain_wherever_it_is_shown) {
  const auto text = [](double gain, double of_step) {
    Advice advice;
    advice.gain = gain, advice.of_step = of_step;
    return gain_of(advice);
  };
  EXPECT_EQ(text(0.102, 0.102), "+10.2 %");
  EXPECT_EQ(text(-0.04, -0.04), "-4.0 %");
  EXPECT_EQ(text(-0.0002, -0.0002), "0.0 %");
  EXPECT_EQ(text(0.5, 0.02), "≥ 2.0 %");  // of a collective that was tried instead
}

TEST(Advice, leaves_out_what_is_the_luck_of_a_hash) {
  const Baseline before{.run = "a", .label = "A", .metric = "step", .time_s = 1.1, .draws = {1.0, 1.2}, .resolves = 0.03};
  const auto tried = [&](ChangeOf of, DrawnTimes draws) {
    Trial trial{.kind = "k", .change = "c", .set = {}, .of = of};
    trial.draws = draws, trial.step_s = (draws.least + draws.most) / 2;
    return advice_of(before, trial);
  };
  std::vector<Advice> all{tried(ChangeOf::setting, {0.95, 1.1}),         // may be luck
                          tried(ChangeOf::setting, {0.8, 0.9}),          // is not
                          tried(ChangeOf::less_hardware, {1.0, 1.3}),    // worse with some seeds
                          tried(ChangeOf::less_hardware, {1.0, 1.19})};  // never worse
  rank(all);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_DOUBLE_EQ(all[0].after_s, 0.85);
  EXPECT_TRUE(all[1].cheaper);
}

}  // namespace railyard
