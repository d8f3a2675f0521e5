// Closed forms, fluid flows and packets against each other, where queues, pauses and losses play no part.
#include <gtest/gtest.h>

#include "base/quantity_text.h"
#include "fabric/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

/// Queues may grow before anybody is told.
Scenario undisturbed(Scenario scenario) {
  scenario.fabric.host_latency = 700_ns;
  scenario.packet.ecn.kmin = 4_MiB;
  scenario.packet.ecn.kmax = 8_MiB;
  return scenario;
}

Scenario with_traffic(Scenario scenario, TrafficPattern pattern, Bytes size) {
  scenario.workload.collective.reset();
  scenario.workload.traffic.emplace();
  scenario.workload.traffic->pattern = pattern;
  scenario.workload.traffic->size = size;
  return undisturbed(std::move(scenario));
}

/// When everything was delivered.
double seconds_taken(Scenario scenario, Fidelity fidelity) {
  scenario.engine.fidelity = fidelity;
  Progress progress;
  const Result<Run> run = simulate(scenario, {.threads = 1}, progress);
  EXPECT_TRUE(run) << (run ? "" : to_text(run.error().front()));
  return run ? seconds(*std::max_element(run->traffic->delivered.begin(), run->traffic->delivered.end())) : 0;
}

TEST(EnginesAgree, packets_with_closed_forms_on_idle_fabrics) {
  Scenario clos = testing::servers(Topology::clos3, 48, 1, 4);
  clos.fabric.hosts_per_pod = 16;
  for (Scenario shape : {testing::star(4, 400_Gbps, 500_ns, 600_ns), testing::leaf_spine(32, 8, 2, 100_Gbps, 500_ns, 600_ns),
                         testing::leaf_spine(32, 8, 1, 800_Gbps, 1500_ns, 600_ns), clos})
    for (const Switching switching : {Switching::cut_through, Switching::store_and_forward})
      for (const Bytes size : {Bytes(1), 64_B, 4096_B, Bytes(5000), 64_KiB, 4_MiB}) {
        shape.fabric.switching = switching;
        shape.routing.policy = RoutingPolicy::ecmp;
        Scenario scenario = with_traffic(shape, TrafficPattern::incast, size);  // from one host
        scenario.workload.traffic->fan_in = 1;
        const double packets = seconds_taken(scenario, Fidelity::packet), closed = seconds_taken(scenario, Fidelity::analytic);
        EXPECT_NEAR(packets / closed, 1, 1e-6) << format(size) << " on " << shape.fabric.endpoints << " hosts";
      }
}

TEST(EnginesAgree, packets_with_flows_within_5_per_cent_on_long_transfers_without_persistent_congestion) {
  for (const RoutingPolicy policy : {RoutingPolicy::adaptive, RoutingPolicy::spray})
    for (const TrafficPattern pattern : {TrafficPattern::permutation, TrafficPattern::ring}) {
      Scenario scenario = with_traffic(testing::leaf_spine(64, 8, 1, 400_Gbps, 150_ns, 600_ns), pattern, 16_MiB);
      scenario.fabric.switching = Switching::cut_through;
      scenario.routing.policy = policy;
      scenario.packet.nic.recovery = LossRecovery::selective_repeat;  // packets overtake each other
      scenario.packet.nic.reorder = 1024;
      const double packets = seconds_taken(scenario, Fidelity::packet), flows = seconds_taken(scenario, Fidelity::flow);
      EXPECT_NEAR(packets / flows, 1, 0.05) << name_of(policy) << " " << name_of(pattern);
    }
}

TEST(EnginesAgree, packets_with_flows_within_5_per_cent_where_hashing_leaves_no_two_flows_on_a_link) {
  Scenario scenario = with_traffic(testing::leaf_spine(64, 8, 1, 400_Gbps, 150_ns, 600_ns), TrafficPattern::ring, 16_MiB);
  scenario.routing.policy = RoutingPolicy::ecmp;
  EXPECT_NEAR(seconds_taken(scenario, Fidelity::packet) / seconds_taken(scenario, Fidelity::flow), 1, 0.05);
}

TEST(EnginesAgree, packets_with_flows_within_5_per_cent_where_paths_are_pinned) {
  for (const TrafficPattern pattern : {TrafficPattern::ring, TrafficPattern::all_to_all}) {
    Scenario scenario = with_traffic(testing::leaf_spine(32, 8, 1, 400_Gbps, 150_ns, 600_ns), pattern, 4_MiB);
    scenario.routing.policy = RoutingPolicy::pinned;
    EXPECT_NEAR(seconds_taken(scenario, Fidelity::packet) / seconds_taken(scenario, Fidelity::flow), 1, 0.05)
        << name_of(pattern);
  }
}

/// Of the collective's first size.
double collective_taken(Scenario scenario, Fidelity fidelity, unsigned threads = 1) {
  scenario.engine.fidelity = fidelity;
  Progress progress;
  const Result<Run> run = simulate(scenario, {.threads = threads}, progress);
  EXPECT_TRUE(run) << (run ? "" : to_text(run.error().front()));
  return run ? seconds(run->collectives.front().time) : 0;
}

Scenario with_collective(Scenario scenario, CollectiveKind kind, CollectiveAlgorithm algorithm, Bytes size) {
  scenario.workload.collective->kind = kind;
  scenario.workload.collective->algorithm = algorithm;
  scenario.workload.collective->sizes = {size};
  return scenario;
}

TEST(EnginesAgree, flows_with_closed_forms_on_a_clos_without_bottlenecks) {
  for (const std::uint32_t ranks : {4U, 5U, 8U, 17U, 31U, 39U, 48U, 63U, 64U}) {
    Scenario clos = testing::servers(Topology::clos3, ranks, 1, 8);
    clos.fabric.hosts_per_pod = 32;
    clos.routing.policy = RoutingPolicy::adaptive;
    for (const Bytes size : {64_KiB, 1_MiB, 2_MiB, 3_MiB, 4_MiB, 16_MiB, 64_MiB})
      for (const auto& [kind, algorithm] : {std::pair(CollectiveKind::all_reduce, CollectiveAlgorithm::tree),
                                            std::pair(CollectiveKind::broadcast, CollectiveAlgorithm::tree),
                                            std::pair(CollectiveKind::all_reduce, CollectiveAlgorithm::ring),
                                            std::pair(CollectiveKind::all_to_all, CollectiveAlgorithm::direct)}) {
        const Scenario scenario = with_collective(clos, kind, algorithm, size);
        EXPECT_NEAR(collective_taken(scenario, Fidelity::flow) / collective_taken(scenario, Fidelity::analytic), 1, 1e-3)
            << name_of(kind) << " " << name_of(algorithm) << " of " << format(size) << " on " << ranks;
      }
  }
}

TEST(EnginesAgree, flows_with_closed_forms_where_they_collide_or_uplinks_are_few) {
  for (const RoutingPolicy policy : {RoutingPolicy::ecmp, RoutingPolicy::adaptive})
    for (const std::uint32_t oversubscription : {1U, 4U})
      for (const std::uint32_t queue_pairs : {1U, 4U})
        for (const CollectiveAlgorithm algorithm :
             {CollectiveAlgorithm::tree, CollectiveAlgorithm::ring, CollectiveAlgorithm::halving_doubling}) {
          Scenario fabric = testing::leaf_spine(48, 8, oversubscription, 400_Gbps, 500_ns, 600_ns);
          fabric.routing.policy = policy;
          fabric.routing.qps_per_connection = queue_pairs;
          const Scenario scenario = with_collective(fabric, CollectiveKind::all_reduce, algorithm, 4_MiB);
          EXPECT_NEAR(collective_taken(scenario, Fidelity::flow) / collective_taken(scenario, Fidelity::analytic), 1, 1e-3)
              << name_of(policy) << " " << name_of(algorithm) << " " << oversubscription << ":1, " << queue_pairs;
        }
}

TEST(EnginesAgree, packets_with_closed_forms_of_trees_within_7_per_cent) {
  for (const std::uint32_t ranks : {8U, 17U, 24U})
    for (const Bytes size : {1_MiB, 2_MiB, 4_MiB}) {
      Scenario clos = undisturbed(testing::servers(Topology::clos3, ranks, 1, 8));
      clos.fabric.hosts_per_pod = 32;
      clos.routing.policy = RoutingPolicy::adaptive;
      clos.packet.nic.recovery = LossRecovery::selective_repeat;  // packets overtake each other
      clos.packet.nic.reorder = 1024;
      const Scenario scenario = with_collective(clos, CollectiveKind::all_reduce, CollectiveAlgorithm::tree, size);
      EXPECT_NEAR(collective_taken(scenario, Fidelity::packet) / collective_taken(scenario, Fidelity::analytic), 1, 0.07)
          << format(size) << " on " << ranks;
    }
}

TEST(EnginesAgree, packets_with_flows_within_3_per_cent_where_switches_reduce) {
  Scenario clos = testing::servers(Topology::clos3, 48, 1, 4);
  clos.fabric.hosts_per_pod = 16;
  for (Scenario scenario : {testing::leaf_spine(32, 8, 1, 400_Gbps, 150_ns, 600_ns), testing::star(8, 100_Gbps, 150_ns, 600_ns),
                            testing::leaf_spine(32, 8, 4, 400_Gbps, 150_ns, 600_ns), clos})
    for (const RoutingPolicy policy : {RoutingPolicy::ecmp, RoutingPolicy::adaptive})
      for (const CollectiveKind kind : {CollectiveKind::all_reduce, CollectiveKind::broadcast, CollectiveKind::reduce_scatter,
                                        CollectiveKind::all_gather}) {
        scenario = undisturbed(scenario);
        scenario.routing.policy = policy;
        scenario.workload.collective->kind = kind;
        scenario.workload.collective->algorithm = CollectiveAlgorithm::in_network;
        scenario.workload.collective->sizes = {4_MiB};
        const double packets = collective_taken(scenario, Fidelity::packet);
        EXPECT_NEAR(packets / collective_taken(scenario, Fidelity::flow), 1, 0.03) << name_of(kind) << " " << name_of(policy);
        EXPECT_EQ(packets, collective_taken(scenario, Fidelity::packet, 2));
      }
}

}  // namespace
}  // namespace railyard
