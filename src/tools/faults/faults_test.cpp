#include "tools/faults/faults.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/temporary_folder.h"

namespace railyard {
namespace {

/// Sixty-four GPUs in eight servers, four leaves and four spines, a ring over all of them.
constexpr const char* kRingOnLeaves = R"(name = "ring"
[collective]
kind = "all_reduce"
algorithm = "ring"
sizes = ["4 GiB"]
[cluster]
gpus = 64
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 16
spines = 4
oversubscription = 1
link_rate = "400 Gb/s"
link_delay = "500 ns"
switch_latency = "300 ns"
buffer = "64 MiB"
[placement]
policy = "round-robin"
[routing]
policy = "adaptive"
[engine]
fidelity = "flow"
)";

/// What becomes of it.
Result<Faults> faults_of_ring(const std::vector<std::string>& overrides, unsigned threads, bool pairs) {
  const TemporaryFolder folder;
  Progress progress;
  return find_faults({folder.write("ring.toml", kRingOnLeaves), overrides, threads, pairs}, builtin_catalog(), progress);
}

const FaultCase& case_called(const Faults& faults, FaultTable table, const std::string& what) {
  const auto found = std::find_if(faults.cases.begin(), faults.cases.end(),
                                  [&](const FaultCase& one) { return one.table == table && one.what == what; });
  EXPECT_NE(found, faults.cases.end()) << what;
  return *found;
}

std::string text_of_faults(const Faults& faults) {
  const Document document = faults_document(faults);
  return *document.find("manner")->text();
}

TEST(Faults, tells_how_far_apart_alike_elements_are) {
  Faults faults;
  faults.whole_s = 10, faults.whole_draws = {9.8, 10.2}, faults.seeds = 3;
  FaultCase spine;
  spine.what = "spine", spine.mean_s = 10.04, spine.draws = {9.9, 10.48}, spine.slowdown = 0.004;
  faults.cases.push_back(spine);
  EXPECT_EQ(
      text_of_faults(faults),
      "The fabric degrades predictably: which of alike elements fails and how flows are hashed change the time by 5.8 % at "
      "most (4.0 % where nothing has failed), and none costs more on average than the capacity that goes with it.");
}

TEST(Faults, every_kind_of_element_fails_once) {
  const Result<Faults> faults = faults_of_ring({}, 2, true);
  ASSERT_TRUE(faults) << faults.error().front().message;
  std::vector<std::string> what;
  for (const ElementClass& c : faults->classes) what.push_back(c.what);
  EXPECT_EQ(what, (std::vector<std::string>{"NIC port", "leaf uplink", "leaf", "spine"}));
  // A ring that leaves its leaf with every hop uses all uplinks: with one of four spines gone it takes a third longer.
  const FaultCase& spine = case_called(*faults, FaultTable::one, "spine");
  EXPECT_NEAR(spine.slowdown, 1.0 / 3, 0.02);
  EXPECT_TRUE(spine.is_steady);
  EXPECT_TRUE(spine.is_proportionate);
  EXPECT_FALSE(case_called(*faults, FaultTable::one, "leaf").cut_off.empty());
  EXPECT_FALSE(case_called(*faults, FaultTable::one, "NIC port").cut_off.empty());
  EXPECT_NEAR(case_called(*faults, FaultTable::slow, "NIC port").slowdown, 1, 0.02);
  EXPECT_NEAR(case_called(*faults, FaultTable::two, "2 neighbouring: spine").slowdown, 1, 0.02);
  EXPECT_NEAR(case_called(*faults, FaultTable::upgrade, "2 of 4: spine").slowdown, 1, 0.02);
}

TEST(Faults, threads_do_not_change_the_answer) {
  const auto times = [](unsigned threads) {
    const Result<Faults> faults = faults_of_ring({}, threads, false);
    EXPECT_TRUE(faults) << faults.error().front().message;
    std::vector<double> all;
    if (faults)
      for (const FaultCase& fault : faults->cases) all.push_back(fault.mean_s);
    return all;
  };
  EXPECT_EQ(times(1), times(4));
  EXPECT_GT(times(1).size(), 4U);
}

TEST(Faults, packets_are_refused) {
  const Result<Faults> faults = faults_of_ring({"engine.fidelity=packet"}, 1, false);
  ASSERT_FALSE(faults);
  EXPECT_EQ(faults.error().front().code, "RY-FLT-001");
}

}  // namespace
}  // namespace railyard
