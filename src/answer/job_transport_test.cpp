// Jobs over TCP beside jobs over RoCE, packet by packet.
#include <gtest/gtest.h>

#include "answer/interference.h"
#include "base/temporary_folder.h"
#include "scenario/jobs.h"

namespace railyard {
namespace {

/// Seven hosts send to one, over RoCE and for much longer over TCP.
const char* const kTwoTransports = R"(
name = "two transports"
[cluster]
gpus = 8
[fabric]
topology = "star"
link_rate = "100 Gb/s"
link_delay = "500 ns"
switch_latency = "500 ns"
host_latency = "1 us"
[transport.classes]
data_weight = 75
background_weight = 25
[engine]
fidelity = "packet"
[[job]]
name = "roce"
gpus = 8
start = "1 ms"
[job.traffic]
pattern = "incast"
size = "2 MB"
[[job]]
name = "tcp"
of = "roce"
[job.transport]
kind = "tcp"
control = "cubic"
retransmit_timeout = "1 ms"
[job.traffic]
pattern = "incast"
size = "40 MB"
)";

Result<Interference> transports_played(const std::vector<std::string>& overrides = {}, unsigned threads = 1) {
  const TemporaryFolder folder;
  const Result<Loaded> loaded = load_scenario_or_jobs(folder.write("jobs.toml", kTwoTransports), builtin_catalog(), overrides);
  if (!loaded) return loaded.error();
  Progress progress;
  return find_interference(*loaded->jobs, {.threads = threads}, progress);
}

std::string refused_with(const std::vector<std::string>& overrides) {
  const Result<Interference> found = transports_played(overrides);
  return found ? "fine" : found.error().front().code;
}

/// RoCE has 75 of 100 parts of the port that all send to: with DCTCP, which always has packets there, and no more; with CUBIC,
/// whose queue runs empty after losses, no less.
TEST(JobTransports, tcp_in_its_own_queue_leaves_roce_its_scheduled_share) {
  for (const char* control : {"cubic", "dctcp"}) {
    const Result<Interference> found =
        transports_played({"transport.dcqcn.enabled=false", std::string("job.tcp.transport.control=") + control});
    ASSERT_TRUE(found) << to_text(found.error().front());
    const double longer = found->jobs[0].together.mean / found->jobs[0].alone.mean;
    EXPECT_LT(longer, 1.03 / 0.75) << control;
    EXPECT_GT(longer, std::string(control) == "dctcp" ? 0.97 / 0.75 : 1.1) << control;
  }
}

TEST(JobTransports, drops_are_of_the_lossy_class_and_pauses_of_the_lossless_one) {
  const Result<Interference> found = transports_played({"transport.dcqcn.enabled=false", "transport.pfc.alpha=0.01"});
  ASSERT_TRUE(found) << to_text(found.error().front());
  ASSERT_EQ(found->packets->classes.size(), 2U);
  const ClassFigures &data = found->packets->classes[0], &background = found->packets->classes[1];
  EXPECT_GT(background.dropped, 0U);
  EXPECT_EQ(background.pauses, 0U);
  EXPECT_EQ(data.dropped, 0U);
  EXPECT_GT(data.pauses, 0U);
}

TEST(JobTransports, tcp_in_the_queue_of_roce_hurts) {
  const Result<Interference> apart = transports_played(), mixed = transports_played({"job.tcp.class=data"});
  const Result<Interference> same_priority = transports_played({"transport.classes.background_priority=3"});
  ASSERT_TRUE(apart && mixed && same_priority);
  EXPECT_GT(mixed->jobs[0].together.mean, 1.5 * apart->jobs[0].together.mean);
  EXPECT_EQ(mixed->packets->dropped, 0U) << "PFC stops TCP, too";
  EXPECT_NEAR(same_priority->jobs[0].together.mean / mixed->jobs[0].together.mean, 1, 0.05) << "by its class or by its DSCP";
}

TEST(JobTransports, dctcp_is_marked_in_its_own_queue_and_cubic_is_not) {
  const Result<Interference> cubic = transports_played({"job.roce.traffic.size=1 B"});
  const Result<Interference> dctcp = transports_played({"job.roce.traffic.size=1 B", "job.tcp.transport.control=dctcp"});
  ASSERT_TRUE(cubic && dctcp);
  EXPECT_EQ(cubic->packets->marked, 0U);
  EXPECT_GT(dctcp->packets->classes[1].marked, 0U);
  EXPECT_LT(dctcp->packets->dropped, cubic->packets->dropped);
}

TEST(JobTransports, threads_change_nothing) {
  const Result<Interference> one = transports_played();
  ASSERT_TRUE(one);
  for (const unsigned threads : {2U, 4U}) {
    const Result<Interference> more = transports_played({}, threads);
    ASSERT_TRUE(more);
    EXPECT_EQ(more->fingerprint, one->fingerprint) << threads;
  }
}

TEST(JobTransports, mistakes_are_told_each) {
  EXPECT_EQ(refused_with({}), "fine");
  for (const char* mistake : {"job.tcp.transport.kind=uec", "job.tcp.transport.pfc.enabled=true", "engine.fidelity=flow",
                              "job.tcp.transport.qps_per_connection=2", "job.roce.transport.kind=tcp",
                              "transport.kind=infiniband", "transport.control=hpcc", "job.tcp.transport.control=swift"})
    EXPECT_EQ(refused_with({mistake}), "RY-JOB-014") << mistake;
}

}  // namespace
}  // namespace railyard
