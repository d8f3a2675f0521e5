// Training steps over the flow engine: what closed forms say where nothing is shared, slower where something is, and an answer
// whatever fails.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

constexpr const char* kDense = R"(name = "step"
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
)";
constexpr const char* kExperts = R"(name = "step"
[model]
preset = "mixtral-8x7b"
layers = 8
experts = 32
sequence = 4096
[training]
global_batch = 128
)";
constexpr const char* kCluster = R"(
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 64
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 16
cable = "30 m"
)";
constexpr const char* kFull = "spines = 4\n";
constexpr const char* kOversubscribed = "oversubscription = 4\n";

struct Layout {
  const char* model;
  const char* parallel;
};
constexpr Layout kLayouts[] = {
    {kDense, "tensor = 8\npipeline = 2"},
    {kDense, "tensor = 4\npipeline = 4\nvirtual_pipeline = 2\nzero = 1"},
    {kDense, "tensor = 8\npipeline = 2\npipeline_overlap = false\ndata_overlap = false"},
    {kDense, "tensor = 2\ncontext = 8\npipeline = 2"},
    {kDense, "tensor = 16"},
    {kDense, "zero = 3"},
    {kDense, "tensor = 8\nzero = 3"},
    {kDense, "tensor = 8\npipeline = 4\nschedule = \"dualpipe\""},
    {kExperts, "expert = 8\nzero = 1"},
    {kExperts, "expert = 32\npipeline = 2\nexpert_dispatch = \"deduplicated\""},
    {kExperts, "expert = 16\npipeline = 2\nschedule = \"dualpipe\""},
};

Scenario scenario_with(const Layout& layout, const std::string& fabric, const std::string& engine) {
  return testing::scenario_of(std::string(layout.model) + "[parallel]\n" + layout.parallel + kCluster + fabric +
                              "[routing]\npolicy = \"adaptive\"\n[engine]\n" + engine);
}

Result<Run> simulated(const Layout& layout, const std::string& fabric, const std::string& engine, unsigned threads = 1) {
  Progress progress;
  return simulate(scenario_with(layout, fabric, engine), {.threads = threads}, progress);
}

StepRun step(const Layout& layout, const std::string& fabric, const std::string& engine) {
  Result<Run> run = simulated(layout, fabric, engine);
  if (!run) throw std::runtime_error(to_text(run.error().front()));
  return std::move(*run->training);
}

std::string errors(const Layout& layout, const std::string& failures) {
  const Result<Run> run = simulated(layout, kFull, "fidelity = \"flow\"\n[failures]\n" + failures);
  std::string all;
  if (run) return all;
  for (const Diagnostic& one : run.error()) all += to_text(one) + "\n";
  return all;
}

TEST(FlowStep, on_a_fabric_without_bottlenecks_a_step_takes_its_closed_form) {
  for (const Layout& layout : kLayouts) {
    const double closed = seconds(step(layout, kFull, "").time);
    for (const char* mode : {"exact", "quantised"}) {
      const StepRun run = step(layout, kFull, std::string("fidelity = \"flow\"\nmode = \"") + mode + "\"\n");
      EXPECT_NEAR(seconds(run.time) / closed, 1, 0.01) << layout.parallel << ", " << mode;
    }
  }
}

TEST(FlowStep, transports_differ_by_what_headers_leave_to_payload) {
  // Gradients in buckets of 1 GB with nothing beside them: 0.5 % of that is latency, which is the same for all.
  const Layout layout{kDense, "tensor = 8\nbucket = \"1 GB\"\ndata_overlap = false"};
  for (const char* engine : {"", "fidelity = \"flow\"\n"}) {
    const auto exposed = [&](const char* transport) {
      const StepRun run = step(layout, std::string(kFull) + "host_latency = \"1 us\"\n[transport]\n" + transport, engine);
      return seconds(run.stages.front().exposed[index(GroupKind::data)]);
    };
    const double roce = exposed("mtu = 4096\n");
    EXPECT_NEAR(exposed("mtu = 4096\nheader = 26\n") / roce, 4122.0 / 4178.0, 1e-4) << engine;  // InfiniBand's
    EXPECT_NEAR(exposed("header = 122\n") / roce, 4218.0 / 4178.0, 1e-4) << engine;
    EXPECT_NEAR(exposed("mtu = 1024\n") / roce, (1106.0 / 1024.0) / (4178.0 / 4096.0), 4e-4) << engine;
  }
}

TEST(FlowStep, oversubscription_makes_a_step_slower) {
  for (const Layout& layout : kLayouts)
    EXPECT_GT(step(layout, kOversubscribed, "fidelity = \"flow\"\n").time, step(layout, kFull, "fidelity = \"flow\"\n").time)
        << layout.parallel;
}

TEST(FlowStep, remembered_rates_do_not_show) {
  for (const Layout& layout : kLayouts)
    EXPECT_EQ(step(layout, kOversubscribed, "fidelity = \"flow\"\n").fingerprint,
              step(layout, kOversubscribed, "fidelity = \"flow\"\ncache = false\n").fingerprint)
        << layout.parallel;
}

TEST(FlowStep, merging_moves_a_step_by_no_more_than_what_sharing_costs_it) {
  for (const Layout& layout : kLayouts)
    for (const char* fabric : {kFull, kOversubscribed}) {
      const StepRun exact = step(layout, fabric, "fidelity = \"flow\"\nmode = \"exact\"\n");
      const StepRun merged = step(layout, fabric, "fidelity = \"flow\"\nmode = \"quantised\"\nquantum = \"50 us\"\n");
      EXPECT_TRUE(exact.exact && !merged.exact);
      EXPECT_LE(merged.alone, merged.time) << layout.parallel;
      EXPECT_LE(merged.alone, exact.time) << layout.parallel;
      EXPECT_LE(std::abs((merged.time - exact.time).count()), (merged.time - merged.alone).count()) << layout.parallel;
    }
}

TEST(FlowStep, the_number_of_threads_does_not_show) {
  EXPECT_EQ(simulated(kLayouts[0], kOversubscribed, "fidelity = \"flow\"\n", 1)->fingerprint,
            simulated(kLayouts[0], kOversubscribed, "fidelity = \"flow\"\n", 2)->fingerprint);
}

TEST(FlowStep, a_rank_that_a_failure_isolates_is_named_with_the_cause) {
  const std::string nic = errors(kLayouts[0], "\"gpu 7\" = \"down\"\n");
  EXPECT_NE(nic.find("RY-RUN-031"), std::string::npos) << nic;
  EXPECT_NE(nic.find("the port of the NIC of GPU 7 is down: rank 7 is cut off"), std::string::npos) << nic;
  const std::string leaf = errors(kLayouts[0], "\"leaf 2\" = \"down\"\n");
  EXPECT_NE(leaf.find("leaf 2 is down: ranks "), std::string::npos) << leaf;
  EXPECT_EQ(leaf.find("RY-RUN-031", leaf.find("RY-RUN-031") + 1), std::string::npos) << leaf;
}

TEST(FlowStep, a_failure_in_mid_step_without_another_path_says_what_waits) {
  // Rank 5 reaches rank 6 by its scale-up links, but not its pipeline and data groups.
  for (const Layout& layout : kLayouts) {
    const std::string text = errors(layout, "\"gpu 5\" = { from = \"20 ms\" }\n");
    EXPECT_NE(text.find("RY-RUN-030"), std::string::npos) << layout.parallel << "\n" << text;
    EXPECT_NE(text.find("the port of the NIC of GPU 5 is down"), std::string::npos) << layout.parallel << "\n" << text;
    EXPECT_NE(text.find("stages still waiting"), std::string::npos) << layout.parallel << "\n" << text;
  }
}

TEST(FlowStep, a_failure_that_ends_is_waited_for) {
  const Picoseconds healthy = step(kLayouts[0], kFull, "fidelity = \"flow\"\n").time;
  const auto with = [&](const std::string& failure) {
    return step(kLayouts[0], kFull, "fidelity = \"flow\"\n[failures]\n" + failure).time;
  };
  const Picoseconds outage = 500'000_us;
  const Picoseconds waited = with("\"gpu 5\" = { from = \"300 ms\", until = \"800 ms\" }\n");
  EXPECT_GT(waited, healthy + outage / 2);
  EXPECT_LE(waited, healthy + outage);
  EXPECT_GT(with("\"gpu 5\" = { rate = \"100 Gb/s\" }\n"), healthy);
  EXPECT_EQ(with("\"gpu 5\" = { from = \"9 s\" }\n"), healthy);  // when the step is over
}

TEST(FlowStep, a_spine_that_fails_costs_what_is_missing_of_its_tier) {
  const Picoseconds healthy = step(kLayouts[0], kFull, "fidelity = \"flow\"\n").time;
  const Picoseconds one_less = step(kLayouts[0], kFull, "fidelity = \"flow\"\n[failures]\n\"spine 0\" = \"down\"\n").time;
  EXPECT_GE(one_less, healthy);
  EXPECT_LT(seconds(one_less), seconds(healthy) * 1.15);
}

}  // namespace
}  // namespace railyard
