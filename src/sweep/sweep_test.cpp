// Mistakes in a [sweep], its points, and rows in the order of their numbers whoever did the work.
#include "sweep/sweep.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "base/temporary_folder.h"
#include "base/toml.h"
#include "catalog/catalog.h"
#include "sweep/axis_response.h"
#include "sweep/condition.h"
#include "sweep/figures.h"
#include "sweep/ledger.h"
#include "sweep/sweep_report.h"
#include "sweep/table.h"
#include "sweep/work.h"

namespace railyard {
namespace {

constexpr const char* kStar = R"(
name = "four hosts"
[cluster]
gpus = 4
[fabric]
topology = "star"
link_rate = "100 Gb/s"
switch_latency = "900 ns"
[collective]
kind = "all_reduce"
algorithm = "ring"
sizes = ["1 MB"]
[engine]
fidelity = "analytic"
seed = 5
)";

/// A sweep of kStar with `more` below it.
Result<Sweep> sweep_of(const std::string& more, const std::vector<std::string>& overrides = {}) {
  const FileBundle files;
  const ReadFile read = files.reader([&](const std::filesystem::path&) -> Result<std::string> { return kStar + more; });
  EXPECT_TRUE(read("case.toml"));
  return Sweep::open({"case.toml", overrides, "1.0"}, builtin_catalog(), files);
}

std::string code_of(const std::string& more) {
  const Result<Sweep> sweep = sweep_of(more);
  return sweep ? "none" : sweep.error().front().code;
}

/// "1 2|1 4": values of all points.
std::string points_of(const std::string& more) {
  const Result<Sweep> sweep = sweep_of(more);
  if (!sweep) return to_text(sweep.error().front());
  std::string out;
  for (std::size_t p = 0; p < sweep->points().size(); p++) {
    out += p == 0 ? "" : "|";
    for (std::size_t a = 0; a < sweep->points().axes().size(); a++)
      out += (a == 0 ? "" : " ") + sweep_value_text(sweep->points().value(p, a));
  }
  return out;
}

TEST(Sweep, mistakes_have_codes) {
  const std::map<std::string, std::string> cases{
      {"", "RY-SWP-001"},
      {"[sweep]\n", "RY-SWP-001"},
      {"[sweep]\naxis = 1\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-002"},
      {"[sweep]\nwhere = 3\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-002"},
      {"[sweep]\nscenario = \"nowhere\"\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-002"},
      {"[sweep]\nhypercube = 0\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-002"},
      {"[sweep.axes]\ncluster.gpus = 2", "RY-SWP-003"},
      {"[sweep.axes]\ncluster.gpus = []", "RY-SWP-003"},
      {"[sweep.axes]\ncluster.gpus = [2, 2]", "RY-SWP-003"},
      {"[sweep.axes]\ncluster.gpus = { from = 4, to = 2 }", "RY-SWP-004"},
      {"[sweep.axes]\ncluster.gpus = { from = 0, to = 2, log = true }", "RY-SWP-004"},
      {"[sweep.axes]\ncluster.gpus = { from = 1, to = 2, step = 0 }", "RY-SWP-004"},
      {"[sweep.axes]\ncluster.gpus = { from = 1, to = 2, step = 1, steps = 2 }", "RY-SWP-004"},
      {"[sweep.axes]\ncluster.gpus = { from = 0.1, to = 2.0 }", "RY-SWP-004"},
      {"[sweep.axes]\ncluster.gpus = { from = 1, to = 2, by = 1 }", "RY-SWP-004"},
      {"[sweep.axes]\nfabric.link_rate = { from = \"1 Gb/s\", to = \"2 Mb/s\", steps = 2 }", "RY-SWP-004"},
      {"[sweep.axes]\ncluster.gpu_count = [2, 4]", "RY-SWP-005"},
      {"[sweep]\nwhere = \"cluster.gpus <\"\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-006"},
      {"[sweep]\nwhere = \"cluster.cpus < 3\"\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-006"},
      {"[sweep]\nwhere = \"cluster.gpus < 'two'\"\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-006"},
      {"[sweep]\nseeds = 2\nrepeat = 2\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-007"},
      {"[sweep]\nseeds = [1, 1]\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-007"},
      {"[sweep]\nwhere = \"cluster.gpus > 2\"\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-008"},
      {"[sweep.axes]\ncluster.gpus = { from = 1, to = 100000 }\nengine.seed = { from = 1, to = 100000 }", "RY-SWP-008"},
      {"[serving]\nx = 1\n[sweep.axes]\ncluster.gpus = [2]", "RY-SWP-009"}};
  for (const auto& [text, code] : cases) EXPECT_EQ(code_of(text), code) << text;
}

TEST(Sweep, points_are_all_combinations_in_the_order_written) {
  EXPECT_EQ(points_of("[sweep.axes]\nfabric.link_rate = [\"1 Gb/s\", \"2 Gb/s\"]\ncluster.gpus = [2, 3]"),
            "1 Gb/s 2|1 Gb/s 3|2 Gb/s 2|2 Gb/s 3");
  EXPECT_EQ(points_of("[sweep.axes]\n\"cluster.gpus\" = { from = 2, to = 4 }"), "2|3|4");
  EXPECT_EQ(points_of("[sweep.axes]\ncluster.gpus = { from = 2, to = 16, log = true }"), "2|4|8|16");
  EXPECT_EQ(points_of("[sweep.axes]\nfabric.link_rate = { from = \"100 Gb/s\", to = \"800 Gb/s\", steps = 4, log = true }"),
            "100 Gb/s|200 Gb/s|400 Gb/s|800 Gb/s");
  EXPECT_EQ(points_of("[sweep.axes]\nx.y = { from = 0.1, to = 0.3, step = 0.1 }").substr(0, 4), "case");  // no key x.y
  EXPECT_EQ(points_of("[sweep]\nrepeat = 2\n[sweep.axes]\ncluster.gpus = [2, 3]"), "2 5|2 6|3 5|3 6");
  EXPECT_EQ(points_of("[sweep]\nseeds = [9, 7]\n[sweep.axes]\ncluster.gpus = [2]"), "2 9|2 7");
}

TEST(Sweep, conditions_choose_points) {
  const std::string axes = "[sweep.axes]\ncluster.gpus = [2, 4]\nfabric.link_rate = [\"100 Gb/s\", \"400 Gb/s\"]";
  EXPECT_EQ(points_of("[sweep]\nwhere = \"cluster.gpus * fabric.link_rate <= 800 and not cluster.gpus == 4\"\n" + axes),
            "2 100 Gb/s|2 400 Gb/s");
  EXPECT_EQ(
      points_of("[sweep]\nwhere = [\"engine.seed == 5\", \"fabric.topology != 'star' || cluster.gpus % 4 == 0\"]\n" + axes),
      "4 100 Gb/s|4 400 Gb/s");
}

TEST(Sweep, a_latin_hypercube_draws_once_from_every_part_of_every_axis) {
  const Result<Sweep> sweep = sweep_of(
      "[sweep]\nhypercube = 50\nrepeat = 2\n[sweep.axes]\ncluster.gpus = { from = 1, to = 50 }\n"
      "engine.packet_slack = { from = 0.0, to = 50.0 }\nfabric.topology = [\"star\", \"leaf-spine\"]");
  ASSERT_FALSE(sweep);  // engine.packet_slack is no key
  EXPECT_EQ(sweep.error().front().code, "RY-SWP-005");
  const Result<Sweep> drawn = sweep_of(
      "[sweep]\nhypercube = 50\nrepeat = 2\n[sweep.axes]\ncluster.gpus = { from = 1, to = 50 }\n"
      "fabric.topology = [\"star\", \"leaf-spine\"]");
  ASSERT_TRUE(drawn);
  ASSERT_EQ(drawn->points().size(), 100U);
  std::map<std::string, int> seen;
  for (std::size_t p = 0; p < 100; p++)
    for (std::size_t a = 0; a < 3; a++) seen[std::to_string(a) + sweep_value_text(drawn->points().value(p, a))]++;
  for (int gpus = 1; gpus <= 50; gpus++) EXPECT_EQ(seen["0" + std::to_string(gpus)], 2);
  EXPECT_EQ(seen["1star"], 50);
  EXPECT_EQ(seen["25"], 50);
}

TEST(Sweep, rows_do_not_depend_on_threads_and_refused_points_are_rows) {
  const Result<Sweep> sweep = sweep_of(
      "[sweep]\nfigures = [\"points[0].busbw_gbs\"]\n[sweep.axes]\ncluster.gpus = [2, 4, 0]\n"
      "collective.algorithm = [\"ring\", \"tree\"]");
  ASSERT_TRUE(sweep) << to_text(sweep.error().front());
  std::string csv[2], database[2];
  for (const unsigned threads : {1U, 3U}) {
    SweepLedger ledger(*sweep);
    Progress progress;
    run_points(*sweep, ledger.missing(), threads, ledger, progress);
    const SweepTable table = table_of(*sweep, "1.0", ledger.rows());
    csv[threads / 2] = sweep_csv(table), database[threads / 2] = sweep_database(table);
    ASSERT_EQ(table.rows[0].status, PointStatus::ok) << table.rows[0].message;
    EXPECT_DOUBLE_EQ(table.rows[0].values.back(), table.rows[0].values[3]);  // busbw_gbs, and the path that leads to it
    EXPECT_EQ(table.rows[4].status, PointStatus::refused);
    EXPECT_EQ(table.rows[4].code, "RY-SCN-013");
  }
  EXPECT_EQ(csv[0], csv[1]);
  EXPECT_EQ(database[0], database[1]);
  EXPECT_EQ(csv[0].substr(0, csv[0].find('\n')),
            "point,cluster.gpus,collective.algorithm,status,code,time_s,size_bytes,algbw_gbs,busbw_gbs,points[0].busbw_gbs,"
            "message");
}

TEST(Sweep, a_journal_goes_on_and_is_of_one_sweep) {
  const TemporaryFolder folder;
  const std::filesystem::path journal = folder.path() / "journal";
  const std::string axes = "[sweep.axes]\ncluster.gpus = [2, 3, 4, 5]";
  const Result<Sweep> sweep = sweep_of(axes);
  ASSERT_TRUE(sweep);
  Progress progress;
  {
    SweepLedger ledger(*sweep);
    ASSERT_TRUE(ledger.open(journal).empty());
    SweepLedger other(*sweep);
    EXPECT_EQ(other.open(journal).front().code, "RY-SEA-003");  // somebody writes it
    run_points(*sweep, ledger.missing({1, 2}), 1, ledger, progress);
  }
  SweepLedger ledger(*sweep);
  ASSERT_TRUE(ledger.open(journal).empty());
  EXPECT_EQ(ledger.missing(), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(sweep_of(axes, {"engine.seed=5"})->name() == sweep->name(), false);
  const Result<Sweep> another = sweep_of(axes + "\n# changed");
  SweepLedger refused(*another);
  EXPECT_EQ(refused.collect(journal).front().code, "RY-SEA-002");
}

TEST(Sweep, rows_are_lines_and_back) {
  const SweepRow row{PointStatus::failed, "RY-RUN-001", "it\nnever ends", {0.1, SweepRow::none()}};
  const std::optional<NumberedRow> back = read_row_line(row_line(17, row), 2);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->point, 17U);
  EXPECT_EQ(back->row.message, "it never ends");
  EXPECT_EQ(back->row.values[0], 0.1);
  EXPECT_TRUE(back->row.values[1] != back->row.values[1]);
  EXPECT_FALSE(read_row_line("17 ok -", 2));
  EXPECT_FALSE(read_row_line("17 perhaps - 1 2", 2));
}

TEST(Sweep, a_database_is_read_back) {
  const TemporaryFolder folder;
  const SweepTable table{
      "a sweep", "1.0", "x", {"a.b"}, {"time_s"}, {{Document(std::int64_t{4})}}, {{PointStatus::ok, "", "", {0.25}}}};
  const std::filesystem::path file = folder.path() / "sweep.db";
  std::ofstream(file, std::ios::binary) << sweep_database(table);
  const Result<SweepTable> back = read_sweep_database(file);
  ASSERT_TRUE(back) << to_text(back.error().front());
  EXPECT_EQ(sweep_csv(*back), sweep_csv(table));
  std::ofstream(file) << "no database";
  EXPECT_EQ(read_sweep_database(file).error().front().code, "RY-SWP-013");
}

TEST(Sweep, responses_are_means_in_the_order_of_the_axis) {
  const auto value = [](std::size_t number) { return Document(Document::Value(static_cast<std::int64_t>(number))); };
  SweepTable table{"a sweep", "1.0", "x", {"a", "b"}, {"time_s"}, {}, {}};
  const double none = SweepRow::none();
  const std::vector<double> times{none, 2, 3, 4, none, none};
  for (std::size_t p = 0; p < times.size(); p++) {
    table.points.push_back({value(9 - p / 2), value(p % 2)});
    const bool is_ok = times[p] == times[p];
    table.rows.push_back({is_ok ? PointStatus::ok : PointStatus::refused, is_ok ? "" : "RY-X", "", {times[p]}});
  }
  const std::vector<AxisResponse> responses = axis_responses(table, *shown_figure(table, ""));
  ASSERT_EQ(responses.size(), 2U);
  EXPECT_EQ(responses[0].axis, "a");  // 2 and 3.5 around 3: it matters more
  ASSERT_EQ(responses[0].values.size(), 2U);
  EXPECT_EQ(responses[0].values[0].text, "9");
  EXPECT_DOUBLE_EQ(responses[0].values[1].mean, 3.5);
  EXPECT_DOUBLE_EQ(responses[0].effect, 0.5);
  EXPECT_EQ(responses[1].values[1].points, 2U);
  const Report report = sweep_report(table, 0);
  const std::string answer = std::get<std::string>(report.sections[0].blocks[0]);
  EXPECT_EQ(answer,
            "6 points: 3 were run, 3 were refused (RY-X: 3). time_s is best at point 1 (a = 9, b = 1): 2. It is worst at point "
            "3: 4.");
  EXPECT_EQ(report.sections[2].title, "time_s by a and b");
  EXPECT_EQ(shown_figure(table, "time").error().front().code, "RY-SWP-016");
}

TEST(Sweep, designs_are_ranked_by_their_means_over_seeds) {
  const auto value = [](std::int64_t number) { return Document(Document::Value(number)); };
  SweepTable table{"a sweep", "1.0", "x", {"a", "engine.seed"}, {"time_s"}, {}, {}};
  const double none = SweepRow::none();
  const std::vector<double> times{1, 9, none, 3, 4, 5, 6, 7, 8};  // the single best point is one of a bad design
  for (std::size_t p = 0; p < times.size(); p++) {
    table.points.push_back({value(static_cast<std::int64_t>(p / 3)), value(static_cast<std::int64_t>(p % 3))});
    table.rows.push_back({times[p] == times[p] ? PointStatus::ok : PointStatus::refused, "", "", {times[p]}});
  }
  const Report report = sweep_report(table, 0);
  const std::string answer = std::get<std::string>(report.sections[0].blocks[0]);
  EXPECT_NE(answer.find("time_s is best with a = 1: 4 on average over 3 seeds (3 to 5). It is worst with a = 2: 7 on average "
                        "over 3 seeds (6 to 8)."),
            std::string::npos)
      << answer;
  EXPECT_EQ(report.sections[1].title, "The best designs by time_s, means over seeds");
  EXPECT_EQ(report.sections[2].title, "time_s by a") << "seeds make no map";
  EXPECT_EQ(axis_responses(table, 0).back().axis, "engine.seed");
}

TEST(Sweep, names_tell_contents_and_not_where_they_are) {
  const auto name_at = [](const std::string& scenario, const std::string& folder, const std::string& flows) {
    const FileBundle files;
    const std::map<std::string, std::string> texts{
        {scenario, kStar + std::string("[sweep.axes]\ncluster.gpus = [2, 3]")},
        {(std::filesystem::path(scenario).parent_path() / "flows.csv").string(), flows}};
    const ReadFile read =
        files.reader([&](const std::filesystem::path& path) -> Result<std::string> { return texts.at(path); });
    for (const auto& [path, text] : texts) EXPECT_TRUE(read(path));
    SweepQuestion question{scenario, {}, "1.0"};
    question.folder = folder;
    return Sweep::open(question, builtin_catalog(), files)->name();
  };
  const std::string name = name_at("case.toml", "/clusters/d2", "1");
  EXPECT_EQ(name_at("./case.toml", "/clusters/d2", "1"), name);
  EXPECT_EQ(name_at("/clusters/d2/case.toml", "/tmp", "1"), name);
  EXPECT_EQ(name_at("d2/case.toml", "/home", "1"), name);
  EXPECT_NE(name_at("case.toml", "/clusters/d2", "2"), name);
}

TEST(Sweep, figures_that_no_point_has_are_told_with_what_is_near) {
  const Result<Sweep> sweep = sweep_of("[sweep]\nfigures = [\"points[0].busbw_gb\"]\n[sweep.axes]\ncluster.gpus = [2, 3, 4]");
  ASSERT_TRUE(sweep);
  Progress progress;
  EXPECT_EQ(sweep->run(0, progress).status, PointStatus::ok);
  EXPECT_TRUE(sweep->missed_figures().found(2).empty()) << "one point is not enough";
  EXPECT_EQ(sweep->run(1, progress).status, PointStatus::ok);
  const Diagnostics missed = sweep->missed_figures().found(2);
  ASSERT_EQ(missed.size(), 1U);
  EXPECT_EQ(missed[0].code, "RY-SWP-018");
  EXPECT_EQ(missed[0].hint, "did you mean 'points[0].busbw_gbs'?");
  EXPECT_TRUE(sweep->missed_figures().found(2).empty()) << "once";
}

TEST(Sweep, shards_are_parts_of_all) {
  EXPECT_EQ(read_shard("3/4")->which, 3U);
  for (const char* const wrong : {"4/4", "3", "a/b", "1/2x", "-1/2"})
    EXPECT_EQ(read_shard(wrong).error().front().code, "RY-SWP-010");
}

}  // namespace
}  // namespace railyard
