#include "engine/rates/followed_rates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "base/rng.h"

namespace railyard {
namespace {

constexpr std::uint32_t kHosts = 32;

/// Everybody sends to everybody; flow s * kHosts + r crosses the link up of s and the one down of r.
struct AllToAll {
  explicit AllToAll(std::int64_t up, std::int64_t down) : capacity(kHosts, up) {
    capacity.resize(2 * kHosts, down);
    for (std::uint32_t flow = 0; flow < kHosts * kHosts; flow++) {
      link.push_back(flow / kHosts);
      link.push_back(kHosts + flow % kHosts);
      first.push_back(static_cast<std::uint32_t>(link.size()));
    }
    rates.bind(capacity, {.first = first, .link = link}, true);
  }

  /// The rates that are found, held against those of the solver.
  std::size_t update() {
    followed = rates.follow();
    if (!followed) rates.solve();
    const FoundRates found = rates.found();
    for (std::size_t i = 0; i < found.flow.size(); i++) rate[found.flow[i]] = found.rate[i];
    std::vector<std::int64_t> expected(rates.active().size());
    rates.solve_alone(rates.active(), expected);
    for (std::size_t i = 0; i < expected.size(); i++) EXPECT_EQ(rate[rates.active()[i]], expected[i]);
    return found.flow.size();
  }

  std::vector<std::int64_t> capacity;
  std::vector<std::uint32_t> first{0}, link;
  std::vector<std::int64_t> rate = std::vector<std::int64_t>(kHosts * kHosts, -1);
  FollowedRates rates;
  bool followed = false;
};

TEST(FollowedRates, one_change_among_many_is_followed) {
  AllToAll all(1'000'000, 320'000);
  for (std::uint32_t flow = 0; flow < kHosts * kHosts; flow++) all.rates.add(flow);
  EXPECT_EQ(all.update(), kHosts * kHosts);
  EXPECT_FALSE(all.followed);
  all.rates.remove(0);
  all.update();  // from here on
  all.rates.remove(1);
  EXPECT_EQ(all.update(), kHosts - 1);
  EXPECT_TRUE(all.followed);
  EXPECT_EQ(all.rate[kHosts + 1], 320'000 / (kHosts - 1));
}

TEST(FollowedRates, a_change_that_concerns_everybody_does_not_end_it) {
  AllToAll all(1'000'000, 320'000);
  for (std::uint32_t flow = 0; flow < kHosts * kHosts; flow++) all.rates.add(flow);
  all.update();
  for (std::uint32_t round = 0; round < 20; round++) {
    for (std::uint32_t flow = 0; flow < kHosts * kHosts; flow += 3) all.rates.remove(flow);
    all.update();
    EXPECT_FALSE(all.followed);
    for (std::uint32_t flow = 0; flow < kHosts * kHosts; flow += 3) all.rates.add(flow);
    all.update();
  }
  std::uint32_t until = 0;  // single changes
  for (; until < 200 && !all.followed; until++) {
    all.rates.remove(until);
    all.update();
  }
  EXPECT_LE(until, 100U);
  all.rates.remove(until);
  EXPECT_LE(all.update(), kHosts);
}

TEST(FollowedRates, what_touches_everybody_is_solved) {
  AllToAll all(1'000'000, 999'983);  // no flow ends without moving all others
  for (std::uint32_t flow = 0; flow < kHosts * kHosts; flow++) all.rates.add(flow);
  all.update();
  for (std::uint32_t flow = 0; flow < kHosts * kHosts / 2; flow += 7) {
    all.rates.remove(flow * 37 % (kHosts * kHosts));
    all.update();
  }
}

TEST(FollowedRates, a_capacity_that_changes_is_seen) {
  AllToAll all(1'000'000, 320'000);
  for (std::uint32_t flow = 0; flow < kHosts * kHosts; flow++) all.rates.add(flow);
  all.update();
  all.rates.remove(5);
  all.update();
  all.capacity[kHosts + 7] = 160'000;
  all.rates.capacity_changed(kHosts + 7);
  EXPECT_EQ(all.update(), kHosts);
  EXPECT_TRUE(all.followed);
  EXPECT_EQ(all.rate[7], 5'000);
}

/// So many flows, each over its own link and one of eight that many share, of which some hold back and some do not.
struct Shared {
  static constexpr std::uint32_t kFlows = 1 << 17, kShared = 8;

  Shared() {
    Rng rng(7, "links", 0);
    for (std::uint32_t flow = 0; flow < kFlows; flow++) {
      capacity.push_back(static_cast<std::int64_t>(1'000 + rng.below(1'000)));
      link.push_back(flow);
      link.push_back(kFlows + flow % kShared);
      first.push_back(static_cast<std::uint32_t>(link.size()));
    }
    // Half of the shared links have room for all of theirs.
    for (std::uint32_t i = 0; i < kShared; i++)
      capacity.push_back(std::int64_t{kFlows / kShared} * (i % 2 == 0 ? 2'500 : 1'200));
    rates.bind(capacity, {.first = first, .link = link}, true);
    for (std::uint32_t flow = 0; flow < kFlows; flow++) rates.add(flow);
    if (!rates.follow()) rates.solve();
    take();
  }
  void take() {
    const FoundRates found = rates.found();
    for (std::size_t i = 0; i < found.flow.size(); i++) rate[found.flow[i]] = found.rate[i];
  }
  /// How many rates changed; all are held against those of the solver.
  std::size_t without(std::uint32_t flow) {
    rates.remove(flow);
    if (!rates.follow()) rates.solve();
    take();
    const std::size_t changed = rates.found().flow.size();
    std::vector<std::int64_t> expected(rates.active().size());
    rates.solve_alone(rates.active(), expected);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < expected.size(); i++) wrong += rate[rates.active()[i]] != expected[i];
    EXPECT_EQ(wrong, 0U) << "without flow " << flow;
    return changed;
  }

  std::vector<std::int64_t> capacity;
  std::vector<std::uint32_t> first{0}, link;
  std::vector<std::int64_t> rate = std::vector<std::int64_t>(kFlows, -1);
  FollowedRates rates;
};

TEST(FollowedRates, who_leaves_links_that_hold_nobody_back_changes_no_rate) {
  Shared all;
  const std::uint64_t before = all.rates.work();
  for (std::uint32_t flow = 0; flow < 40; flow += 2) EXPECT_EQ(all.without(flow), 0U);  // room for all of them
  EXPECT_EQ(all.rates.work() - before, 20U);                                            // and nothing was looked at
}

TEST(FollowedRates, who_leaves_a_link_that_holds_others_back_is_followed_or_solved) {
  Shared all;
  EXPECT_EQ(all.without(0), 0U);
  EXPECT_GT(all.without(1), 100U);
  for (std::uint32_t flow = 2; flow < 10; flow++) all.without(flow);
}

TEST(FollowedRates, links_that_were_left_out_come_back_and_change_no_rate) {
  // Flow f crosses link f, which it has to itself, and one of two that are shared.
  constexpr std::uint32_t kFlows = 8;
  std::vector<std::int64_t> capacity(kFlows, 1'000), cap(kFlows, 1'000);
  capacity.insert(capacity.end(), {2'200, 900});
  std::vector<std::uint32_t> first{0}, link, shared_first{0}, shared;
  for (std::uint32_t flow = 0; flow < kFlows; flow++) {
    shared.push_back(kFlows + flow % 2);
    link.insert(link.end(), {flow, kFlows + flow % 2});
    shared_first.push_back(flow + 1);
    first.push_back(2 * flow + 2);
  }
  FollowedRates full, few{MaxMin::kManyFlows, FollowedRates::Tries::all};
  full.bind(capacity, {.first = first, .link = link, .cap = cap}, false);
  few.bind(capacity, {.first = shared_first, .link = shared, .cap = cap}, true, link.size());
  std::vector<std::int64_t> rate(kFlows, -1), expected(kFlows, -1);
  const auto update = [](FollowedRates& rates, std::vector<std::int64_t>& found) {
    if (!rates.follow()) rates.solve();
    for (std::size_t i = 0; i < rates.found().flow.size(); i++) found[rates.found().flow[i]] = rates.found().rate[i];
  };
  for (std::uint32_t step = 0; step < 40; step++) {
    if (step == 20) few.replace(capacity, {.first = first, .link = link, .cap = cap});
    if (step == 30) capacity[1] = 50, few.capacity_changed(1), full.capacity_changed(1);
    const std::uint32_t flow = step * 5 % kFlows;
    const bool there = step / kFlows % 2 == 1;
    for (FollowedRates* rates : {&full, &few}) there ? rates->remove(flow) : rates->add(flow);
    if (there) rate[flow] = expected[flow] = -1;
    update(few, rate);
    update(full, expected);
    ASSERT_EQ(rate, expected) << step;
  }
}

/// Pages this process has in memory.
std::size_t pages_in_use() {
  std::size_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

TEST(FollowedRates, following_for_long_needs_no_more_memory) {
  // As a large ring: flows that do not meet, of which one ends and begins again a million times.
  constexpr std::uint32_t kFlows = 8192, kChanges = 1'500'000;
  std::vector<std::int64_t> capacity(kFlows, 1'000);
  std::vector<std::uint32_t> first{0}, link;
  for (std::uint32_t flow = 0; flow < kFlows; flow++) {
    link.push_back(flow);
    first.push_back(flow + 1);
  }
  FollowedRates rates{MaxMin::kManyFlows, FollowedRates::Tries::all};
  rates.bind(capacity, {.first = first, .link = link}, true);
  for (std::uint32_t flow = 0; flow < kFlows; flow++) rates.add(flow);
  if (!rates.follow()) rates.solve();
  std::size_t before = 0;
  for (std::uint32_t change = 0; change < kChanges; change++) {
    if (change == kFlows) before = pages_in_use();
    const std::uint32_t flow = change * 5 % kFlows;
    rates.remove(flow);
    rates.add(flow);
    ASSERT_TRUE(rates.follow());
  }
  EXPECT_EQ(rates.size(), kFlows);
  EXPECT_LT(pages_in_use() - before, 512U);  // 2 MiB of 4 KiB pages; a list of all changes takes three times that
}

}  // namespace
}  // namespace railyard
