#include "tools/faults/faults.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "base/temporary_folder.h"

namespace railyard {
namespace {

/// Sixty-four GPUs in eight servers, four leaves and four spines, a ring over all of them.
constexpr const char* kRingOnLeaves = R"(name = "ring"
[collective]
kind = "all_reduce"
algorithm = "ring"
sizes = ["4 GiB"]
[cluster]
gpus = 64
[fabric]
topology = "leaf-spine"
hosts_per_leaf = 16
spines = 4
oversubscription = 1
link_rate = "400 Gb/s"
link_delay = "500 ns"
switch_latency = "300 ns"
buffer = "64 MiB"
[placement]
policy = "round-robin"
[routing]
policy = "adaptive"
[engine]
fidelity = "flow"
)";

/// What becomes of it.
Result<Faults> faults_of_ring(const std::vector<std::string>& overrides, unsigned threads, bool pairs,
                              double most_hops = 4e10) {
  const TemporaryFolder folder;
  Progress progress;
  return find_faults({folder.write("ring.toml", kRingOnLeaves), overrides, threads, pairs, most_hops}, builtin_catalog(),
                     progress);
}

const FaultCase& case_called(const Faults& faults, FaultTable table, const std::string& what) {
  const auto found = std::find_if(faults.cases.begin(), faults.cases.end(),
                                  [&](const FaultCase& one) { return one.table == table && one.what == what; });
  EXPECT_NE(found, faults.cases.end()) << what;
  return *found;
}

std::string text_of_faults(const Faults& faults) {
  const Document document = faults_document(faults);
  return *document.find("manner")->text();
}

TEST(Faults, tells_how_far_apart_alike_elements_are) {
  Faults faults;
  faults.whole_s = 10, faults.whole_draws = {9.8, 10.2}, faults.seeds = {1, 2, 3};
  FaultCase spine;
  spine.what = "spine", spine.mean_s = 10.04, spine.draws = {9.9, 10.48}, spine.slowdown = 0.004;
  faults.cases.push_back(spine);
  EXPECT_EQ(
      text_of_faults(faults),
      "The fabric degrades predictably: which of alike elements fails and how flows are hashed change the time by 5.8 % at "
      "most (4.0 % where nothing has failed), and none costs more on average than the capacity that goes with it.");
}

TEST(Faults, every_kind_of_element_fails_once) {
  const Result<Faults> faults = faults_of_ring({}, 2, true);
  ASSERT_TRUE(faults) << faults.error().front().message;
  std::vector<std::string> what;
  for (const ElementClass& c : faults->classes) what.push_back(c.what);
  EXPECT_EQ(what, (std::vector<std::string>{"NIC port", "leaf uplink", "leaf", "spine"}));
  // A ring that leaves its leaf with every hop uses all uplinks: with one of four spines gone it takes a third longer.
  const FaultCase& spine = case_called(*faults, FaultTable::one, "spine");
  EXPECT_NEAR(spine.slowdown, 1.0 / 3, 0.02);
  EXPECT_TRUE(spine.is_steady);
  EXPECT_TRUE(spine.is_proportionate);
  EXPECT_FALSE(case_called(*faults, FaultTable::one, "leaf").cut_off.empty());
  EXPECT_FALSE(case_called(*faults, FaultTable::one, "NIC port").cut_off.empty());
  EXPECT_NEAR(case_called(*faults, FaultTable::slow, "NIC port").slowdown, 1, 0.02);
  EXPECT_NEAR(case_called(*faults, FaultTable::two, "2 neighbouring: spine").slowdown, 1, 0.02);
  EXPECT_NEAR(case_called(*faults, FaultTable::upgrade, "2 of 4: spine").slowdown, 1, 0.02);
}

TEST(Faults, who_is_cut_off_and_who_is_hit_most_is_told) {
  const Result<Faults> faults = faults_of_ring({}, 2, false);
  ASSERT_TRUE(faults) << faults.error().front().message;
  EXPECT_EQ(case_called(*faults, FaultTable::one, "leaf").isolated, 16U);
  EXPECT_EQ(case_called(*faults, FaultTable::one, "NIC port").isolated, 1U);
  const FaultCase& spine = case_called(*faults, FaultTable::one, "spine");
  EXPECT_EQ(spine.isolated, 0U);
  ASSERT_TRUE(spine.worst);
  EXPECT_FALSE(spine.worst->stage) << "a collective has ranks alone";
  // All take part in the ring to its end: who is hit most has all of it as late as the ring ends.
  EXPECT_NEAR(spine.worst->later_s, spine.draws.most - faults->whole_s, faults->whole_s * 0.1);
  EXPECT_EQ(spine.drawn.size(), 4 * faults->seeds.size());
}

TEST(Faults, a_spare_far_away_takes_the_place_of_a_lost_server) {
  const Result<Faults> faults = faults_of_ring({"cluster.gpus_per_node=8", "placement.policy=in-order"}, 2, false);
  ASSERT_TRUE(faults) << faults.error().front().message;
  const FaultCase& spare = case_called(*faults, FaultTable::host, "server lost: a spare in its place");
  ASSERT_TRUE(spare.cut_off.empty()) << spare.cut_off;
  EXPECT_EQ(spare.gpus, 64U);
  // One more server stands under a leaf of its own.
  EXPECT_NE(spare.command.find("fabric.gpus=72"), std::string::npos) << spare.command;
  EXPECT_NE(spare.command.find("placement.lost_servers="), std::string::npos) << spare.command;
  EXPECT_GE(spare.slowdown, -1e-9);
}

/// A step of 32 GPUs: four replicas of eight, all-reduces between them.
constexpr const char* kStep = R"(name = "step"
[model]
layers = 8
hidden = 4096
heads = 32
vocabulary = 32000
sequence = 2048
[training]
global_batch = 32
[parallel]
tensor = 8
[cluster]
gpu = "H100-SXM-80"
gpus_per_node = 8
gpus = 32
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 8
spines = 2
cable = "30 m"
[routing]
policy = "adaptive"
[engine]
fidelity = "flow"
)";

TEST(Faults, a_slow_gpu_and_a_lost_server_cost_the_step) {
  const TemporaryFolder folder;
  Progress progress;
  const Result<Faults> faults = find_faults({folder.write("step.toml", kStep), {}, 2, false}, builtin_catalog(), progress);
  ASSERT_TRUE(faults) << faults.error().front().message;
  const FaultCase& tenth = case_called(*faults, FaultTable::host, "a GPU that computes 10 % longer");
  const FaultCase& third = case_called(*faults, FaultTable::host, "a GPU that computes 30 % longer");
  EXPECT_GT(tenth.slowdown, 0.04);
  EXPECT_LT(tenth.slowdown, 0.1001) << "what is no compute does not take longer";
  EXPECT_NEAR(third.slowdown / tenth.slowdown, 3, 0.3);
  // Three replicas do the work of four: a third longer, or less where fewer gradients are in the way of others.
  const FaultCase& smaller = case_called(*faults, FaultTable::host, "server lost: 3 of 4 replicas with a smaller batch");
  EXPECT_EQ(smaller.gpus, 24U);
  EXPECT_EQ(smaller.batch, 24U);
  EXPECT_NEAR(smaller.slowdown, 1.0 / 3, 0.05);
  const FaultCase& kept = case_called(*faults, FaultTable::host, "server lost: 3 of 4 replicas with the batch rounded up");
  EXPECT_EQ(kept.batch, 33U);
  EXPECT_GT(kept.mean_s, smaller.mean_s);
  EXPECT_GT(kept.slowdown, 0);
  EXPECT_LT(kept.slowdown, smaller.slowdown) << "gradients are reduced once for more work";
}

TEST(Faults, threads_do_not_change_the_answer) {
  const auto times = [](unsigned threads) {
    const Result<Faults> faults = faults_of_ring({}, threads, false);
    EXPECT_TRUE(faults) << faults.error().front().message;
    std::vector<double> all;
    if (faults)
      for (const FaultCase& fault : faults->cases) all.push_back(fault.mean_s);
    return all;
  };
  EXPECT_EQ(times(1), times(4));
  EXPECT_GT(times(1).size(), 4U);
}

/// The ring of sixteen GPUs packet by packet, which goes down and comes up quickly.
Result<Faults> faults_of_packets(unsigned threads, double most_hops = 4e10) {
  return faults_of_ring({"engine.fidelity=packet", "cluster.gpus=16", "fabric.hosts_per_leaf=4", "collective.sizes=[\"2 MiB\"]",
                         "fabric.host_latency=1 us", "routing.local_repair=20 us", "routing.convergence=50 us",
                         "transport.retransmit_timeout=100 us"},
                        threads, false, most_hops);
}

TEST(Faults, packets_know_what_is_lost_before_anybody_notices) {
  const Result<Faults> faults = faults_of_packets(2);
  ASSERT_TRUE(faults) << faults.error().front().message;
  EXPECT_TRUE(faults->by_packets);
  EXPECT_GT(faults->whole_p99_s, 0);
  // Routed around from the beginning: of four spines one is gone, and nothing is lost.
  const FaultCase& spine = case_called(*faults, FaultTable::one, "spine");
  EXPECT_GT(spine.slowdown, 0);
  EXPECT_EQ(spine.lost_packets, 0U);
  // While the ring runs: packets are lost and sent again, and nobody gives up.
  const FaultCase& sudden = case_called(*faults, FaultTable::sudden, "spine");
  EXPECT_TRUE(sudden.cut_off.empty()) << sudden.cut_off;
  EXPECT_GT(sudden.lost_packets, 0U);
  EXPECT_EQ(sudden.broken, 0U);
  EXPECT_GT(sudden.mean_s, faults->whole_s);
  ASSERT_TRUE(sudden.worst);
  // A NIC has no other port: its queue pairs break, and that is told.
  const FaultCase& nic = case_called(*faults, FaultTable::sudden, "NIC port");
  EXPECT_NE(nic.cut_off.find("IBV_WC_RETRY_EXC_ERR"), std::string::npos) << nic.cut_off;
}

TEST(Faults, threads_do_not_change_packets_either) {
  using Figures = std::tuple<std::string, double, double, std::uint64_t, std::uint64_t, std::string>;
  const auto figures = [](unsigned threads) {
    const Result<Faults> faults = faults_of_packets(threads);
    EXPECT_TRUE(faults) << faults.error().front().message;
    std::vector<Figures> all;
    if (faults)
      for (const FaultCase& one : faults->cases)
        all.emplace_back(one.what, one.mean_s, one.p99_s, one.lost_packets, one.broken, one.cut_off);
    return all;
  };
  EXPECT_EQ(figures(1), figures(3));
}

TEST(Faults, whole_steps_fail_packet_by_packet) {
  Progress progress;
  const std::vector<std::string> small = {"model.layers=2",    "training.global_batch=8", "cluster.gpus=16",
                                          "parallel.tensor=8", "parallel.pipeline=1",     "transport.retransmit_timeout=1 ms"};
  const Result<Faults> faults = find_faults({"packets/step", small, 2, false}, builtin_catalog(), progress);
  ASSERT_TRUE(faults) << faults.error().front().message;
  EXPECT_TRUE(faults->by_packets);
  const FaultCase& one = case_called(*faults, FaultTable::one, "spine");
  EXPECT_GT(one.slowdown, 0);
  EXPECT_EQ(one.lost_packets, 0U);
  EXPECT_FALSE(case_called(*faults, FaultTable::one, "leaf").cut_off.empty());
}

TEST(Faults, a_slice_of_a_step_is_refused) {
  const TemporaryFolder folder;
  Progress progress;
  const std::string file = folder.write("step.toml", std::string(kStep) + "[slice]\ncollective = \"gradients\"\n");
  const Result<Faults> faults = find_faults({file, {"engine.fidelity=packet"}, 1, false}, builtin_catalog(), progress);
  ASSERT_FALSE(faults);
  EXPECT_EQ(faults.error().front().code, "RY-FLT-001");
}

TEST(Faults, hours_of_packets_are_refused) {
  const Result<Faults> faults = faults_of_packets(1, 1e6);
  ASSERT_FALSE(faults);
  EXPECT_EQ(faults.error().front().code, "RY-FLT-002");
}

}  // namespace
}  // namespace railyard
