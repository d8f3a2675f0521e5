#include "tools/tune/tune.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "scenario/presets.h"
#include "tools/tune/tune_bench.h"

namespace railyard {
namespace {

constexpr const char* kNetwork = R"(
name = "sixteen hosts"
[traffic]
pattern = "incast"
fan_in = 8
size = "1 MB"
[cluster]
gpus = 16
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
link_rate = "400 Gb/s"
[engine]
fidelity = "packet"
)";

class TuneTest : public testing::Test {
 protected:
  TuneQuestion question(std::vector<std::string> vary, unsigned threads = 1) const {
    TuneQuestion out{file, {}, {.generations = 3}};
    out.vary = std::move(vary), out.only = !out.vary.empty(), out.crew = threads;
    return out;
  }
  Result<Tuned> tune(const TuneQuestion& asked) const {
    Progress progress;
    return find_settings(asked, builtin_catalog(), progress);
  }
  std::string code(const TuneQuestion& asked) const {
    const Result<Tuned> found = tune(asked);
    return found ? "" : found.error().front().code;
  }

  const TemporaryFolder folder;
  const std::string file = folder.write("network.toml", kNetwork).string();
  const std::vector<std::string> few = {"transport.ecn.kmax=2 MiB,4 MiB,16 MiB", "transport.dcqcn.rpg_time_reset=50 us,300 us"};
};

TEST_F(TuneTest, finds_settings_that_do_better_on_seeds_it_was_not_shown) {
  const Result<Tuned> found = tune(question(few));
  ASSERT_TRUE(found) << found.error().front().message;
  EXPECT_EQ(found->today.score, 1);
  EXPECT_LE(found->best.front().score, 1);
  for (std::size_t i = 1; i < found->best.size(); i++)  // choices that gain nothing are taken back from the first
    EXPECT_LE(found->best[i - 1].score, found->best[i].score * (i == 1 ? 1.002 : 1));
  EXPECT_NE(found->searched_seeds, found->checked_seeds);
  for (const TunedRow& row : found->best) {
    ASSERT_EQ(row.figures.size(), found->workloads.size());
    EXPECT_DOUBLE_EQ(row.score, score_of(row.figures, found->today.figures));
  }
}

TEST_F(TuneTest, what_nothing_beats_has_the_best_of_each) {
  TuneQuestion all = question(few);
  all.request.exhaustive = true;
  const Result<Tuned> found = tune(all);
  ASSERT_TRUE(found);
  ASSERT_FALSE(found->front.empty());
  EXPECT_LE(found->front.size(), found->search.ranked.size());
  const auto beats = [](const SettingRatios& a, const SettingRatios& b) {
    return a.incasts <= b.incasts && a.others <= b.others && a.goodput >= b.goodput;
  };
  for (const SettingRatios& a : found->front)
    for (const SettingRatios& b : found->front) EXPECT_TRUE(&a == &b || !beats(a, b));
  EXPECT_LE(found->front.front().incasts, found->incast_tail() + 1e-12) << "the best score is no better in incasts";
  const std::string text = write_json(tune_document(*found));
  EXPECT_NE(text.find("\"front\""), std::string::npos);
}

TEST_F(TuneTest, tries_all_of_a_space_that_is_small) {
  const Result<Tuned> found = tune(question(few));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->search.points, 12U);  // each axis with what there is
  EXPECT_EQ(found->search.levels.front().tried, 12U);
}

TEST_F(TuneTest, everything_is_played_where_proof_is_asked_for) {
  TuneQuestion all = question(few);
  all.request.exhaustive = true;
  const Result<Tuned> proof = tune(all), found = tune(question(few));
  ASSERT_TRUE(proof && found);
  EXPECT_EQ(proof->search.levels.back().tried, 12U);
  EXPECT_FALSE(proof->searched);
  EXPECT_LE(proof->best.front().score, found->best.front().score * 1.002);
  EXPECT_GE(proof->best.front().score * 1.002, found->best.front().score);
  all.vary = {"transport.ecn.kmax=2000..2400 KiB+1", "transport.dcqcn.rpg_time_reset=1..300 us+1"};
  EXPECT_EQ(code(all), "RY-TUN-005");
}

TEST_F(TuneTest, says_what_the_seeds_of_the_search_would_have_chosen) {
  const Result<Tuned> found = tune(question(few));
  ASSERT_TRUE(found && found->searched);
  const SearchersChoice& first = *found->searched;
  EXPECT_LE(first.score, first.best) << "it is the best with their seeds";
  EXPECT_GE(first.checked * 1.002, found->best.front().score) << "and not with the others";
  if (first.is_best) {
    EXPECT_EQ(first.checked, found->best.front().score);
  }
  for (const TunedRow& row : found->best) EXPECT_LE(row.least_score, row.most_score);
}

TEST_F(TuneTest, no_setting_is_faster_than_links_of_hosts) {
  const Result<Tuned> found = tune(question(few));
  ASSERT_TRUE(found);
  EXPECT_LE(found->least_incast_tail(), found->incast_tail());
  for (const TunedRow& row : found->best)
    for (std::size_t i = 0; i < row.figures.size(); i++) {
      EXPECT_LE(row.figures[i].least_us, row.figures[i].tail_us) << found->workloads[i].name;
      EXPECT_NEAR(row.figures[i].least_us, found->today.figures[i].least_us, 1e-9) << "it is no matter of settings";
    }
}

TEST_F(TuneTest, threads_and_a_journal_change_nothing) {
  TuneQuestion kept = question(few, 2), again = question(few, 1);
  kept.journal = again.journal = (folder.path() / "journal").string();
  const Result<Tuned> one = tune(question(few)), two = tune(kept), three = tune(again);
  ASSERT_TRUE(one && two && three);
  const std::string text = write_json(tune_document(*one));
  EXPECT_EQ(write_json(tune_document(*two)), text);
  EXPECT_EQ(write_json(tune_document(*three)), text);
}

TEST_F(TuneTest, workloads_fit_the_network) {
  const Result<Scenario> small = load_named_scenario(file, builtin_catalog());
  for (const TuneWorkload& workload : tune_workloads(*small, *small)) EXPECT_NE(workload.name, "incast, 32 to 1");
  const Result<Scenario> large = load_named_scenario("packets/incast", builtin_catalog());
  EXPECT_EQ(tune_workloads(*large, *large).size(), 8U);
}

TEST_F(TuneTest, sizes_come_from_the_job) {
  const Result<Scenario> network = load_named_scenario("packets/incast", builtin_catalog());
  const Result<Scenario> job = load_named_scenario("deepseek-v3", builtin_catalog());
  const auto exchange_of = [](const std::vector<TuneWorkload>& all) {
    for (const TuneWorkload& workload : all)
      if (workload.name == "all-to-all") return workload;
    return TuneWorkload{};
  };
  EXPECT_NE(exchange_of(tune_workloads(*network, *job)).about.find("of the job"), std::string::npos);
  EXPECT_NE(exchange_of(tune_workloads(*network, *network)).about.find("of usual size"), std::string::npos);
}

TEST_F(TuneTest, what_is_not_played_again_is_the_same) {
  const Result<Scenario> own = load_named_scenario(file, builtin_catalog());
  const auto compare = [&](const std::vector<std::vector<std::string>>& settings) {
    std::vector<SeededFigures> played;
    std::vector<std::uint64_t> runs;
    for (const bool plays_all : {false, true}) {
      TuneBench bench({file, {}}, builtin_catalog());
      bench.workloads = tune_workloads(*own, *own), bench.plays_all = plays_all;
      for (const std::vector<std::string>& setting : settings) played.push_back(*bench.play(setting, {1}));
      runs.push_back(bench.runs());
    }
    EXPECT_EQ(runs.back(), settings.size() * played.front().front().size());
    EXPECT_LT(runs.front(), runs.back()) << "some workloads mark nothing";
    EXPECT_GT(runs.front(), played.front().front().size()) << "others do, and what is done about marks matters";
    for (std::size_t i = 0; i < settings.size(); i++)
      for (std::size_t workload = 0; workload < played[i].front().size(); workload++) {
        std::vector<double> found, proof;
        played[i].front()[workload].add_to(found), played[i + settings.size()].front()[workload].add_to(proof);
        EXPECT_EQ(found, proof) << settings[i].front() << ", workload " << workload;
      }
  };
  const std::string cut = "transport.dcqcn.rpg_min_dec_fac=90", reset = "transport.dcqcn.rpg_time_reset=";
  compare({{reset + "50 us", cut}, {reset + "300 us", cut}, {reset + "900 us", cut}});
  const std::string kmin = "transport.ecn.kmin=", kmax = "transport.ecn.kmax=16 MiB";
  compare({{kmin + "8 MiB", kmax}, {kmin + "4 MiB", kmax}, {kmin + "16 KiB", kmax}, {kmin + "1 MiB", kmax}, {kmax}});
}

/// Where the rest is better than can be, a setting is no longer worth to be played; what it is worth is at least so much.
TEST_F(TuneTest, what_is_given_up_is_no_better_than_was_thought) {
  const Result<Scenario> own = load_named_scenario(file, builtin_catalog());
  TuneBench bench({file, {}}, builtin_catalog());
  bench.workloads = tune_workloads(*own, *own);
  const std::vector<std::uint64_t> seeds = {1, 2};
  const Result<SeededFigures> usual = bench.play({}, seeds);
  ASSERT_TRUE(usual);
  for (const std::string by : {"all", "incasts", "worst", "pauses"})
    for (const char* const set : {"transport.ecn.kmax=16 MiB", "transport.dcqcn.rate_to_set_on_first_cnp=25 Gb/s"}) {
      double before = 0;
      const auto whole = bench.play({set}, seeds, [&](const SeededFigures& part) {
        const double bound = score_of(mean_over_seeds(at_best(part, *usual)), mean_over_seeds(*usual), bench.workloads, by);
        EXPECT_GE(bound, before * (1 - 1e-9)) << by << ", " << set << ", " << part.front().size();
        before = bound;
        return true;
      });
      ASSERT_TRUE(whole);
      EXPECT_DOUBLE_EQ(before, score_of(mean_over_seeds(*whole), mean_over_seeds(*usual), bench.workloads, by));
    }
  const auto part =
      bench.play({"transport.ecn.pmax=1"}, seeds, [](const SeededFigures& so_far) { return so_far.front().size() < 2; });
  ASSERT_TRUE(part);
  EXPECT_EQ(part->front().size(), 2U);
  EXPECT_EQ(part->size(), seeds.size());
}

/// The example of the guide and docs/models.md, what settings can do for incasts; on the seeds that settings are checked on.
TEST(TuneIncasts, settings_cut_their_tails_by_a_quarter_and_keep_goodput) {
  const Result<Scenario> network = load_named_scenario("packets/incast", builtin_catalog());
  TuneBench bench({"packets/incast", {}}, builtin_catalog());
  bench.workloads = tune_workloads(*network, *network);
  const std::vector<std::string> setting = {"transport.dcqcn.rate_to_set_on_first_cnp=70 Gb/s",
                                            "transport.dcqcn.rpg_time_reset=55 us", "transport.dcqcn.rpg_min_dec_fac=65",
                                            "transport.dcqcn.rpg_ai_rate=1000 Mb/s", "transport.ecn.pmax=0.02"};
  const std::vector<std::uint64_t> seeds = {2, 3, 4};
  const Result<SeededFigures> today = bench.play({}, seeds), tuned = bench.play(setting, seeds);
  ASSERT_TRUE(today && tuned);
  double logs = 0, count = 0;
  for (std::size_t workload = 0; workload < bench.workloads.size(); workload++) {
    double tails[2] = {}, goodputs[2] = {};
    for (std::size_t seed = 0; seed < seeds.size(); seed++) {
      tails[0] += (*today)[seed][workload].tail_us, tails[1] += (*tuned)[seed][workload].tail_us;
      goodputs[0] += (*today)[seed][workload].goodput_gbps, goodputs[1] += (*tuned)[seed][workload].goodput_gbps;
    }
    EXPECT_GT(goodputs[1], 0.99 * goodputs[0]) << bench.workloads[workload].name;
    if (!bench.workloads[workload].is_incast) continue;
    logs += std::log(tails[1] / tails[0]), count++;
  }
  EXPECT_EQ(count, 4);
  EXPECT_LT(std::exp(logs / count), 0.75) << "0.70 when it was found";
}

TEST(TuneScore, weighs_tails_hurt_workloads_and_lost_goodput) {
  const WorkloadFigures base{.tail_us = 100, .goodput_gbps = 10};
  WorkloadFigures half = base, slow = base, poor = base;
  half.tail_us = 50, slow.tail_us = 125, poor.goodput_gbps = 9;
  EXPECT_DOUBLE_EQ(score_of({base, base}, {base, base}), 1);
  EXPECT_DOUBLE_EQ(score_of({half, base}, {base, base}), std::sqrt(0.5));
  EXPECT_DOUBLE_EQ(score_of({base, slow}, {base, base}), std::sqrt(1.25) * 1.2);
  EXPECT_DOUBLE_EQ(score_of({base, poor}, {base, base}), 1 + 10 * 0.09);
}

TEST(TuneScore, is_of_what_was_asked_for) {
  const WorkloadFigures base{.tail_us = 100, .goodput_gbps = 10, .pauses = 9};
  WorkloadFigures half = base, calm = base, slow = base;
  half.tail_us = 50, calm.pauses = 4, slow.tail_us = 104;
  const std::vector<TuneWorkload> kinds = {{.name = "incast", .about = "", .set = {}, .is_incast = true},
                                           {.name = "ring", .about = "", .set = {}}};
  EXPECT_DOUBLE_EQ(score_of({half, slow}, {base, base}, kinds, "incasts"), 0.5);
  EXPECT_DOUBLE_EQ(score_of({half, slow}, {base, base}, kinds, "worst"), 1.04);
  EXPECT_DOUBLE_EQ(score_of({calm, calm}, {base, base}, kinds, "pauses"), 0.5);
  EXPECT_DOUBLE_EQ(score_of({calm, calm}, {base, base}, kinds, "drops"), 1);
}

TEST_F(TuneTest, a_setting_that_loses_messages_for_good_is_none) {
  const std::vector<std::string> stuck = {"traffic.slow_hosts=[0]", "traffic.slow_rate=0"};
  const Result<Scenario> scenario = load_named_scenario(file, builtin_catalog(), stuck);
  ASSERT_TRUE(scenario) << scenario.error().front().message;
  const Result<WorkloadRun> figures = play_workload(*scenario, {.name = "stuck", .about = "", .set = {}});
  ASSERT_FALSE(figures);
  EXPECT_EQ(figures.error().front().code, "RY-TUN-004");
}

TEST_F(TuneTest, what_cannot_be_tuned_says_why) {
  EXPECT_EQ(code({"-", {}, {}}), "RY-TUN-001");
  EXPECT_EQ(code({"deepseek-v3", {}, {}}), "RY-TUN-001") << "InfiniBand";
  TuneQuestion none = question({});
  none.only = true;
  EXPECT_EQ(code(none), "RY-TUN-003");
  EXPECT_EQ(code(question({"transport.mtu"})), "RY-SEA-001");
  EXPECT_EQ(code(question({"transport.ecn.kmin=-1,2"})), "RY-SCN-013");
  EXPECT_EQ(code(question({"nosuch=1"})), "RY-SCN-010");
  TuneQuestion large = question(few);
  large.overrides = {"cluster.gpus=256", "cluster.gpus_per_node=128"};
  EXPECT_EQ(code(large), "RY-TUN-002");
}

}  // namespace
}  // namespace railyard
