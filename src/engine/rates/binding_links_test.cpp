#include "engine/rates/binding_links.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace railyard {
namespace {

/// Flows that cross most of the links, some of which they share with nobody.
struct LongPaths {
  std::vector<std::int64_t> capacity;
  std::vector<std::uint32_t> first{0}, link;
  std::vector<std::uint64_t> fraction;
  std::vector<std::int64_t> cap;

  LongPaths(std::uint32_t flows, std::uint32_t links, std::int64_t largest, std::mt19937& random) {
    const auto below = [&](std::uint64_t end) { return random() % end; };
    for (std::uint32_t i = 0; i < links; i++)
      capacity.push_back(below(50) == 0 ? 0 : 1 + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(largest))));
    for (std::uint32_t flow = 0; flow < flows; flow++) {
      for (std::uint32_t i = 0; i < links; i++) {
        if (below(3) == 0 || i % flows == flow) continue;
        link.push_back(i);
        fraction.push_back(below(2) == 0 ? kWholeFraction : kWholeFraction / (1 + below(7)));
      }
      first.push_back(static_cast<std::uint32_t>(link.size()));
      cap.push_back(below(4) == 0 ? static_cast<std::int64_t>(below(static_cast<std::uint64_t>(largest))) : kUnlimitedRate);
    }
  }
  [[nodiscard]] FlowPaths paths() const { return {.first = first, .link = link, .fraction = fraction, .cap = cap}; }
};

std::vector<std::int64_t> plain(const LongPaths& paths, std::span<const std::uint32_t> active) {
  std::vector<std::int64_t> rate(active.size());
  MaxMin().solve(paths.capacity, paths.paths(), active, rate);
  return rate;
}

/// Small capacities make rates that differ by a unit, where what fits and who holds whom back are not the same.
TEST(BindingLinks, rates_are_those_of_all_links_to_the_last_unit) {
  for (const std::int64_t largest : {3, 40, 1000, 1'000'000'000}) {
    for (std::uint32_t seed = 0; seed < 60; seed++) {
      std::mt19937 random(seed);
      const LongPaths paths(2 + seed % 9, 240, largest, random);
      BindingLinksMaxMin rates;
      ASSERT_TRUE(BindingLinksMaxMin::suits(paths.paths()));
      rates.bind(paths.capacity, paths.paths());
      std::vector<bool> there(paths.first.size() - 1);
      for (int change = 0; change < 20; change++) {
        for (std::size_t flow = 0; flow < there.size(); flow++) there[flow] = random() % 4 == 0 ? !there[flow] : there[flow];
        std::vector<std::uint32_t> active;
        for (std::uint32_t flow = 0; flow < there.size(); flow++)
          if (there[flow]) active.push_back(flow);
        std::vector<std::int64_t> rate(active.size());
        rates.solve(active, rate);
        ASSERT_EQ(rate, plain(paths, active)) << "capacities up to " << largest << ", seed " << seed << ", change " << change;
      }
    }
  }
}

TEST(BindingLinks, a_capacity_that_changes_is_taken_with_the_next_tables) {
  std::mt19937 random(7);
  LongPaths paths(5, 400, 1'000'000, random);
  const std::vector<std::uint32_t> active{0, 1, 2, 3, 4};
  BindingLinksMaxMin rates;
  for (int change = 0; change < 10; change++) {
    rates.bind(paths.capacity, paths.paths());
    std::vector<std::int64_t> rate(active.size());
    rates.solve(active, rate);
    ASSERT_EQ(rate, plain(paths, active));
    for (std::int64_t& one : paths.capacity) one = one / 2 + static_cast<std::int64_t>(random() % 1'000'000);
  }
}

/// Two flows over a thousand links each, one of which is narrow.
TEST(BindingLinks, few_links_are_tried_and_none_twice) {
  LongPaths paths = [] {
    std::mt19937 random(1);
    return LongPaths(2, 1000, 10, random);
  }();
  std::fill(paths.capacity.begin(), paths.capacity.end(), 1'000'000);
  paths.capacity[paths.link.front()] = 500;
  std::fill(paths.cap.begin(), paths.cap.end(), kUnlimitedRate);
  BindingLinksMaxMin rates;
  rates.bind(paths.capacity, paths.paths());
  std::vector<std::int64_t> rate(2);
  const std::vector<std::uint32_t> active{0, 1};
  rates.solve(active, rate);
  EXPECT_EQ(rate, plain(paths, active));
  EXPECT_LE(rates.tried(), 4U);
  const std::uint64_t rounds = rates.rounds();
  rates.solve(active, rate);
  EXPECT_EQ(rates.rounds(), rounds + 1);
}

TEST(BindingLinks, short_paths_weights_and_priorities_are_not_for_it) {
  std::mt19937 random(1);
  const LongPaths paths(3, 200, 10, random);
  const std::vector<std::uint32_t> first{0, 2, 4}, link{0, 1, 1, 2}, weight{1, 2, 3};
  EXPECT_TRUE(BindingLinksMaxMin::suits(paths.paths()));
  EXPECT_FALSE(BindingLinksMaxMin::suits({.first = first, .link = link}));
  FlowPaths weighted = paths.paths();
  weighted.weight = weight;
  EXPECT_FALSE(BindingLinksMaxMin::suits(weighted));
  EXPECT_FALSE(BindingLinksMaxMin::suits({}));
}

}  // namespace
}  // namespace railyard
