#include "tools/diagnose/diagnose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/temporary_folder.h"
#include "tools/diagnose/signs.h"

namespace railyard {
namespace {

constexpr const char* kTwoServers = R"(name = "two servers"
[cluster]
gpu = "H100-SXM-80"
gpus = 16
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
switch = "Tomahawk-5"
)";

/// One table with one bandwidth at all sizes, in GB/s.
Measurements table_of(double gbs, std::uint32_t ranks = 16) {
  Measurements measured;
  CollectiveTest test;
  test.collective = "all_reduce", test.ranks = ranks;
  for (Bytes size = 256_MiB; size <= 8_GiB; size = size * 2) {
    CollectiveRow row;
    row.size = size, row.bus_bandwidth = gbs * 1e9;
    test.rows.push_back(row);
  }
  measured.tests.push_back(test);
  return measured;
}

Result<Diagnosis> diagnosis_of(const Measurements& measured, const std::vector<std::string>& overrides = {},
                               unsigned threads = 1) {
  const TemporaryFolder folder;
  Progress progress;
  return diagnose({folder.write("cluster.toml", kTwoServers), overrides, threads}, measured, {}, builtin_catalog(), progress);
}

std::string first_of(const Diagnosis& found) { return std::string(found.causes.front().cause->id); }

TEST(Diagnose, a_cluster_that_does_what_it_should_is_healthy) {
  const Result<Diagnosis> found = diagnosis_of(table_of(465));
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(first_of(*found), "healthy");
  EXPECT_FALSE(found->curves.front().is_slow);
  EXPECT_EQ(found->by_network, Degraded::no);
  EXPECT_NE(found->answer[1].text.find("Nothing is wrong"), std::string::npos);
}

TEST(Diagnose, half_of_it_is_slow_and_scores_sum_to_one) {
  const Result<Diagnosis> found = diagnosis_of(table_of(230));
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(found->curves.front().is_slow);
  EXPECT_NEAR(found->curves.front().ratio, 0.5, 0.03);
  double sum = 0;
  for (const RankedCause& one : found->causes) sum += one.score;
  EXPECT_NEAR(sum, 1, 1e-9);
  EXPECT_NE(first_of(*found), "healthy");
}

/// A third at the last size and half at the others: the sentence is about the last.
TEST(Diagnose, the_first_sentence_divides_the_figures_it_names) {
  Measurements measured = table_of(230);
  measured.tests.front().rows.back().bus_bandwidth = 159e9;
  const Result<Diagnosis> found = diagnosis_of(measured);
  ASSERT_TRUE(found.has_value());
  EXPECT_NE(found->answer.front().text.find(": 33 % of what is expected"), std::string::npos) << found->answer.front().text;
}

TEST(Diagnose, what_the_scenario_says_is_no_cause) {
  const Result<Diagnosis> found = diagnosis_of(table_of(108), {"host.nic_rate=15 GB/s"});
  ASSERT_TRUE(found.has_value());
  EXPECT_GT(found->curves.front().ratio, 0.3);
  const Result<Diagnosis> without = diagnosis_of(table_of(108));
  EXPECT_LT(without->curves.front().ratio, 0.3);
}

TEST(Diagnose, wrong_values_come_first) {
  Measurements measured = table_of(465);
  measured.tests.front().out_of_bounds = 3;
  const Result<Diagnosis> found = diagnosis_of(measured);
  EXPECT_EQ(found->wrong, 3U);
  EXPECT_EQ(found->answer.front().text.find("3 values came out wrong"), 0U);
}

TEST(Diagnose, threads_do_not_matter) {
  const Document one = diagnosis_document(*diagnosis_of(table_of(230), {}, 1)),
                 two = diagnosis_document(*diagnosis_of(table_of(230), {}, 2));
  EXPECT_EQ(*one.at_path("causes[0].id")->text(), *two.at_path("causes[0].id")->text());
  EXPECT_EQ(*one.at_path("causes[1].score")->real(), *two.at_path("causes[1].score")->real());
}

TEST(Diagnose, files_that_hold_nothing_are_refused) {
  const Result<Diagnosis> found = diagnosis_of({});
  ASSERT_FALSE(found.has_value());
  EXPECT_EQ(found.error().front().code, "RY-DGN-001");
}

TEST(Diagnose, a_log_alone_says_something) {
  Measurements measured;
  LibraryLog log;
  log.network = "Socket";
  measured.logs.push_back(log);
  EXPECT_EQ(first_of(*diagnosis_of(measured)), "socket");
}

TEST(Diagnose, a_collective_that_nobody_models_is_named) {
  Measurements measured = table_of(465);
  measured.tests.push_back(measured.tests.front());
  measured.tests.back().collective = "hypercube";
  EXPECT_EQ(diagnosis_of(measured)->unknown, std::vector<std::string>{"hypercube"});
}

TEST(Diagnose, a_host_that_is_in_no_fast_test_stands_out) {
  Measurements measured;
  const char* const hosts[] = {"a", "b", "c", "d"};
  for (int i = 0; i < 4; i++)
    for (int k = i + 1; k < 4; k++) {
      Measurements pair = table_of(k == 3 ? 200 : 465);
      pair.tests.front().places = {{0, hosts[i], 0, {}, {}}, {8, hosts[k], 0, {}, {}}};
      measured.tests.push_back(pair.tests.front());
    }
  const Result<Diagnosis> found = diagnosis_of(measured);
  ASSERT_EQ(found->odd.size(), 1U);
  EXPECT_EQ(found->odd.front().name, "d");
  EXPECT_EQ(found->causes.front().cause->in, CauseIn::server);
  EXPECT_NE(found->causes.front().best.how.find("where d takes part"), std::string::npos) << found->causes.front().best.how;
}

/// Four servers at half, two of them as they should be: what slows pairs down is no cause.
TEST(Diagnose, what_shows_in_larger_groups_alone_is_looked_for_there) {
  Measurements measured = table_of(465);
  measured.tests.push_back(table_of(180, 32).tests.front());
  const Result<Diagnosis> found = diagnosis_of(measured, {"cluster.gpus=32"});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->by_network, Degraded::yes);
  EXPECT_NE(found->causes.front().best.how.find("in groups of more than 2 nodes"), std::string::npos);
}

/// The sum of what logs say for and against a cause.
double said_of(std::string_view cause, const LibraryLog& log) {
  Measurements measured;
  measured.logs.push_back(log);
  const ClusterFacts facts{.gpus_per_node = 2, .nics_per_node = 2, .nodes = 2, .nic_rate = 25e9};
  double sum = 0;
  for (const Evidence& one : evidence_of({measured, {}, facts, {}}))
    if (one.cause == cause) sum += one.log_odds;
  return sum;
}

TEST(Evidence, a_nic_that_no_channel_uses_is_not_used) {
  LibraryLog log;
  log.channels = 2;
  for (std::uint32_t nic = 0; nic < 2; nic++) {
    log.hcas.push_back({"a", nic, "mlx5_" + std::to_string(nic), 1, false, false});
    LoggedConnection one;
    one.channel = nic, one.host = "a", one.via = "NET", one.nic = nic;
    log.connections.push_back(one);
  }
  EXPECT_LT(said_of("nic-subset", log), 0);
  log.connections.back().nic = 0;
  EXPECT_GT(said_of("nic-subset", log), 0);
}

TEST(Evidence, lines_that_complain_name_their_cause) {
  LibraryLog log;
  log.warnings.push_back({"a", "P2P is disabled between connected GPUs 0 and 1.", 1, {}});
  EXPECT_GE(said_of("p2p-off", log), kProof);
  log.warnings.front().text = "Failed to open libibverbs.so[.1]";
  EXPECT_GE(said_of("socket", log), kStrong);
}

TEST(Evidence, a_bond_may_use_one_of_its_ports) {
  LibraryLog log;
  log.hcas.push_back({"a", 0, "mlx5_bond_1", 1, true, false});
  EXPECT_GT(said_of("one-port", log), 0);
}

/// A leaf whose busiest uplink sent 1.6 times the mean: as 16 flows are hashed, and not as 512 are.
TEST(Evidence, uplinks_are_uneven_where_the_hash_does_not_make_them_so) {
  Measurements measured;
  for (const double share : {1.6, 0.8, 0.8, 0.8})
    measured.counters.push_back(
        {"leaf", std::to_string(measured.counters.size()), "tx", CounterKind::tx_bytes, {}, share * 1e12, 0, {}});
  ClusterFacts facts{.gpus_per_node = 8, .nics_per_node = 8, .nodes = 4, .nic_rate = 50e9};
  facts.hashes = true;
  const auto said = [&](std::uint32_t flows) {
    facts.leaf_flows = flows;
    double sum = 0;
    for (const Evidence& one : evidence_of({measured, {}, facts, {}}))
      if (one.cause == "ecmp-collision") sum += one.log_odds;
    return sum;
  };
  EXPECT_LT(said(16), 0);
  EXPECT_GT(said(512), 0);
}

/// Every piece of evidence that any sign gives names a cause of the table, and every cause can be had on some cluster.
TEST(Causes, have_names_that_evidence_knows) {
  std::set<std::string_view> ids;
  for (const SlowCause& cause : all_causes()) EXPECT_TRUE(ids.insert(cause.id).second) << cause.id;
  ClusterFacts facts{.gpus_per_node = 8, .nics_per_node = 8, .nodes = 16, .nic_rate = 50e9};
  facts.has_nvls = facts.is_roce = facts.has_spines = facts.hashes = facts.has_rails = facts.has_tiers = facts.has_exchange =
      true;
  for (const SlowCause& cause : all_causes()) {
    const CauseSigns signs = signs_of(cause.id, facts);
    for (const Evidence& one : evidence_of({signs.measured, signs.estate, facts, signs.odd}))
      EXPECT_TRUE(ids.contains(one.cause)) << one.cause;
    EXPECT_EQ(cause.variants(facts).empty(), cause.in == CauseIn::unknown) << cause.id;
  }
}

TEST(Score, the_right_curve_is_likelier_than_a_wrong_one) {
  Curve curve;
  std::vector<double> right, wrong;
  for (Bytes size = 64_MiB; size <= 4_GiB; size = size * 4) {
    curve.points.push_back({.size = size, .time_s = static_cast<double>(size.count()) / 100e9, .where = {}});
    right.push_back(curve.points.back().time_s * 1.03);
    wrong.push_back(curve.points.back().time_s * 1.5);
  }
  EXPECT_GT(log_likelihood(curve, right), log_likelihood(curve, wrong) + 5);
}

}  // namespace
}  // namespace railyard
