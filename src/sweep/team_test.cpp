// A team of threads that pass bytes as processes do: the same rows as alone, and a sentence from whoever cannot work.
#include "sweep/team.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "catalog/catalog.h"
#include "search/testing_team.h"
#include "sweep/slurm.h"
#include "sweep/table.h"
#include "sweep/work.h"

namespace railyard {
namespace {

constexpr const char* kScenario = R"(
name = "some hosts"
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
[sweep.axes]
cluster.gpus = { from = 2, to = 120 }
)";

Sweep a_sweep(const SweepQuestion& question) {
  const FileBundle files;
  const ReadFile read =
      files.reader([](const std::filesystem::path&) -> Result<std::string> { return std::string(kScenario); });
  EXPECT_TRUE(read("nowhere/case.toml"));
  Result<Sweep> sweep = Sweep::open(question, builtin_catalog(), files);
  EXPECT_TRUE(sweep);
  return *sweep;
}

TEST(Team, rows_are_those_of_one_process_and_others_need_no_files) {
  const SweepQuestion question{"nowhere/case.toml", {"collective.sizes=[\"2 MB\"]"}, "1.0"};
  const Sweep sweep = a_sweep(question);
  SweepLedger alone(sweep), together(sweep);
  Progress progress, shown;
  run_points(sweep, alone.missing(), 1, alone, progress);
  Boxes boxes;
  std::vector<Member> members = team_of(4, boxes);
  std::vector<std::thread> others;
  for (std::size_t rank = 1; rank < 4; rank++)
    others.emplace_back([&members, rank] { join_team(members[rank].link, builtin_catalog(), 1); });
  EXPECT_TRUE(lead_team(members[0].link, sweep, question, together.missing(), 2, together, shown).empty());
  dismiss_team(members[0].link);
  for (std::thread& other : others) other.join();
  EXPECT_EQ(sweep_csv(table_of(sweep, "1.0", together.rows())), sweep_csv(table_of(sweep, "1.0", alone.rows())));
  EXPECT_EQ(shown.done(), shown.total());
}

TEST(Team, whoever_cannot_work_says_so) {
  const SweepQuestion question{"nowhere/case.toml", {}, "1.0"};
  const Sweep sweep = a_sweep(question);
  SweepLedger ledger(sweep);
  Progress progress;
  Boxes boxes;
  std::vector<Member> members = team_of(2, boxes);
  SweepQuestion changed = question;
  changed.version = "2.0";  // makes another name of the same files
  std::thread other([&members] { join_team(members[1].link, builtin_catalog(), 1); });
  const Diagnostics refused = lead_team(members[0].link, sweep, changed, ledger.missing(), 1, ledger, progress);
  dismiss_team(members[0].link);
  other.join();
  ASSERT_FALSE(refused.empty());
  EXPECT_EQ(refused.front().code, "RY-SWP-014");
}

TEST(Team, another_build_of_the_same_version_does_not_join) {
  SweepQuestion question{"nowhere/case.toml", {}, "1.0"};
  question.program = "1.0 abcdef";
  const Sweep sweep = a_sweep(question);
  SweepLedger ledger(sweep);
  Progress progress;
  Boxes boxes;
  std::vector<Member> members = team_of(2, boxes);
  std::thread other([&members] { join_team(members[1].link, builtin_catalog(), 1); });
  const Diagnostics refused = lead_team(members[0].link, sweep, question, ledger.missing(), 1, ledger, progress);
  dismiss_team(members[0].link);
  other.join();
  ASSERT_FALSE(refused.empty());
  EXPECT_EQ(refused.front().code, "RY-SWP-014");
  EXPECT_NE(refused.front().message.find("the first is railyard 1.0 abcdef"), std::string::npos) << refused.front().message;
}

TEST(Slurm, tasks_with_points_left_are_in_the_array) {
  const Sweep sweep = a_sweep({"nowhere/case.toml", {}, "1.0"});
  SweepLedger ledger(sweep);
  Progress progress;
  run_points(sweep, ledger.missing({2, 4}), 1, ledger, progress);
  SlurmArray array{"/bin/railyard",         {"sweep", "a case.toml"}, "/shared/out", "--time=60 --partition=cpu", 4,
                   waiting_tasks(ledger, 4)};
  const std::string script = slurm_script(array);
  EXPECT_NE(script.find("#SBATCH --array=0-1,3\n"), std::string::npos) << script;
  EXPECT_NE(script.find("#SBATCH --time=60\n#SBATCH --partition=cpu\n"), std::string::npos);
  EXPECT_NE(script.find("exec /bin/railyard sweep 'a case.toml' --quiet"), std::string::npos);
  EXPECT_NE(script.find("--shard \"$SLURM_ARRAY_TASK_ID/4\" --journal /shared/out\"/task-$SLURM_ARRAY_TASK_ID.journal\"\n"),
            std::string::npos);
}

}  // namespace
}  // namespace railyard
