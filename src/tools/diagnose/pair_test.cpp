// Two causes at once, and what to measure next: put in by simulating, and forgotten.
#include "tools/diagnose/pair.h"

#include <gtest/gtest.h>

#include <set>

#include "base/temporary_folder.h"
#include "scenario/presets.h"
#include "tools/diagnose/diagnose.h"

namespace railyard {
namespace {

constexpr const char* kFourServers = R"(name = "four servers"
[cluster]
gpu = "H100-SXM-80"
gpus = 32
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
switch = "Tomahawk-5"
)";

/// What nccl-tests would print on such a cluster with changes to it.
Measurements measured_with(const ExpectationRequest& request, const std::vector<std::string>& set) {
  const Catalog& catalog = builtin_catalog();
  const Result<Scenario> scenario = load_named_scenario(request.scenario, catalog, {}, {.workload = false});
  Curve curve{
      .kind = CollectiveKind::all_reduce, .ranks = 32, .nodes = 4, .points = {}, .hosts = {}, .library = {}, .file = {}};
  for (Bytes size = 1_MiB; size <= 8_GiB; size = size * 2) curve.points.push_back({.size = size, .where = {}});
  Progress progress;
  const Result<PredictedTimes> times = predict(request, catalog, *scenario, {curve}, set, progress);
  EXPECT_TRUE(times.has_value());
  CollectiveTest test;
  test.collective = "all_reduce", test.ranks = 32, test.nodes = 4;
  for (std::size_t k = 0; k < curve.points.size(); k++) {
    CollectiveRow row;
    row.size = curve.points[k].size, row.time_s = (*times)[0][k] * (k % 2 == 0 ? 1.02 : 0.98);
    test.rows.push_back(row);
  }
  Measurements measured;
  measured.tests.push_back(test);
  return measured;
}

Diagnosis diagnosis_with(const std::vector<std::string>& set) {
  const TemporaryFolder folder;
  const ExpectationRequest request{folder.write("cluster.toml", kFourServers), {}, 1};
  Progress progress;
  return *diagnose(request, measured_with(request, set), {}, builtin_catalog(), progress);
}

/// Late by 200 µs in every step, which small buffers show, and NICs at a third, which large ones show.
TEST(Pair, is_named_where_one_cause_is_not_enough) {
  const Diagnosis found = diagnosis_with({"host.latency=200 us", "host.nic_rate=17 GB/s"});
  ASSERT_TRUE(found.pair.has_value());
  std::set<std::string> keys;
  for (const Variant* one : {&found.pair->first_best, &found.pair->second_best})
    for (const std::string& text : one->set) keys.insert(text.substr(0, text.find('=')));
  EXPECT_TRUE(keys.contains("host.latency"));
  EXPECT_TRUE(keys.contains("host.nic_rate") || keys.contains("host.server_rate") || keys.contains("host.nics"));
  EXPECT_GE(found.pair->gain, kPairGain);
}

TEST(Pair, is_not_named_where_one_is_enough) {
  EXPECT_FALSE(diagnosis_with({"host.nic_rate=17 GB/s"}).pair.has_value());
  EXPECT_FALSE(diagnosis_with({"host.latency=200 us"}).pair.has_value());
  EXPECT_FALSE(diagnosis_with({}).pair.has_value());
}

/// The two likeliest share a curve: what is asked for shows another thing with each of them.
TEST(NextMeasurement, tells_the_first_two_apart) {
  const Diagnosis found = diagnosis_with({"host.nic_rate=20 GB/s"});
  ASSERT_TRUE(found.next.has_value());
  EXPECT_NE(found.next->if_first, found.next->if_second);
  EXPECT_GT(found.next->separation, kSome);
}

/// What was measured is not asked for again.
TEST(NextMeasurement, asks_for_nothing_that_is_there) {
  const TemporaryFolder folder;
  const ExpectationRequest request{folder.write("cluster.toml", kFourServers), {}, 1};
  const Catalog& catalog = builtin_catalog();
  const Scenario scenario = *load_named_scenario(request.scenario, catalog, {}, {.workload = false});
  const ClusterFacts facts = facts_of(scenario, catalog, {});
  const RankedCause first{.cause = &cause_called("gpu-direct-off")}, second{.cause = &cause_called("loss")};
  Measurements measured;
  const auto next = [&] {
    return next_measurement({request, catalog, scenario, facts, {}, measured, {}}, first, second)->what;
  };
  const std::string before = next();
  EXPECT_NE(before.find("NCCL_DEBUG=INFO"), std::string::npos) << before;
  measured.logs.emplace_back();
  EXPECT_EQ(next().find("NCCL_DEBUG=INFO"), std::string::npos) << next();
}

}  // namespace
}  // namespace railyard
