#include "tools/place/place.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "base/temporary_folder.h"
#include "scheduler/read_nodes.h"

namespace railyard {
namespace {

/// Two replicas of experts over two servers each, on a cluster of eight: leaves of two servers, a quarter above them.
constexpr const char* kExpertsOnLeaves = R"(name = "experts"
[model]
preset = "deepseek-v2-lite-16b"
[parallel]
expert = 16
zero = 1
[training]
global_batch = 32
[cluster]
gpus = 32
gpu = "H100-SXM-80"
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
gpus = 64
topology = "leaf-spine"
hosts_per_leaf = 16
oversubscription = 4
[routing]
policy = "adaptive"
[engine]
fidelity = "flow"
)";

/// Pairs of servers that share experts lie below different leaves in the scheduler's order.
constexpr std::string_view kScattered = "n1 idle\nn2 alloc\nn3 idle\nn4 idle\nn5 idle\nn6 alloc\nn7 alloc\nn8 alloc\n";

Result<Placed> placed_on(std::string_view nodes, const std::vector<std::string>& overrides = {}, unsigned threads = 1,
                         const char* scenario = kExpertsOnLeaves, const std::string& journal = {}) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.write("job.toml", scenario);
  const Result<ListedNodes> list = read_nodes(nodes, "nodes.txt");
  EXPECT_TRUE(list.has_value());
  Progress progress;
  PlaceRequest request;
  request.scenario = file.string();
  request.overrides = overrides;
  request.crew = threads;
  request.journal = journal;
  return find_placement(request, *list, builtin_catalog(), progress);
}

/// What it told, as JSON; the scenario lies elsewhere each time.
std::string text_of(const Result<Placed>& placed) {
  Placed copy = *placed;
  copy.scenario = "job.toml";
  return write_json(place_document(copy, {}));
}

std::string code_of(const Result<Placed>& placed) { return placed ? "none" : placed.error().front().code; }

TEST(Place, is_never_worse_than_the_scheduler_or_any_policy) {
  const auto placed = placed_on(kScattered);
  ASSERT_TRUE(placed) << to_text(placed.error().front());
  std::size_t baselines = 0;
  for (const TriedSeats& one : placed->tried) {
    EXPECT_LE(placed->winner().step_s, one.step_s) << one.plan.name;
    baselines += one.plan.is_baseline ? 1 : 0;
  }
  EXPECT_EQ(baselines, 6U) << "the scheduler's order and five policies";
  EXPECT_LT(placed->winner().step_s, placed->tried[placed->scheduler].step_s * 0.99);
}

TEST(Place, ranks_sit_on_free_servers_alone) {
  const auto placed = placed_on(kScattered);
  ASSERT_TRUE(placed);
  for (const TriedSeats& one : placed->tried)
    for (const std::uint32_t gpu : one.plan.seats)
      EXPECT_TRUE(placed->nodes.names[gpu / 8] == "n1" || (gpu / 8 >= 2 && gpu / 8 <= 4)) << one.plan.name;
}

TEST(Place, threads_change_nothing) {
  const auto one = placed_on(kScattered, {}, 1), two = placed_on(kScattered, {}, 2);
  ASSERT_TRUE(one && two);
  ASSERT_EQ(one->tried.size(), two->tried.size());
  for (std::size_t i = 0; i < one->tried.size(); i++) {
    EXPECT_EQ(one->tried[i].plan.seats, two->tried[i].plan.seats);
    EXPECT_EQ(one->tried[i].step_s, two->tried[i].step_s);
  }
}

TEST(Place, hashed_paths_are_judged_by_several_seeds) {
  const auto placed = placed_on(kScattered, {"routing.policy=ecmp"});
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->seeds.size(), 3U);
  EXPECT_LE(placed->winner().step_s, placed->tried[placed->policy].step_s);
}

TEST(Place, other_engines_are_played_over_flows) {
  const auto placed = placed_on(kScattered, {"engine.fidelity=analytic"});
  ASSERT_TRUE(placed);
  EXPECT_TRUE(placed->over_flows);
  EXPECT_NE(repeat_command(*placed, "seats.txt").find("engine.fidelity=flow"), std::string::npos);
}

TEST(Place, refuses_what_cannot_be_placed) {
  EXPECT_EQ(code_of(placed_on("n1 idle\nn2 idle\nn3 alloc\nn4 idle\n")), "RY-PLC-011");
  EXPECT_EQ(code_of(placed_on("n[1-9]")), "RY-PLC-010");
  constexpr const char* kTraffic =
      "name = \"t\"\n[traffic]\npattern = \"permutation\"\nsize = \"1 MiB\"\n[cluster]\ngpus = 8\n[fabric]\ntopology = "
      "\"star\"\nlink_rate = \"400 Gb/s\"\nlink_delay = \"500 ns\"\nswitch_latency = \"300 ns\"\n";
  EXPECT_EQ(code_of(placed_on(kScattered, {}, 1, kTraffic)), "RY-PLC-012");
  constexpr const char* kWithoutFabric =
      "name = \"w\"\n[model]\npreset = \"llama3-8b\"\n[cluster]\ngpus = 8\ngpu = \"H100-SXM-80\"\ngpus_per_node = 8\nnic = "
      "\"ConnectX-7\"\n[parallel]\nzero = 1\n[training]\nglobal_batch = 8\n";
  EXPECT_EQ(code_of(placed_on(kScattered, {}, 1, kWithoutFabric)), "RY-PLC-013");
}

TEST(Place, files_that_cannot_be_read_are_named) {
  const auto none = read_node_files({"not-there.txt"});
  ASSERT_FALSE(none);
  EXPECT_TRUE(to_text(none.error().front()).starts_with("not-there.txt: error RY-PLC-001: "));
}

TEST(Place, the_report_and_the_document_answer_first) {
  const auto placed = placed_on(kScattered);
  ASSERT_TRUE(placed);
  PlaceRequest request;
  request.seats = "seats.txt";
  EXPECT_TRUE(answer_text(*placed).starts_with("Placed so, a step takes "));
  EXPECT_EQ(std::get<std::string>(place_report(*placed, request).sections.front().blocks.front()), answer_text(*placed));
  const Document document = place_document(*placed, request);
  EXPECT_EQ(*document.find("schema")->text(), "railyard-place/1");
  EXPECT_EQ(document.find("ranks")->items()->size(), 32U);
}

TEST(Place, a_journal_changes_nothing) {
  const TemporaryFolder folder;
  const std::string journal = (folder.path() / "journal").string();
  const auto plain = placed_on(kScattered), kept = placed_on(kScattered, {}, 2, kExpertsOnLeaves, journal);
  const auto size = std::filesystem::file_size(journal);
  const auto again = placed_on(kScattered, {}, 1, kExpertsOnLeaves, journal);
  ASSERT_TRUE(plain && kept && again);
  EXPECT_EQ(text_of(kept), text_of(plain));
  EXPECT_EQ(text_of(again), text_of(plain));
  EXPECT_GT(size, 1000U);
  EXPECT_EQ(std::filesystem::file_size(journal), size) << "nothing is simulated twice";
  EXPECT_EQ(code_of(placed_on(kScattered, {"training.global_batch=64"}, 1, kExpertsOnLeaves, journal)), "RY-SEA-002");
}

}  // namespace
}  // namespace railyard
