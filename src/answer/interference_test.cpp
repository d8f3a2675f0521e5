#include "answer/interference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "base/temporary_folder.h"
#include "scenario/jobs.h"
#include "sim/jobs/jobs_run.h"

namespace railyard {
namespace {

/// Sixteen servers of eight GPUs under four leaves, two jobs of eight servers; no spread of GPUs, so that alone is alone.
std::string two_jobs(const std::string& fabric, const std::string& first, const std::string& second) {
  return R"(name = "two"
[model]
layers = 8
hidden = 4096
heads = 32
ffn = 16384
vocabulary = 51200
sequence = 2048
[training]
global_batch = 64
[parallel]
tensor = 8
zero = 1
[cluster]
gpu = "A100-SXM-80"
gpus = 128
gpus_per_node = 8
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 32
link_rate = "200 Gb/s"
link_delay = "100 ns"
switch_latency = "300 ns"
host_latency = "1 us"
)" + fabric +
         "\n[[job]]\nname = \"first\"\ngpus = 64\n" + first + "\n[[job]]\nname = \"second\"\ngpus = 64\n" + second + "\n";
}

Result<ClusterJobs> jobs_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const TemporaryFolder folder;
  Result<Loaded> loaded = load_scenario_or_jobs(folder.write("jobs.toml", text), builtin_catalog(), overrides);
  if (!loaded) return loaded.error();
  return std::move(*loaded->jobs);
}

Result<Interference> interference_of(const std::string& text, const std::vector<std::string>& overrides = {},
                                     unsigned threads = 1) {
  const Result<ClusterJobs> jobs = jobs_of(text, overrides);
  if (!jobs) return jobs.error();
  Progress progress;
  return find_interference(*jobs, {.threads = threads}, progress);
}

std::string code_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  const Result<Interference> found = interference_of(text, overrides);
  return found ? "fine" : found.error().front().code;
}

const char* const kFree = "oversubscription = 1\n[routing]\npolicy = \"adaptive\"";
const char* const kRoundRobin = "placement = { policy = \"round-robin\" }";

TEST(Interference, jobs_in_halves_of_a_free_fabric_take_exactly_as_long_as_alone) {
  for (const char* mode : {"exact", "quantised"})
    for (const char* policy : {"adaptive", "ecmp"}) {
      const Result<Interference> found = interference_of(
          two_jobs(kFree, "turns = 2", "turns = 2"),
          {std::string("engine.mode=") + mode, std::string("routing.policy=") + policy, "job.second.start=100 ms"});
      ASSERT_TRUE(found) << to_text(found.error().front());
      for (const JobFigures& job : found->jobs) {
        EXPECT_EQ(job.alone.mean, job.together.mean) << mode << ' ' << policy << ' ' << job.name;
        EXPECT_EQ(job.alone.mean, job.staggered->mean);
      }
      for (const SharedTier& tier : found->tiers) EXPECT_EQ(tier.shared, 0U) << tier.name;
    }
}

/// Permutations of 32 hosts in two racks each, all across two uplinks of one leaf: a trunk carries half as much for each.
TEST(Interference, two_that_share_a_trunk_get_half_of_it_each) {
  const std::string text = R"(name = "trunk"
[cluster]
gpus = 8
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 4
uplinks = 1
spines = 1
link_rate = "100 Gb/s"
link_delay = "0 s"
switch_latency = "0 s"
host_latency = "0 s"
[[job]]
name = "first"
gpus = 2
servers = "0,4"
[job.traffic]
pattern = "ring"
size = "125 MB"
[[job]]
name = "second"
gpus = 2
servers = "1,5"
[job.traffic]
pattern = "ring"
size = "125 MB"
)";
  const Result<Interference> found = interference_of(text);
  ASSERT_TRUE(found) << to_text(found.error().front());
  for (const JobFigures& job : found->jobs) {
    EXPECT_NEAR(job.alone.mean, 0.01, 0.01 * 0.03) << job.name;
    EXPECT_NEAR(job.together.mean / job.alone.mean, 2, 1e-6) << job.name;
  }
  ASSERT_FALSE(found->links.empty());
  EXPECT_EQ(found->links.front().name.find("GPU"), std::string::npos);
}

TEST(Interference, every_byte_is_of_one_job) {
  const Result<ClusterJobs> jobs = jobs_of(two_jobs("oversubscription = 2", kRoundRobin, kRoundRobin));
  ASSERT_TRUE(jobs);
  const Result<PreparedJobs> prepared = prepare_jobs(*jobs, {});
  ASSERT_TRUE(prepared);
  Progress progress;
  const auto carried = [&](const std::vector<JobStart>& starts) {
    const Result<JobsRun> run = run_jobs(*prepared, starts, progress);
    EXPECT_TRUE(run);
    double up = 0, posted = 0;
    for (const TrunkId trunk : ids(prepared->fabric.trunk_tier))
      if (prepared->fabric.trunk_tier[trunk] == Tier::host_up)
        up += static_cast<double>(run->network.trunk_carried[trunk].count());
    for (const PlayedJob& job : run->jobs) posted += job.posted;
    EXPECT_LE(up, posted);
    if (starts.size() == 1) {  // else some is under way at the end
      EXPECT_NEAR(up / posted, 1, 1e-6);
    }
    return up;
  };
  const double first = carried({{0, {}}}), second = carried({{1, {}}}), both = carried({{0, {}}, {1, {}}});
  EXPECT_NEAR(both / (first + second), 1, 0.25);  // the one that is done earlier goes on
}

TEST(Interference, sharing_uplinks_costs_and_phases_matter) {
  const Result<Interference> found = interference_of(two_jobs("oversubscription = 4", kRoundRobin, kRoundRobin),
                                                     {"parallel.zero=3", "training.global_batch=64"});
  ASSERT_TRUE(found) << to_text(found.error().front());
  EXPECT_GT(found->jobs[0].slowdown(), 0.01);
  EXPECT_EQ(found->beside[0][1], found->jobs[0].slowdown());
  EXPECT_NE(answer_of(*found).front().text.find("first takes"), std::string::npos);
}

TEST(Interference, is_the_same_on_any_number_of_threads) {
  const std::string text = two_jobs("oversubscription = 2", kRoundRobin, kRoundRobin);
  const Result<Interference> one = interference_of(text, {}, 1), two = interference_of(text, {}, 2);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(one->fingerprint, two->fingerprint);
}

TEST(Interference, lower_priorities_wait) {
  const std::string text = two_jobs("oversubscription = 4", kRoundRobin, kRoundRobin);
  const Result<Interference> found = interference_of(text, {"job.second.priority=1", "parallel.zero=3"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->jobs[0].alone.mean, found->jobs[0].together.mean);
  EXPECT_GT(found->jobs[1].slowdown(), 0.01);
}

TEST(Interference, mistakes_in_jobs_are_told_each) {
  const std::string text = two_jobs(kFree, "servers = \"0-7\"", "");
  EXPECT_EQ(code_of(text), "fine");
  EXPECT_EQ(code_of(text, {"job.second.servers=7-14"}), "RY-JOB-008");
  EXPECT_EQ(code_of(text, {"job.second.servers=9-16"}), "RY-JOB-007");
  EXPECT_EQ(code_of(text, {"job.second.servers=9-11"}), "RY-JOB-009");
  EXPECT_EQ(code_of(text, {"job.second.servers=9-x"}), "RY-JOB-002");
  EXPECT_EQ(code_of(text, {"job.second.servers=9,9"}), "RY-JOB-002");
  EXPECT_EQ(code_of(text, {"job.second.gpus=72"}), "RY-JOB-009");
  EXPECT_EQ(code_of(text, {"job.second.name=first"}), "RY-JOB-003");
  EXPECT_EQ(code_of(text, {"job.second.of=third"}), "RY-JOB-004");
  EXPECT_EQ(code_of(text, {"job.second.of=first"}), "RY-JOB-004");
  EXPECT_EQ(code_of(text, {"job.second.fabric.spines=3"}), "RY-JOB-005");
  EXPECT_EQ(code_of(text, {"cluster.gpus="}), "RY-JOB-006");
  EXPECT_EQ(code_of(text, {"engine.fidelity=analytic"}), "RY-JOB-010");
  EXPECT_EQ(code_of(text, {"job.third.gpus=8"}), "RY-SCN-004");
  EXPECT_EQ(code_of(text, {"job.second.gpu=8"}), "RY-SCN-010");
  const std::string tiny = two_jobs(kFree, "turns = 10000", "[job.traffic]\npattern = \"all-to-all\"\nsize = \"1 B\"");
  EXPECT_EQ(code_of(tiny), "RY-JOB-011");
  EXPECT_EQ(code_of(tiny, {"job.second.every=100 s", "job.first.turns=1"}), "fine");
}

TEST(Interference, a_file_of_jobs_is_no_single_scenario) {
  const TemporaryFolder folder;
  const std::string file = folder.write("jobs.toml", two_jobs(kFree, "", ""));
  const Result<Scenario> scenario = load_scenario(file, builtin_catalog());
  ASSERT_FALSE(scenario);
  EXPECT_EQ(scenario.error().front().code, "RY-JOB-001");
}

/// What hosts of a job write reaches the storage servers, and no more of it than their NICs take.
TEST(Interference, a_checkpoint_is_written_beside_the_job) {
  const std::string text = two_jobs(kFree, "",
                                    "of = \"first\"\n[job.traffic]\npattern = \"none\"\n[job.traffic.storage]\n"
                                    "checkpoint = \"1 GB\"\nsize = \"16 MiB\"");
  const Result<Interference> found = interference_of(text);
  ASSERT_TRUE(found) << to_text(found.error().front());
  EXPECT_EQ(found->jobs[1].of, "first");
  EXPECT_NEAR(found->jobs[1].posted, 64e9, 1);
  EXPECT_GE(found->jobs[1].alone.mean, 1e9 * 8 / 200e9);
  EXPECT_GT(found->jobs[0].slowdown(), 0);
}

/// Steps beside traffic that is drawn anew vary; beside nobody they do not.
TEST(Interference, neighbours_that_send_elsewhere_every_time_make_steps_vary) {
  const std::string text = two_jobs("oversubscription = 4", std::string("turns = 6\n") + kRoundRobin,
                                    std::string(kRoundRobin) + "\n[job.traffic]\npattern = \"uniform\"\nsize = \"64 MB\"");
  const Result<Interference> found = interference_of(text, {"parallel.zero=3"});
  ASSERT_TRUE(found) << to_text(found.error().front());
  const JobFigures& job = found->jobs[0];
  EXPECT_EQ(job.alone.median, job.alone.p99);
  EXPECT_LT(job.together.median, job.together.p99);
  EXPECT_GT(job.together.median, job.alone.median);
  EXPECT_NE(found->fingerprint, interference_of(text, {"parallel.zero=3", "engine.seed=2"})->fingerprint);
}

/// Permutations, rings and an incast of 16 hosts each under the same leaves, with and without a trunk that is too narrow.
TEST(Interference, packets_agree_with_flows_on_what_is_shared) {
  const auto text = [](const char* fabric, const char* first, const char* second) {
    return std::string(R"(name = "agree"
[cluster]
gpus = 32
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 8
link_rate = "100 Gb/s"
link_delay = "100 ns"
switch_latency = "300 ns"
host_latency = "700 ns"
buffer = "64 MiB"
)") + fabric +
           R"(
[transport]
kind = "infiniband"
control = "none"
[routing]
policy = "adaptive"
[[job]]
name = "first"
gpus = 16
placement = { policy = "round-robin" }
[job.traffic]
)" + first +
           "\n[[job]]\nname = \"second\"\ngpus = 16\nplacement = { policy = \"round-robin\" }\n[job.traffic]\n" + second;
  };
  const char *const wide = "spines = 4\noversubscription = 1", *const narrow = "spines = 2\noversubscription = 4";
  const char *const permutation = "pattern = \"permutation\"\nsize = \"16 MiB\"", *const ring =
                                                                                      "pattern = \"ring\"\nsize = \"16 MiB\"";
  for (const auto& [fabric, first, second] :
       {std::tuple(wide, permutation, ring), std::tuple(narrow, ring, ring), std::tuple(narrow, ring, permutation)}) {
    const Result<Interference> flows = interference_of(text(fabric, first, second), {"engine.fidelity=flow"});
    const Result<Interference> packets = interference_of(text(fabric, first, second), {"engine.fidelity=packet"});
    ASSERT_TRUE(flows) << to_text(flows.error().front());
    ASSERT_TRUE(packets) << to_text(packets.error().front());
    ASSERT_TRUE(packets->packets);
    for (std::size_t job = 0; job < 2; job++) {
      EXPECT_NEAR(packets->jobs[job].together.mean / flows->jobs[job].together.mean, 1, 0.05) << fabric << second << job;
      EXPECT_NEAR(packets->jobs[job].alone.mean / flows->jobs[job].alone.mean, 1, 0.05) << fabric << second << job;
    }
  }
}

/// Two all-reduces of 16 hosts under four leaves; `first` and `second` say where they sit.
std::string two_collectives(const char* fabric, const char* first, const char* second, const char* kind = "all_reduce") {
  const std::string collective = std::string("\n[job.collective]\nkind = \"") + kind + "\"\nsizes = [\"16 MiB\"]\n";
  return std::string(R"(name = "collectives"
[cluster]
gpus = 32
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 8
link_rate = "100 Gb/s"
link_delay = "100 ns"
switch_latency = "300 ns"
host_latency = "700 ns"
buffer = "64 MiB"
)") + fabric +
         "\n[transport]\nkind = \"infiniband\"\ncontrol = \"none\"\n[routing]\npolicy = \"adaptive\"\n" +
         "[[job]]\nname = \"first\"\ngpus = 16\nturns = 2\n" + first + collective +
         "[[job]]\nname = \"second\"\ngpus = 16\nturns = 2\n" + second + collective;
}

const char *const kWide = "spines = 4\noversubscription = 1", *const kNarrow = "spines = 2\noversubscription = 4";

TEST(Interference, collectives_in_halves_take_as_long_as_alone_and_as_by_themselves) {
  for (const char* engine : {"flow", "packet"}) {
    const std::string fidelity = std::string("engine.fidelity=") + engine;
    const bool by_packets = std::string(engine) == "packet";
    const Result<Interference> found = interference_of(two_collectives(kWide, "servers = \"0-15\"", ""), {fidelity});
    ASSERT_TRUE(found) << to_text(found.error().front());
    for (const JobFigures& job : found->jobs) {
      EXPECT_EQ(job.kind, JobKind::collective);
      const double off = by_packets ? 1e-4 : 0;  // switches that choose paths by their queues choose others the next time
      EXPECT_NEAR(job.together.mean, job.alone.mean, off * job.alone.mean) << engine << job.name;
      EXPECT_NEAR(job.alone.most, job.alone.median, off * job.alone.mean) << engine << job.name;
      EXPECT_NEAR(job.bus->alone, 16.0 * (1 << 20) * 2 * 15 / 16 / job.alone.mean, 1);
    }
    EXPECT_NEAR(found->jobs[0].posted, 16.0 * (1 << 20) * 2 * 15, 1e3) << "bytes on all edges of the ring";
    for (const Diagnostic& one : found->findings) EXPECT_EQ(one.message.find("job."), std::string::npos) << to_text(one);
  }
}

TEST(Interference, collectives_that_share_uplinks_agree_by_flows_and_packets) {
  for (const char* kind : {"all_reduce", "all_to_all"}) {
    const std::string text = two_collectives(kNarrow, kRoundRobin, kRoundRobin, kind);
    const Result<Interference> flows = interference_of(text), packets = interference_of(text, {"engine.fidelity=packet"});
    ASSERT_TRUE(flows) << to_text(flows.error().front());
    ASSERT_TRUE(packets) << to_text(packets.error().front());
    for (std::size_t job = 0; job < 2; job++) {
      EXPECT_NEAR(packets->jobs[job].together.mean / flows->jobs[job].together.mean, 1, 0.05) << kind << job;
      EXPECT_GT(flows->jobs[job].slowdown(), 0.5) << kind << job;
    }
  }
}

/// Steps of both packet by packet: what would take hours is said before it starts.
TEST(Interference, steps_of_more_packet_hops_than_the_limit_are_refused) {
  const std::string text = two_jobs(kFree, "", "");
  EXPECT_EQ(code_of(text, {"engine.fidelity=packet", "engine.limit=1000"}), "RY-RUN-010");
}

const char* const kFrontEnd =
    "[frontend.fabric]\ntopology = \"star\"\nlink_rate = \"100 Gb/s\"\nlink_delay = \"0 s\"\n"
    "switch_latency = \"0 s\"\nhost_latency = \"0 s\"\n[frontend.transport]\nheader = 0\n";

/// A GB of each of 64 GPUs in eight servers, over eight NICs of 100 Gb/s to as many servers, beside a job that they belong to.
TEST(Interference, what_takes_the_front_end_meets_nobody_and_has_its_rate) {
  const std::string text = two_jobs(std::string(kFree) + "\n" + kFrontEnd, "",
                                    "of = \"first\"\nnetwork = \"front-end\"\n[job.traffic]\npattern = \"none\"\n"
                                    "[job.traffic.storage]\ncheckpoint = \"1 GB\"\nsize = \"1 MB\"");
  const Result<Interference> found = interference_of(text);
  ASSERT_TRUE(found) << to_text(found.error().front());
  EXPECT_EQ(found->jobs[0].alone.mean, found->jobs[0].together.mean);
  EXPECT_EQ(found->jobs[1].alone.mean, found->jobs[1].together.mean);
  EXPECT_NEAR(found->jobs[1].alone.mean, 64e9 * 8 / (8 * 100e9), 0.64 * 0.01);
  const Result<Interference> shared = interference_of(text, {"job.second.network=", "frontend="});
  ASSERT_TRUE(shared) << to_text(shared.error().front());
  EXPECT_EQ(shared->jobs[0].alone.mean, found->jobs[0].alone.mean);
  EXPECT_GT(shared->jobs[0].slowdown(), 0);
  EXPECT_EQ(found->tiers.size(), shared->tiers.size() + 2);
}

TEST(Interference, mistakes_in_front_ends_are_told_each) {
  const std::string text = two_jobs(std::string(kFree) + "\n" + kFrontEnd, "",
                                    "network = \"front-end\"\n[job.traffic]\npattern = \"ring\"\nsize = \"1 MB\"");
  EXPECT_EQ(code_of(text), "fine");
  for (const char* mistake : {"frontend=", "job.first.network=front-end", "job.second.network=", "frontend.qos.from=files",
                              "frontend.cluster.gpus=64"})
    EXPECT_EQ(code_of(text, {mistake}), "RY-JOB-013") << mistake;
}

/// As the user wrote it: [fabric] is another network.
TEST(Interference, hints_about_front_ends_name_tables_of_front_ends) {
  const std::string text = two_jobs(std::string(kFree) + "\n" + kFrontEnd, "",
                                    "network = \"front-end\"\n[job.traffic]\npattern = \"ring\"\nsize = \"1 MB\"");
  const auto hint = [&](const std::vector<std::string>& overrides) {
    const Result<Interference> found = interference_of(text, overrides);
    return found ? "fine" : found.error().front().hint;
  };
  EXPECT_NE(hint({"frontend.fabric.switch_latency="}).find("to [frontend.fabric]"), std::string::npos);
  EXPECT_NE(hint({"frontend.fabric.link_rate="}).find("to [frontend.fabric]"), std::string::npos);
  EXPECT_NE(hint({"frontend.fabric.link_rate="}).find("to [frontend.cluster]"), std::string::npos);
  EXPECT_NE(hint({"frontend.fabric.topology=leaf-spine"}).find("to [frontend.fabric]"), std::string::npos)
      << "once it is built";
}

TEST(Interference, mistakes_in_collectives_of_jobs_are_told_each) {
  const std::string text = two_collectives(kWide, "", "");
  EXPECT_EQ(code_of(text), "fine");
  EXPECT_EQ(code_of(text, {"job.second.collective.library=nccl"}), "RY-JOB-012");
  EXPECT_EQ(code_of(text, {"job.second.collective.sizes=[\"1 MiB\",\"2 MiB\"]"}), "RY-JOB-012");
  EXPECT_EQ(code_of(text, {"job.second.traffic.pattern=ring"}), "RY-JOB-012");
  EXPECT_EQ(code_of(text, {"job.second.collective.group=17"}), "RY-SCN-039");
  EXPECT_EQ(code_of(text, {"job.second.of=first"}), "RY-JOB-004");
  EXPECT_EQ(code_of(text, {"job.second.collective.algorithm=pat"}), "RY-SCN-014");
}

}  // namespace
}  // namespace railyard
