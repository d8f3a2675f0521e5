#include "tools/compare/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/json.h"
#include "base/toml.h"
#include "catalog/embedded.h"
#include "fabric/build.h"
#include "report/results_report.h"
#include "scenario/presets.h"
#include "tools/compare/advice.h"
#include "tools/compare/compare_report.h"
#include "tools/compare/congestion.h"
#include "tools/compare/document_figures.h"
#include "tools/compare/figures.h"
#include "tools/compare/transports.h"
#include "tools/compare/trials.h"

namespace railyard {
namespace {

/// A small job over flows, whose switches hash.
Compared compared_small(unsigned threads) {
  Progress progress;
  Result<Compared> compared =
      compare({.scenarios = {"jitter"}, .overrides = {"engine.fidelity=flow", "jitter="}, .fidelity = {}, .threads = threads},
              builtin_catalog(), progress);
  EXPECT_TRUE(compared) << (compared ? "" : to_text(compared.error().front()));
  return std::move(*compared);
}

ComparedRun run_of(double step) {
  ComparedRun run;
  run.id = run.label = "job";
  run.analysed.step.emplace().step_time_s = step;
  run.results = results_document(run.analysed, 0);
  return run;
}

/// A figure of the table of cost, of DeepSeek-V2's network with H100.
std::string cost_figure(const char* id, std::vector<std::string> overrides = {}) {
  overrides.emplace_back("cluster.gpu=\"H100-SXM-80\"");
  ComparedRun run = run_of(10);
  run.scenario = *load_named_scenario("deepseek-v2", builtin_catalog(), overrides);
  run.cost = cluster_cost(run.scenario, *build_fabric(run.scenario.fabric, run.scenario.keys), builtin_catalog());
  for (const FigureColumn& column : cost_table().columns)
    if (column.id == id) return column.figure(run).text;
  return "no such column";
}

TEST(Compare, no_network_is_priced_as_another) {
  EXPECT_EQ(cost_figure("network-per-gpu"), "$4,904");  // 96 switches of 50,000 USD over 2,048 GPUs, and 2,560 of links
  EXPECT_EQ(cost_figure("cluster"), "$89.4 million");
  // Quantum-X800 has no price: that of Quantum-2 is none of it.
  EXPECT_EQ(cost_figure("network-per-gpu", {"fabric.switch=\"Quantum-X800\""}), "≥ $2,560");
}

TEST(Compare, every_figure_of_every_table_is_explained) {
  const Compared compared = compared_small(1);
  std::set<std::string> known;
  for (const Explanation& e : explanations(compared)) {
    EXPECT_TRUE(known.insert(e.key).second) << e.key << " is there twice";
    EXPECT_FALSE(e.formula.empty()) << e.key;
    EXPECT_FALSE(e.run.empty() && e.source.empty()) << e.key << " comes from nowhere";
  }
  std::size_t cells = 0;
  for (const FilledTable& table : filled_tables(compared))
    for (const std::vector<FilledTable::Cell>& row : table.rows)
      for (std::size_t i = 1; i < row.size(); i++) {
        if (row[i].text == "–") continue;
        EXPECT_TRUE(known.contains(row[i].key)) << table.id << ": " << row[i].text;
        cells++;
      }
  EXPECT_GT(cells, 20U);
}

TEST(Compare, paths_of_simulated_figures_lead_into_the_results) {
  const Compared compared = compared_small(1);
  for (const Explanation& e : explanations(compared)) {
    const bool elsewhere =
        e.path.empty() || e.path == "latency" || e.path.starts_with("slice.") || e.path.find("[]") != std::string::npos;
    if (elsewhere) continue;
    EXPECT_NE(compared.runs[0].results.at_path(e.path), nullptr) << e.key << ": " << e.path;
  }
}

TEST(CompareDeathTest, a_path_that_leads_nowhere_or_to_another_number_stops_the_program) {
  const ComparedRun run = run_of(10);
  const auto text = [](double) { return std::string("shown"); };
  EXPECT_EQ(simulated(run, "step_time_s", 10, text).text, "shown");
  EXPECT_EQ(simulated(run, "step_time_s", std::nullopt, text).text, "");
  EXPECT_DEATH(simulated(run, "step_tame_s", 10, text), "the results have a number where a table says that it is from");
  EXPECT_DEATH(simulated(run, "breakdown", 10, text), "the results have a number where a table says that it is from");
  EXPECT_DEATH(simulated(run, "mfu.causal", 10, text), "it is the number of the table");
  EXPECT_DEATH(simulated(run, "step_time_s", 0, text), "it is the number of the table");
}

TEST(Compare, the_outcome_does_not_depend_on_threads) {
  EXPECT_EQ(write_json(compare_document(compared_small(1), "v", "c")),
            write_json(compare_document(compared_small(4), "v", "c")));
}

TEST(Compare, power_in_all_is_that_of_boards_in_proportion_however_small) {
  std::string boards, all;
  for (const FilledTable& table : filled_tables(compared_small(1)))
    for (const auto& row : table.rows)
      for (const FilledTable::Cell& cell : row) {
        if (cell.key.starts_with("estate.") && cell.key.ends_with(".boards")) boards = cell.text;
        if (cell.key.starts_with("estate.") && cell.key.ends_with(".power")) all = cell.text;
      }
  EXPECT_EQ(boards, "45 kW");
  EXPECT_EQ(all, "96 kW");  // 44.8 kW × 1,500 / 700; it was "0 MW"
}

TEST(Compare, what_is_no_training_step_is_refused_and_all_mistakes_come_at_once) {
  Progress progress;
  const Result<Compared> compared =
      compare({.scenarios = {"first", "no-such-preset"}, .overrides = {}, .fidelity = {}}, builtin_catalog(), progress);
  ASSERT_FALSE(compared);
  ASSERT_EQ(compared.error().size(), 2U);
  EXPECT_EQ(compared.error()[0].code, "RY-CMP-002");
  EXPECT_EQ(compared.error()[1].code, "RY-SCN-001");
}

TEST(Compare, an_unknown_key_gets_the_nearest) {
  const Compared compared{{run_of(1)}, {}};
  const Result<Report> report = explain_key(compared, "time.job.stap");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error()[0].code, "RY-CMP-001");
  EXPECT_NE(report.error()[0].hint.find("'time.job.step'"), std::string::npos);
  EXPECT_TRUE(explain_key(compared, "time.job.step"));
}

TEST(Compare, the_default_set_are_presets_that_documents_speak_of) {
  for (const std::string& name : default_comparison()) {
    EXPECT_TRUE(load_named_scenario(name, builtin_catalog())) << name;
    EXPECT_NE(label_of(name), name);
  }
}

TEST(DocumentFigure, whatever_is_published_has_a_source) {
  for (const EmbeddedFile& file : embedded_catalog()) {
    if (file.name != "catalog/documents/models.toml") continue;
    const Result<Document> document = parse_toml(file.text, std::string(file.name), "RY-CAT-001");
    ASSERT_TRUE(document);
    for (const Document::Member& model : *document->members())
      for (const Document::Member& what : *model.value.members()) {
        if (!what.value.members()) continue;
        const DocumentFigure claimed = document_figure(model.key, what.key);
        EXPECT_FALSE(claimed.claimed.empty() && claimed.published.empty()) << model.key << '.' << what.key;
        EXPECT_EQ(claimed.published.empty(), claimed.source.empty()) << model.key << '.' << what.key;
      }
  }
}

TEST(Trials, more_paths_are_tried_where_switches_hash_and_only_there) {
  const auto kinds = [](const char* policy) {
    const std::vector<std::string> overrides{std::string("routing.policy=") + policy};
    std::multiset<std::string> names;
    for (const Trial& trial :
         trials_for(*load_named_scenario("mi300x-llama3", builtin_catalog(), overrides), builtin_catalog()))
      names.insert(trial.kind);
    return names;
  };
  EXPECT_EQ(kinds("ecmp").count("queue pairs"), 1U);
  EXPECT_EQ(kinds("ecmp").count("hashing"), 1U);
  EXPECT_EQ(kinds("ecmp").count("queue pairs and hashing"), 1U);
  EXPECT_EQ(kinds("ecmp").count(kOverRoceEcmp), 0U);    // that is what it has
  EXPECT_EQ(kinds("pinned").count("queue pairs"), 0U);  // all of them would take the same path
  EXPECT_EQ(kinds("pinned").count("queue pairs and hashing"), 1U);
  EXPECT_EQ(kinds("pinned").count("adaptive routing"), 1U);
  EXPECT_EQ(kinds("adaptive").count("queue pairs"), 0U);
  EXPECT_EQ(kinds("adaptive").count(kOverRoceEcmp), 1U);
  EXPECT_EQ(kinds("adaptive").count(kOverRoceAdaptive), 0U);
}

TEST(Trials, a_job_is_tried_over_every_transport_that_it_does_not_have) {
  for (const char* name : {"gpt4", "llama3", "grok4"}) {  // InfiniBand, RoCE with named NICs, RoCE that adapts
    const Scenario scenario = *load_named_scenario(name, builtin_catalog());
    const std::vector<Trial> trials = more_transports(scenario);
    ASSERT_EQ(trials.size(), 2U) << name;
    for (const Trial& trial : trials) {
      const Result<Scenario> other = load_named_scenario(name, builtin_catalog(), trial.set);
      ASSERT_TRUE(other) << name << ": " << to_text(other.error().front());
      EXPECT_EQ(other->fabric.link_rate, scenario.fabric.link_rate) << name;
      EXPECT_EQ(other->fabric.radix, scenario.fabric.radix) << name;
      EXPECT_EQ(other->engine.efficiency, scenario.engine.efficiency) << name << ": " << trial.kind;
      EXPECT_TRUE(more_transports(*other).size() == 1) << name << ": what it has is not tried";
    }
  }
}

TEST(Compare, a_table_shows_every_transport) {
  for (const FilledTable& table : filled_tables(compared_small(1))) {
    if (table.id != "transports") continue;
    ASSERT_EQ(table.rows.size(), 1U);
    for (const FilledTable::Cell& cell : table.rows[0]) EXPECT_NE(cell.text, "–") << cell.key;
    EXPECT_EQ(table.rows[0].size(), 10U);
    return;
  }
  FAIL() << "no table of transports";
}

TEST(Trials, slices_are_for_networks_of_a_bounded_size) {
  EXPECT_TRUE(slices_for(*load_named_scenario("grok4", builtin_catalog())).empty());
  EXPECT_EQ(slices_for(*load_named_scenario("gpt4", builtin_catalog())).size(), 1U);           // credits need no thresholds
  EXPECT_EQ(slices_for(*load_named_scenario("llama3", builtin_catalog())).size(), 2U);         // with DCQCN
  EXPECT_EQ(slices_for(*load_named_scenario("mi300x-llama3", builtin_catalog())).size(), 3U);  // without, and other marks
}

TEST(Advice, is_ranked_by_what_a_step_gains_and_losses_come_last) {
  ComparedRun run = run_of(10);
  run.trials = {{.kind = "a", .change = "a", .set = {}, .step_s = 9.5},
                {.kind = "b", .change = "b", .set = {}, .step_s = 8},
                {.kind = "c", .change = "c", .set = {}, .step_s = 12},
                {.kind = "d", .change = "d", .set = {}, .step_s = 10.001},                 // not worth a word
                {.kind = "e", .change = "e", .set = {}, .is_advice = false, .step_s = 5},  // for a table
                {.kind = "f", .change = "f", .set = {}, .refused = "no"}};
  const std::vector<Advice> advice = ranked_advice({run});
  ASSERT_EQ(advice.size(), 3U);
  EXPECT_EQ(without_effect({run}, advice), (std::vector<std::string>{"job, d"}));
  EXPECT_EQ(advice[0].kind, "b");
  EXPECT_DOUBLE_EQ(advice[0].gain, 0.25);
  EXPECT_EQ(advice[1].kind, "a");
  EXPECT_EQ(advice[2].kind, "c");
  EXPECT_TRUE(advice[2].keeps);
}

TEST(Advice, names_a_change_without_effect_where_another_of_its_kind_has_one) {
  ComparedRun run = run_of(10);
  run.trials = {{.kind = "links", .change = "more", .set = {}, .step_s = 9},
                {.kind = "links", .change = "fewer", .set = {}, .step_s = 10}};
  EXPECT_EQ(without_effect({run}, ranked_advice({run})), (std::vector<std::string>{"job, fewer"}));
}

TEST(Advice, of_a_collective_the_step_gains_what_it_waits_for_with_nothing_beside) {
  ComparedRun run = run_of(10);
  run.analysed.step->breakdown.exposed.data = 1;
  run.reduction = ReductionTrial{
      .what = "all-reduce", .ring_command = "", .in_network_command = "", .refused = "", .ring_s = 2, .in_network_s = 1};
  const std::vector<Advice> advice = ranked_advice({run});
  ASSERT_EQ(advice.size(), 1U);
  EXPECT_DOUBLE_EQ(advice[0].gain, 1.0);
  EXPECT_DOUBLE_EQ(advice[0].of_step, 10 / 9.5 - 1);
}

}  // namespace
}  // namespace railyard
