#include "analysis/results.h"

#include <gtest/gtest.h>

#include "fabric/testing.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

Results results_of(Scenario scenario, Bytes size) {
  scenario.workload.collective->sizes = {1_KiB, size, 1_MiB};
  Progress progress;
  return analyse(scenario, *simulate(scenario, {.threads = 1}, progress));
}

TEST(Results, bandwidths_are_those_of_nccl_tests) {
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_reduce, 2), 1.0);
  EXPECT_DOUBLE_EQ(bus_factor(CollectiveKind::all_reduce, 8), 1.75);
  const CollectivePoint p = results_of(testing::star(8, 400_Gbps, 500_ns), 1_GiB).points[1];
  EXPECT_DOUBLE_EQ(p.algbw_gbs, 1.073741824 / (static_cast<double>(p.time.count()) * 1e-12));
  EXPECT_DOUBLE_EQ(p.busbw_gbs, p.algbw_gbs * 1.75);
  EXPECT_LT(p.busbw_gbs, 50 * 0.9804);  // 400 Gb/s less headers
  EXPECT_GT(p.busbw_gbs, 50 * 0.97);
}

TEST(Results, small_buffers_are_limited_by_latency_and_large_ones_by_links) {
  const Results r = results_of(testing::star(8, 400_Gbps, 500_ns), 1_GiB);
  EXPECT_EQ(r.points[0].limit, "latency");
  EXPECT_EQ(r.points[1].limit, "host to switch");
  EXPECT_GT(r.points[1].of_bound, 0.97);
  EXPECT_LE(r.points[1].of_bound, 1);
}

/// Eight servers of eight GPUs on rails; GPU 5 has half its rate.
CollectivePoint with_a_slow_nic(const std::string& library, const std::string& failure) {
  const Scenario scenario = testing::scenario_of(
      "name = \"t\"\n[collective]\nkind = \"all_to_all\"\nsizes = [\"1 GiB\"]\nlibrary = \"" + library +
      "\"\n[cluster]\ngpu = \"H100-SXM-80\"\ngpus = 64\ngpus_per_node = 8\nnic = \"ConnectX-7\"\n[fabric]\ntopology = "
      "\"leaf-spine\"\nrails = true\nswitch = \"Tomahawk-5\"\nhosts_per_leaf = 32\n[engine]\nfidelity = "
      "\"flow\"\n[failures]\n" +
      failure);
  Progress progress;
  return analyse(scenario, *simulate(scenario, {.threads = 1}, progress)).points[0];
}

TEST(Results, a_nic_at_half_rate_is_what_limits_a_collective_that_waits_for_it) {
  for (const char* library : {"nccl", "none"}) {  // it was "scale-up links" and "latency"
    EXPECT_EQ(with_a_slow_nic(library, "").limit, "host to leaf") << library;
    EXPECT_EQ(with_a_slow_nic(library, "\"gpu 5 port 0\" = { rate = \"200 Gb/s\" }\n").limit, "host to leaf, slowed link")
        << library;
  }
  EXPECT_EQ(with_a_slow_nic("none", "\"gpu 5 port 0\" = { rate = \"200 Gb/s\", until = \"1 us\" }\n").limit.substr(0, 12),
            "host to leaf");
}

TEST(Results, tiers_are_those_of_the_largest_size_wherever_it_stands_in_the_list) {
  const Results r = results_of(testing::star(4, 400_Gbps, 500_ns), 64_MiB);
  ASSERT_EQ(r.tiers.size(), 2U);
  EXPECT_GT(r.tiers[0].carried, 6 * 64_MiB);
  EXPECT_NEAR(r.tiers[0].mean_utilisation, r.tiers[0].peak_utilisation, 1e-3);
}

TEST(PortNames, all_at_once_are_what_each_is_by_itself) {
  for (const Scenario& scenario : {testing::leaf_spine(32, 8, 2, 400_Gbps, 100_ns), testing::star(8, 400_Gbps, 500_ns),
                                   testing::servers(Topology::leaf_spine, 32, 8, 16, 3200_Gbps)}) {
    const Fabric fabric = testing::built(scenario);
    const Table<PortId, std::string> names = port_names(fabric);
    ASSERT_EQ(names.size(), fabric.port_from.size());
    for (const PortId port : ids(fabric.port_from)) EXPECT_EQ(names[port], port_name(fabric, port));
  }
}

TEST(Results, a_trunk_that_carries_everything_is_named) {
  Scenario scenario = testing::leaf_spine(32, 8, 4, 400_Gbps, 500_ns);
  scenario.placement.policy = PlacementPolicy::round_robin;
  const Results r = results_of(scenario, 256_MiB);
  EXPECT_EQ(r.points[1].limit, "leaf to spine");
  EXPECT_EQ(r.fabric.neighbours_across, 32U);
  EXPECT_DOUBLE_EQ(r.fabric.oversubscription, 4);
  EXPECT_NEAR(r.tiers[0].peak_utilisation * 4, r.tiers[1].peak_utilisation, 1e-6);
}

}  // namespace
}  // namespace railyard
