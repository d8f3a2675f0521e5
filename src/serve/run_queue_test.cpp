#include "serve/run_queue.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "serve/testing_serve.h"

namespace railyard {
namespace {

TEST(RunQueue, runs_what_is_submitted_and_keeps_what_it_left) {
  ServeBench bench;
  ASSERT_TRUE(bench.runs.submit("name = \"one\"\n"));
  const std::string id = bench.ended_run();
  const RunRecord run = *bench.runs.find(id);
  EXPECT_EQ(run.state, ServedState::finished);
  EXPECT_EQ(run.name, "one");
  EXPECT_EQ(run.share, 1);
  EXPECT_GE(run.ended_ms, run.started_ms);
  EXPECT_TRUE(std::filesystem::exists(bench.data->run(id) / "results.json"));
}

TEST(RunQueue, refuses_more_than_may_wait) {
  ServeBench bench({.queue = 2});
  bench.child.holds = true;
  ASSERT_TRUE(bench.runs.submit("a = 1"));
  while (bench.runs.list().front().state != ServedState::running) std::this_thread::yield();
  EXPECT_TRUE(bench.runs.submit("a = 2"));
  EXPECT_TRUE(bench.runs.submit("a = 3"));
  const auto refused = bench.runs.submit("a = 4");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), RunQueue::Refused::full);
}

TEST(RunQueue, cancels_what_waits_and_what_runs) {
  ServeBench bench;
  bench.child.holds = true;
  const std::string runs = bench.runs.submit("a = 1")->id, waits = bench.runs.submit("a = 2")->id;
  while (bench.runs.find(runs)->state != ServedState::running) std::this_thread::yield();
  EXPECT_EQ(bench.runs.cancel(waits)->state, ServedState::cancelled);
  EXPECT_EQ(bench.runs.cancel(runs)->state, ServedState::cancelled);
  EXPECT_FALSE(bench.runs.cancel(new_run_id()));
  EXPECT_TRUE(bench.runs.remove(runs));
  EXPECT_FALSE(bench.runs.find(runs));
  EXPECT_FALSE(std::filesystem::exists(bench.data->run(runs)));
}

TEST(RunQueue, tells_how_far_a_run_is) {
  ServeBench bench;
  bench.child.holds = true;
  RunRecord run = *bench.runs.submit("a = 1");
  while (run.share == 0) run = *bench.runs.wait_for_change(run.id, run.version, std::chrono::seconds(10));
  EXPECT_EQ(run.share, 0.5);
  EXPECT_EQ(run.now, "half of it");
}

TEST(RunQueue, keeps_so_many_runs_that_have_ended) {
  ServeBench bench({.keep = 2});
  for (int i = 0; i < 5; i++) {
    ASSERT_TRUE(bench.runs.submit("a = 1"));
    bench.ended_run();
  }
  EXPECT_LE(bench.runs.list().size(), 3U);
}

class Ends : public ::testing::Test {
 protected:
  std::string code_of_end(const std::function<void(FakeChild&)>& prepare) {
    ServeBench bench;
    prepare(bench.child);
    bench.runs.submit("a = 1");
    const RunRecord run = *bench.runs.find(bench.ended_run());
    EXPECT_EQ(run.state, ServedState::failed);
    return run.problems.empty() ? "" : run.problems.front().code;
  }
};

TEST_F(Ends, of_a_child_say_why) {
  const auto without_results = [](FakeChild& child) { child.leaves_results = false; };
  EXPECT_EQ(code_of_end([&](FakeChild& child) { without_results(child), child.end.took_too_long = true; }), "RY-WEB-021");
  EXPECT_EQ(code_of_end([&](FakeChild& child) { without_results(child), child.end.signal = 6; }), "RY-WEB-022");
  EXPECT_EQ(code_of_end([&](FakeChild& child) { without_results(child), child.end.started = false; }), "RY-WEB-022");
  EXPECT_EQ(code_of_end([&](FakeChild& child) { without_results(child), child.log = "railyard: out of memory\n"; }),
            "RY-WEB-020");
  EXPECT_EQ(code_of_end([&](FakeChild& child) { without_results(child), child.end.signal = 9; }), "RY-WEB-020");
  EXPECT_EQ(code_of_end([&](FakeChild& child) {
              child.end.code = 2;
              child.results =
                  R"({"schema": "railyard-findings/1", "diagnostics": [{"severity": "error", "code": "RY-SCN-010"}]})";
            }),
            "RY-SCN-010");
}

/// A server that is killed leaves what it wrote last.
TEST(RunQueue, takes_up_what_a_server_left) {
  TemporaryFolder folder;
  RunRecord waited{.id = new_run_id(), .name = "waited", .created_ms = 2},
      ran{.id = new_run_id(), .name = "ran", .created_ms = 1};
  ran.state = ServedState::running;
  const std::string half = new_run_id();
  {
    const Result<DataFolder> data = DataFolder::open(folder.path());
    ASSERT_TRUE(data->create(waited, "a = 1"));
    ASSERT_TRUE(data->create(ran, "a = 1"));
    std::filesystem::create_directory(data->run(half));
    folder.write("runs/" + half + "/state.json.12345678.partial", "{");
    folder.write("runs/notes.txt", "somebody's");
  }
  const Result<DataFolder> data = DataFolder::open(folder.path());
  FakeChild child;
  RunQueue runs(*data, {},
                [&](const ChildRequest& request, const std::function<void(std::string_view)>& on_line,
                    const std::atomic<bool>& stop) { return child(request, on_line, stop); });
  EXPECT_EQ(runs.find(ran.id)->state, ServedState::lost);
  EXPECT_EQ(runs.find(ran.id)->problems.front().code, "RY-WEB-023");
  EXPECT_FALSE(runs.find(half));
  EXPECT_FALSE(std::filesystem::exists(data->run(half)));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "runs/notes.txt"));
  std::optional<RunRecord> run = runs.find(waited.id);
  while (!has_ended(run->state)) run = runs.wait_for_change(run->id, run->version, std::chrono::seconds(10));
  EXPECT_EQ(run->state, ServedState::finished);
}

TEST(DataFolder, belongs_to_one_server) {
  TemporaryFolder folder;
  const Result<DataFolder> first = DataFolder::open(folder.path());
  ASSERT_TRUE(first);
  const Result<DataFolder> second = DataFolder::open(folder.path());
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().front().code, "RY-WEB-030");
  folder.write("file", "");
  EXPECT_FALSE(DataFolder::open(folder.path() / "file"));
}

TEST(DataFolder, is_for_its_owner_alone) {
  TemporaryFolder folder;
  ASSERT_TRUE(DataFolder::open(folder.path() / "new"));
  EXPECT_EQ(std::filesystem::status(folder.path() / "new").permissions(), std::filesystem::perms::owner_all);
}

TEST(DataFolder, writes_files_whole_or_not_at_all) {
  TemporaryFolder folder;
  ASSERT_TRUE(write_whole(folder.path() / "a.txt", "one"));
  ASSERT_TRUE(write_whole(folder.path() / "a.txt", "two"));
  EXPECT_FALSE(write_whole(folder.path() / "none/a.txt", "three"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

}  // namespace
}  // namespace railyard
