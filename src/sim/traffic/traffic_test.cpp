#include "sim/traffic/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

Scenario scenario_with(Scenario scenario, TrafficPattern pattern, Bytes size = 1_MiB) {
  scenario.workload.collective.reset();
  scenario.workload.traffic.emplace();
  scenario.workload.traffic->pattern = pattern;
  scenario.workload.traffic->size = size;
  return scenario;
}

Scenario on_leaves(TrafficPattern pattern, std::uint32_t hosts = 32, std::uint32_t per_leaf = 8) {
  return scenario_with(testing::leaf_spine(hosts, per_leaf, 1, 400_Gbps, 500_ns), pattern);
}

struct Planned {
  Fabric fabric;
  std::vector<PlannedMessage> messages;
};

Planned planned(const Scenario& scenario) {
  Fabric fabric = *testing::build_fabric(scenario);
  const Placement placement = *place(scenario.placement, traffic_hosts_needed(scenario, fabric), fabric, scenario.keys);
  auto messages = plan_traffic(scenario, fabric, placement);
  EXPECT_TRUE(messages) << (messages ? "" : to_text(messages.error().front()));
  return {std::move(fabric), std::move(*messages)};
}

std::vector<PlannedMessage> plan(const Scenario& scenario) { return planned(scenario).messages; }

std::map<std::uint32_t, std::uint32_t> senders(const std::vector<PlannedMessage>& messages) {
  std::map<std::uint32_t, std::uint32_t> count;
  for (const PlannedMessage& message : messages) count[message.from.index()]++;
  return count;
}

std::map<std::uint32_t, std::uint32_t> receivers(const std::vector<PlannedMessage>& messages) {
  std::map<std::uint32_t, std::uint32_t> count;
  for (const PlannedMessage& message : messages) count[message.to.index()]++;
  return count;
}

/// Whether all senders are under the leaf of host 0.
bool all_near(const std::vector<PlannedMessage>& messages, std::uint32_t per_leaf) {
  return std::all_of(messages.begin(), messages.end(), [&](const auto& m) { return m.from.index() < per_leaf; });
}

void expect_ordered(const std::vector<PlannedMessage>& messages) {
  for (std::size_t i = 0; i < messages.size(); i++) {
    EXPECT_NE(messages[i].from, messages[i].to);
    EXPECT_TRUE(i == 0 || messages[i - 1].start <= messages[i].start);
  }
}

TEST(Traffic, senders_of_an_incast_sit_where_they_are_told_to) {
  Scenario near = on_leaves(TrafficPattern::incast);
  near.workload.traffic->senders_at = SendersAt::same_leaf;
  EXPECT_EQ(plan(near).size(), 7U);
  EXPECT_TRUE(all_near(plan(near), 8));
  near.workload.traffic->fan_in = 3;
  EXPECT_EQ(plan(near).size(), 3U);
  EXPECT_TRUE(all_near(plan(near), 8));
  Scenario far = on_leaves(TrafficPattern::incast);
  far.workload.traffic->senders_at = SendersAt::other_leaves;
  EXPECT_EQ(plan(far).size(), 24U);
  for (const PlannedMessage& message : plan(far)) EXPECT_GE(message.from.index(), 8U);
}

TEST(Traffic, an_incast_from_more_hosts_than_a_leaf_has_is_refused) {
  Scenario scenario = on_leaves(TrafficPattern::incast);
  scenario.workload.traffic->senders_at = SendersAt::same_leaf;
  scenario.workload.traffic->fan_in = 8;
  const Fabric fabric = *testing::build_fabric(scenario);
  const Placement placement = *place(scenario.placement, 32, fabric, scenario.keys);
  const auto refused = plan_traffic(scenario, fabric, placement);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().front().code, "RY-RUN-033");
  EXPECT_EQ(refused.error().front().hint, "use at most 7, or senders_at = \"anywhere\"");
}

TEST(Traffic, incast_takes_the_second_host_of_every_other_leaf_first_and_of_its_own_last) {
  // 32 leaves of 4, as in a fat tree of radix 8: hosts 5, 9, …, 125, 1 send to host 0.
  Scenario scenario = scenario_with(testing::star(128, 100_Gbps, 1_us), TrafficPattern::incast, Bytes(2'000'000));
  scenario.fabric.topology = Topology::fat_tree;
  scenario.fabric.radix = 8;
  scenario.workload.traffic->fan_in = 32;
  const auto messages = plan(scenario);
  ASSERT_EQ(messages.size(), 32U);
  for (std::uint32_t i = 0; i < 32; i++) {
    EXPECT_EQ(messages[i].from.index(), 4 * ((i + 1) % 32) + 1);
    EXPECT_EQ(messages[i].to.index(), 0U);
    EXPECT_EQ(messages[i].size, Bytes(2'000'000));
    EXPECT_EQ(messages[i].traffic_class, kDataClass);
  }
}

TEST(Traffic, an_incast_of_all_hosts_has_each_of_them_once) {
  for (const std::uint32_t hosts : {2U, 7U, 21U, 32U}) {
    const auto messages = plan(on_leaves(TrafficPattern::incast, hosts));
    EXPECT_EQ(messages.size(), hosts - 1);
    EXPECT_EQ(senders(messages).size(), hosts - 1);
    EXPECT_EQ(receivers(messages).size(), 1U);
  }
}

TEST(Traffic, a_permutation_has_one_message_out_of_and_into_every_host) {
  for (const std::uint32_t hosts : {2U, 3U, 8U, 32U})
    for (std::uint64_t seed = 1; seed < 20; seed++) {
      Scenario scenario = on_leaves(TrafficPattern::permutation, hosts);
      scenario = testing::seeded(scenario, seed);
      const auto messages = plan(scenario);
      expect_ordered(messages);
      EXPECT_EQ(messages.size(), hosts);
      EXPECT_EQ(senders(messages).size(), hosts);
      EXPECT_EQ(receivers(messages).size(), hosts);
    }
}

TEST(Traffic, the_seed_draws_the_permutation_and_rounds_draw_anew) {
  Scenario scenario = on_leaves(TrafficPattern::permutation);
  const auto one = plan(scenario);
  EXPECT_EQ(plan(scenario), one);
  scenario = testing::seeded(scenario, 2);
  EXPECT_NE(plan(scenario), one);
  scenario = testing::seeded(scenario, 1);
  scenario.workload.traffic->rounds = 2;
  scenario.workload.traffic->interval = 10_us;
  scenario.workload.traffic->start = 1_us;
  const auto two = plan(scenario);
  ASSERT_EQ(two.size(), 64U);
  std::size_t same = 0;
  for (std::size_t i = 0; i < 32; i++) {
    EXPECT_EQ(two[i].to, one[i].to);
    EXPECT_EQ(two[i].start, 1_us);
    EXPECT_EQ(two[32 + i].start, 11_us);
    same += two[32 + i].to == one[i].to ? 1 : 0;
  }
  EXPECT_LT(same, 8U);
}

TEST(Traffic, all_to_all_has_every_ordered_pair_once_and_a_ring_every_neighbour) {
  const auto all = plan(on_leaves(TrafficPattern::all_to_all, 12));
  std::set<std::pair<EndpointId, EndpointId>> pairs;
  for (const PlannedMessage& message : all) pairs.emplace(message.from, message.to);
  EXPECT_EQ(all.size(), 132U);
  EXPECT_EQ(pairs.size(), 132U);
  const auto ring = plan(on_leaves(TrafficPattern::ring, 12));
  ASSERT_EQ(ring.size(), 12U);
  for (const PlannedMessage& message : ring) EXPECT_EQ(message.to.index(), (message.from.index() + 1) % 12);
}

TEST(Traffic, uniform_receivers_are_even_in_the_long_run) {
  Scenario scenario = on_leaves(TrafficPattern::uniform, 16);
  scenario.workload.traffic->flows_per_host = 1000;
  const auto messages = plan(scenario);
  expect_ordered(messages);
  ASSERT_EQ(messages.size(), 16'000U);
  for (const auto& [host, count] : senders(messages)) EXPECT_EQ(count, 1000U);
  for (const auto& [host, count] : receivers(messages)) EXPECT_NEAR(count, 1000, 120);  // four standard deviations
}

TEST(Traffic, microbursts_come_at_their_times_from_distinct_senders) {
  Scenario scenario = on_leaves(TrafficPattern::microburst);
  scenario.workload.traffic->burst = 64_KiB;
  scenario.workload.traffic->bursts = 50;
  scenario.workload.traffic->interval = 100_us;
  scenario.workload.traffic->fan_in = 7;
  const auto messages = plan(scenario);
  ASSERT_EQ(messages.size(), 350U);
  std::set<EndpointId> hit;
  for (std::size_t burst = 0; burst < 50; burst++) {
    std::set<EndpointId> from;
    for (std::size_t i = 0; i < 7; i++) {
      const PlannedMessage& message = messages[burst * 7 + i];
      EXPECT_EQ(message.start, 100_us * static_cast<std::int64_t>(burst));
      EXPECT_EQ(message.to, messages[burst * 7].to);
      EXPECT_EQ(message.size, 64_KiB);
      from.insert(message.from);
    }
    EXPECT_EQ(from.size(), 7U);
    EXPECT_FALSE(from.contains(messages[burst * 7].to));
    hit.insert(messages[burst * 7].to);
  }
  EXPECT_GT(hit.size(), 15U);
  scenario.workload.traffic->bursts = 10;  // the first ones stay what they were
  const auto fewer = plan(scenario);
  EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), messages.begin()));
}

TEST(Traffic, a_file_is_played_as_it_says_and_hosts_sit_where_ranks_are_placed) {
  Scenario scenario = on_leaves(TrafficPattern::file);
  scenario.workload.traffic->start = 5_us;
  scenario.workload.traffic->lines = {{20_us, 1, 9, 10_B, 2}, {1_us, 3, 0, 20_B, 3}};
  scenario.placement.policy = PlacementPolicy::round_robin;
  const auto [fabric, messages] = planned(scenario);
  const Placement placement = *place(scenario.placement, 32, fabric, scenario.keys);
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_EQ(messages[0], (PlannedMessage{placement[RankId(3)], placement[RankId(0)], 20_B, 6_us, kDataClass}));
  EXPECT_EQ(messages[1], (PlannedMessage{placement[RankId(1)], placement[RankId(9)], 10_B, 25_us, kDataClass}));
}

TEST(Traffic, background_loads_links_by_its_share_and_lasts_as_long_as_the_pattern) {
  Scenario scenario = on_leaves(TrafficPattern::permutation);
  const auto pattern = plan(scenario);
  scenario.workload.traffic->size = 1_GiB;  // 21.5 ms, of which 30 % less are left
  scenario.workload.traffic->background = 0.3;
  scenario.workload.traffic->background_size = 64_KiB;
  const auto messages = plan(scenario);
  expect_ordered(messages);
  const Picoseconds least = transmit_time(1_GiB, 400_Gbps);
  double bytes = 0;
  std::size_t count = 0, data = 0;
  Picoseconds last;
  for (const PlannedMessage& message : messages) {
    if (message.traffic_class == kDataClass) {
      EXPECT_EQ(message.to, pattern[data++].to);  // background moves nothing else
      continue;
    }
    EXPECT_EQ(message.traffic_class, kBackgroundClass);
    bytes += static_cast<double>(message.size.count());
    last = message.start;
    count++;
  }
  EXPECT_EQ(data, 32U);
  const double span = seconds(least) / 0.7;
  EXPECT_NEAR(seconds(last), span, 0.001 * span);
  EXPECT_NEAR(bytes * 8 / span / 32, 0.3 * 400e9, 0.03 * 0.3 * 400e9);
  EXPECT_NEAR(bytes / static_cast<double>(count), 65536, 0.03 * 65536);
}

TEST(Traffic, a_checkpoint_is_dealt_to_servers_in_turn) {
  Scenario scenario = on_leaves(TrafficPattern::ring);
  scenario.workload.traffic->start = 3_us;
  StorageSpec& storage = scenario.workload.traffic->storage.emplace();
  storage.servers = 4;
  storage.checkpoint = 2500_KiB;
  storage.size = 1_MiB;
  storage.rounds = 2;
  storage.interval = 7_us;
  const auto messages = plan(scenario);
  expect_ordered(messages);
  std::map<std::uint32_t, Bytes> written, stored;
  std::size_t ring = 0, first = 0;
  for (const PlannedMessage& message : messages) {
    if (message.traffic_class == kDataClass) {
      EXPECT_LT(std::max(message.from.index(), message.to.index()), 28U);  // four of 32 are servers
      ring++;
      continue;
    }
    EXPECT_EQ(message.traffic_class, kStorageClass);
    EXPECT_TRUE(message.start == 3_us || message.start == 10_us);
    written[message.from.index()] += message.size;
    stored[message.to.index()] += message.size;
    if (message.start == 3_us && message.from.index() == 5) {
      EXPECT_EQ(message.to.index(), 28 + (5 + first) % 4);
      first++;
    }
  }
  EXPECT_EQ(ring, 28U);
  EXPECT_EQ(first, 3U);
  EXPECT_EQ(written.size(), 28U);
  for (const auto& [host, bytes] : written) EXPECT_EQ(bytes, 5000_KiB) << host;
  for (const auto& [server, bytes] : stored) EXPECT_EQ(bytes, 5000_KiB * 7) << server;
}

TEST(Traffic, storage_loads_links_by_its_share_and_is_read_from_servers) {
  Scenario scenario = on_leaves(TrafficPattern::permutation);
  scenario.workload.traffic->size = 1_GiB;
  scenario.workload.traffic->hosts = 24;
  scenario.workload.traffic->background = 0.1;
  const auto pattern = plan(scenario);
  StorageSpec& storage = scenario.workload.traffic->storage.emplace();
  storage.servers = 6;
  storage.access = StorageAccess::read;
  storage.load = 0.2;
  storage.size = 256_KiB;
  double bytes = 0;
  std::set<std::uint32_t> servers;
  std::size_t data = 0;
  for (const PlannedMessage& message : plan(scenario)) {
    if (message.traffic_class == kDataClass) {
      while (pattern[data].traffic_class != kDataClass) data++;
      EXPECT_EQ(message.to, pattern[data++].to);  // storage moves nothing else
    }
    if (message.traffic_class != kStorageClass) {
      EXPECT_LT(std::max(message.from.index(), message.to.index()), 24U);
      continue;
    }
    EXPECT_EQ(message.size, 256_KiB);
    EXPECT_LT(message.to.index(), 24U);
    servers.insert(message.from.index());
    bytes += static_cast<double>(message.size.count());
  }
  EXPECT_EQ(servers, (std::set<std::uint32_t>{24, 25, 26, 27, 28, 29}));
  const double span = seconds(transmit_time(1_GiB, 400_Gbps)) / 0.7;
  EXPECT_NEAR(bytes * 8 / span / 24, 0.2 * 400e9, 0.03 * 0.2 * 400e9);
}

TEST(Traffic, gaps_of_a_poisson_process_have_mean_and_deviation_one) {
  Rng rng(1, "test", 0);
  double sum = 0, squares = 0, beyond = 0;
  constexpr int kDraws = 200'000;
  for (int i = 0; i < kDraws; i++) {
    const double gap = exponential(rng);
    sum += gap;
    squares += gap * gap;
    beyond += gap > 3 ? 1 : 0;
  }
  EXPECT_NEAR(sum / kDraws, 1, 0.01);
  EXPECT_NEAR(squares / kDraws, 2, 0.05);
  EXPECT_NEAR(beyond / kDraws, std::exp(-3.0), 0.002);
}

TEST(Traffic, octaves_of_heavy_tailed_sizes_weigh_alike) {
  Rng rng(1, "test", 0);
  std::map<int, double> octave;
  double smallest = 1e300, largest = 0, sum = 0;
  constexpr int kDraws = 400'000;
  for (int i = 0; i < kDraws; i++) {
    const auto size = static_cast<double>(heavy_tailed(rng, 1_MiB).count());
    smallest = std::min(smallest, size), largest = std::max(largest, size);
    sum += size;
    octave[static_cast<int>(std::floor(std::log2(size / 151'000)))] += size;
  }
  EXPECT_NEAR(sum / kDraws, 1 << 20, 0.03 * (1 << 20));
  EXPECT_GT(smallest, 151'000);
  EXPECT_LT(largest, 152'000'000);
  for (int k = 0; k < 6; k++) EXPECT_NEAR(octave[k] / sum, std::log(2) / std::log(1000), 0.01) << k;
}

TEST(Traffic, what_cannot_be_is_refused) {
  const auto refusal = [](const Scenario& scenario) {
    const Fabric fabric = *testing::build_fabric(scenario);
    Placement placement;
    for (std::uint32_t i = 0; i < fabric.endpoints(); i++) placement.push(EndpointId(i));
    const auto messages = plan_traffic(scenario, fabric, placement);
    return messages ? std::string() : messages.error().front().code;
  };
  Scenario scenario = on_leaves(TrafficPattern::ring);
  EXPECT_EQ(refusal(scenario), "");
  scenario.workload.traffic->hosts = 1;
  EXPECT_EQ(refusal(scenario), "RY-RUN-033");
  scenario.workload.traffic->hosts = 33;
  EXPECT_EQ(refusal(scenario), "RY-RUN-033");
  scenario.workload.traffic->hosts = 32;
  scenario.workload.traffic->rounds = 1U << 22;
  EXPECT_EQ(refusal(scenario), "RY-RUN-032");
  scenario.workload.traffic->rounds = 1U << 20;
  scenario.workload.traffic->interval = Picoseconds(kPicosecondsPerSecond);
  EXPECT_EQ(refusal(scenario), "RY-RUN-011");
  scenario.workload.traffic->rounds = 1;
  scenario.workload.traffic->background = 0.5;
  scenario.workload.traffic->size = 1_GiB * 1000;
  scenario.workload.traffic->background_size = 64_B;
  EXPECT_EQ(refusal(scenario), "RY-RUN-032");
  scenario.workload.traffic->background = 0;
  scenario.workload.traffic->storage.emplace();
  EXPECT_EQ(refusal(scenario), "RY-RUN-033");  // 32 hosts, a server, and room for 32
  scenario.workload.traffic->hosts = 31;
  scenario.workload.traffic->storage->checkpoint = 1_GiB * 10;
  EXPECT_EQ(refusal(scenario), "");
  scenario.workload.traffic->storage->size = 64_B;
  EXPECT_EQ(refusal(scenario), "RY-RUN-032");
}

TEST(Traffic, what_is_sure_to_be_sent_counts_rounds_and_is_never_more_than_is_planned) {
  for (const TrafficPattern pattern : {TrafficPattern::all_to_all, TrafficPattern::permutation, TrafficPattern::ring,
                                       TrafficPattern::uniform, TrafficPattern::incast, TrafficPattern::microburst}) {
    Scenario scenario = on_leaves(pattern);
    scenario.workload.traffic->rounds = 3;
    scenario.workload.traffic->flows_per_host = 5;
    const Planned p = planned(scenario);
    const LeastTraffic least = least_traffic(scenario, p.fabric);
    std::set<std::pair<EndpointId, EndpointId>> pairs;
    for (const PlannedMessage& message : p.messages) pairs.emplace(message.from, message.to);
    EXPECT_LE(least.pairs, pairs.size());
    EXPECT_LE(least.messages, p.messages.size());
    const bool drawn = pattern == TrafficPattern::incast || pattern == TrafficPattern::microburst;
    EXPECT_EQ(least.messages, drawn ? 1 : p.messages.size());
    scenario.workload.traffic->rounds = 0xFFFFFFFF;
    EXPECT_LE(least_traffic(scenario, p.fabric).messages, kMostTraffic);
  }
}

}  // namespace
}  // namespace railyard
