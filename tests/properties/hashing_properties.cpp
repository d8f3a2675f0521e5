// What hashing does to a permutation, held against balls in bins.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "analysis/patterns/entropy.h"
#include "base/rng.h"
#include "engine/engine.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

/// 64 leaves of 32 hosts below 32 spines, one uplink to each.
Scenario permutation_fabric() {
  Scenario s = testing::leaf_spine(64 * 32, 32, 1, 400_Gbps, 100_ns, 900_ns);
  s.routing.policy = RoutingPolicy::ecmp;
  return s;
}

/// Every host sends one message to a host under another leaf.
MemberLoads uplinks_after_permutation(Scenario scenario, std::uint32_t queue_pairs, std::uint64_t seed) {
  scenario.routing.qps_per_connection = queue_pairs;
  scenario.routing.qp_seed = seed;
  const Fabric fabric = *testing::build_fabric(scenario);
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine = make_analytic_engine(fabric, {.mtu = 4096_B, .header = 0_B, .message_header = 0_B},
                                           path_policy_of(scenario.routing), telemetry);
  Rng rng(seed, "permutation", 0);
  std::vector<std::uint32_t> to(fabric.endpoints());
  std::iota(to.begin(), to.end(), 0U);
  for (std::size_t i = to.size(); i > 1; i--) std::swap(to[i - 1], to[rng.below(static_cast<std::uint32_t>(i))]);
  std::vector<Message> messages;
  for (std::uint32_t from = 0; from < fabric.endpoints(); from++) {
    const std::uint32_t goal = (to[from] % 32 + (from / 32 + 1 + to[from] / 32 % 63) % 64 * 32);  // never its own leaf
    messages.push_back({MessageId(from), engine->open({EndpointId(from), EndpointId(goal)}), 1_MiB});
  }
  engine->post(messages, Picoseconds::zero());
  std::vector<Completion> done;
  while (done.size() < messages.size()) engine->advance(Picoseconds::max(), done);
  engine->finish();
  const std::vector<MemberLoads> loads = member_loads(fabric, telemetry);
  EXPECT_EQ(loads[0].tier, Tier::leaf_up);
  return loads[0];
}

/// Means over several seeds.
MemberLoads mean_uplinks(const Scenario& scenario, std::uint32_t queue_pairs) {
  constexpr int kSeeds = 12;
  MemberLoads mean{};
  mean.worst_to_mean = 0;
  for (int seed = 1; seed <= kSeeds; seed++) {
    const MemberLoads one = uplinks_after_permutation(scenario, queue_pairs, static_cast<std::uint64_t>(seed));
    mean.idle += one.idle / kSeeds;
    mean.worst_to_mean += one.worst_to_mean / kSeeds;
    mean.effective += one.effective / kSeeds;
  }
  return mean;
}

class EveryHash : public ::testing::TestWithParam<HashFunction> {};

TEST_P(EveryHash, a_permutation_leaves_the_share_of_uplinks_idle_that_balls_in_bins_predict) {
  Scenario s = permutation_fabric();
  s.routing.hash = GetParam();
  const MemberLoads one = mean_uplinks(s, 1);
  EXPECT_NEAR(one.idle, expected_idle(32, 32), 0.02 * expected_idle(32, 32)) << "0.362: more than a third";
}

TEST_P(EveryHash, more_queue_pairs_spread_the_load_as_predicted) {
  Scenario s = permutation_fabric();
  s.routing.hash = GetParam();
  for (const HashFields fields : {HashFields::five_tuple, HashFields::qpn}) {
    s.routing.hash_fields = fields;
    double before = 1e9;
    for (const std::uint32_t queue_pairs : {1U, 4U, 16U}) {
      const MemberLoads loads = mean_uplinks(s, queue_pairs);
      // The worst of 64 leaves is the worst of 64 × 32 uplinks.
      const double predicted = expected_worst_to_mean(32, 32 * queue_pairs, 64);
      const double allowed = GetParam() == HashFunction::exclusive_or ? 0.2 : 0.1;  // a weak hash, a little worse than chance
      if (fields == HashFields::five_tuple) {
        EXPECT_NEAR(loads.worst_to_mean, predicted, allowed * predicted) << queue_pairs;
      }
      // Queue pairs of one NIC are numbered through, which a linear hash spreads better than chance does.
      EXPECT_LE(loads.worst_to_mean, (1 + allowed) * predicted) << queue_pairs << " queue pairs";
      EXPECT_LT(loads.worst_to_mean, before);
      before = loads.worst_to_mean;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Hashes, EveryHash,
                         ::testing::Values(HashFunction::crc16_ccitt, HashFunction::crc32, HashFunction::exclusive_or,
                                           HashFunction::murmur3));

/// Ports of spines towards cores that carried something, over all of them, when every host sends to every other pod.
double used_core_links(Scenario scenario) {
  const Fabric fabric = *testing::build_fabric(scenario);
  const HashSettings settings = hash_settings(scenario.routing);
  std::set<PortId> used;
  std::uint32_t qp = 0;
  for (std::uint32_t from = 0; from < fabric.endpoints(); from++)
    for (std::uint32_t hop = 1; hop < 4; hop++)
      for (std::uint32_t i = 0; i < 40; i++, qp++) {
        const EndpointId a(from), b((from + hop * fabric.endpoints() / 4 + i) % fabric.endpoints());
        if (fabric.pod_of(a) == fabric.pod_of(b)) continue;
        for (const PortId port : hashed_path(fabric, a, b, header_of(fabric, a, b, qp, qp + 1, settings), settings))
          if (fabric.trunk_tier[fabric.port_trunk[port]] == Tier::spine_up) used.insert(port);
      }
  double all = 0;
  for (const TrunkId trunk : ids(fabric.trunk_tier))
    if (fabric.trunk_tier[trunk] == Tier::spine_up) all += fabric.trunk_ports[trunk].size();
  return static_cast<double>(used.size()) / all;
}

TEST(Polarisation, tiers_that_share_a_seed_use_one_over_the_common_divisor_of_their_paths) {
  for (const auto& [uplinks, above] : {std::pair(8U, 8U), std::pair(8U, 4U), std::pair(6U, 4U)}) {
    Scenario s = testing::servers(Topology::clos3, 32 * uplinks, 1, uplinks);
    s.fabric.hosts_per_pod = 8 * uplinks;
    s.fabric.spines = uplinks;
    s.fabric.spine_oversubscription = 8.0 / above;
    s.routing.policy = RoutingPolicy::ecmp;
    for (const HashFunction function : {HashFunction::crc32, HashFunction::crc16_ccitt, HashFunction::murmur3}) {
      s.routing.hash = function;
      s.routing.seeds = {7, 7, 7};
      EXPECT_DOUBLE_EQ(used_core_links(s), 1.0 / std::gcd(uplinks, above)) << uplinks << " and " << above;
      s.routing.seeds = {0, 10, 25};
      EXPECT_DOUBLE_EQ(used_core_links(s), 1.0) << uplinks << " and " << above << " with seeds by role";
    }
  }
}

TEST(Entropy, spraying_leaves_nothing_to_count) {
  Scenario s = permutation_fabric();
  s.routing.policy = RoutingPolicy::spray;
  const Fabric fabric = *testing::build_fabric(s);
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine =
      make_analytic_engine(fabric, {.mtu = 4096_B, .header = 0_B, .message_header = 0_B}, path_policy_of(s.routing), telemetry);
  const Message message{MessageId(0), engine->open({EndpointId(0), EndpointId(100)}), 1_MiB};
  engine->post({&message, 1}, Picoseconds::zero());
  EXPECT_TRUE(member_loads(fabric, telemetry).empty());
}

}  // namespace
}  // namespace railyard
