#include "engine/rates/max_min.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/rng.h"

namespace railyard {
namespace {

/// A network and who crosses it; `rates` solves for all flows, in order.
struct Network {
  std::vector<std::int64_t> capacity;
  std::vector<std::uint32_t> first{0}, link;
  std::vector<std::uint64_t> fraction;
  std::vector<std::int64_t> cap;
  std::vector<std::uint32_t> weight;
  std::vector<std::uint8_t> priority;

  Network(std::vector<std::int64_t> capacities, const std::vector<std::vector<std::uint32_t>>& paths)
      : capacity(std::move(capacities)) {
    for (const auto& path : paths) {
      link.insert(link.end(), path.begin(), path.end());
      first.push_back(static_cast<std::uint32_t>(link.size()));
    }
  }

  [[nodiscard]] std::vector<std::int64_t> rates() const {
    std::vector<std::uint32_t> active(first.size() - 1);
    std::iota(active.begin(), active.end(), 0U);
    std::vector<std::int64_t> rate(active.size(), -1);
    MaxMin().solve(capacity, {first, link, fraction, cap, weight, priority}, active, rate);
    return rate;
  }
};

using Rates = std::vector<std::int64_t>;

TEST(MaxMin, flows_on_one_link_get_equal_shares_rounded_down) {
  EXPECT_EQ(Network({100}, {{0}}).rates(), (Rates{100}));
  EXPECT_EQ(Network({100}, {{0}, {0}, {0}}).rates(), (Rates{33, 33, 33}));
}

TEST(MaxMin, on_a_parking_lot_the_long_flow_gets_as_much_as_the_short_ones) {
  EXPECT_EQ(Network({100, 100, 100}, {{0, 1, 2}, {0}, {1}, {2}}).rates(), (Rates{50, 50, 50, 50}));
  // The first link holds the long flow back further; what it leaves on the others goes to the short ones.
  EXPECT_EQ(Network({30, 100, 60}, {{0, 1, 2}, {0}, {0}, {1}, {2}}).rates(), (Rates{10, 10, 10, 90, 50}));
}

TEST(MaxMin, bottlenecks_are_found_level_after_level) {
  // Link i is shared by flows i and i + 1: 0 and 1 get half of the first, each later flow what the one before leaves.
  EXPECT_EQ(Network({100, 120, 200, 300}, {{0}, {0, 1}, {1, 2}, {2, 3}, {3}}).rates(), (Rates{50, 50, 70, 130, 170}));
}

TEST(MaxMin, what_a_capped_flow_leaves_goes_to_the_others) {
  Network n({100}, {{0}, {0}, {0}});
  n.cap = {10, kUnlimitedRate, 60};
  EXPECT_EQ(n.rates(), (Rates{10, 45, 45}));
}

TEST(MaxMin, weights_divide_a_link_in_proportion) {
  Network n({100, 40}, {{0}, {0}, {0, 1}, {1}});
  n.weight = {1, 3, 1, 1};
  EXPECT_EQ(n.rates(), (Rates{20, 60, 20, 20}));
}

TEST(MaxMin, a_capped_flow_gets_its_cap_to_the_unit_whatever_its_weight) {
  Network n({1000}, {{0}, {0}});
  n.weight = {7, 1};
  n.cap = {50, kUnlimitedRate};
  EXPECT_EQ(n.rates(), (Rates{50, 950}));
}

TEST(MaxMin, lower_priorities_share_what_higher_ones_leave) {
  Network n({100, 100}, {{0}, {0, 1}, {0}, {1}, {1}});
  n.priority = {3, 0, 3, 3, 7};
  n.cap = {kUnlimitedRate, 40, kUnlimitedRate, 35, kUnlimitedRate};
  EXPECT_EQ(n.rates(), (Rates{30, 40, 30, 35, 25}));
}

TEST(MaxMin, a_starved_priority_gets_nothing) {
  Network n({100}, {{0}, {0}});
  n.priority = {0, 1};
  EXPECT_EQ(n.rates(), (Rates{100, 0}));
}

TEST(MaxMin, a_split_flow_loads_each_link_with_its_fraction) {
  // Half of the first flow takes link 0, half takes link 1; the second flow is alone with it on link 0.
  Network n({100, 100}, {{0, 1}, {0}});
  n.fraction = {kWholeFraction / 2, kWholeFraction / 2, kWholeFraction};
  EXPECT_EQ(n.rates(), (Rates{66, 66}));
  // Twice a flow's rate crosses a link, as where a message is sent to two at once.
  Network doubled({100, 100}, {{0, 1}});
  doubled.fraction = {kWholeFraction, 2 * kWholeFraction};
  EXPECT_EQ(doubled.rates(), (Rates{50}));
}

TEST(MaxMin, a_link_that_carries_no_fraction_of_a_flow_does_not_limit_it) {
  Network n({0, 100}, {{0, 1}, {0, 1}});
  n.fraction = {0, kWholeFraction, 0, kWholeFraction};
  EXPECT_EQ(n.rates(), (Rates{50, 50}));
}

TEST(MaxMin, a_link_that_is_down_carries_nothing) {
  EXPECT_EQ(Network({0, 90}, {{0}, {0, 1}, {1}, {1}}).rates(), (Rates{0, 0, 45, 45}));
  EXPECT_EQ(Network({0}, {{0}}).rates(), (Rates{0}));
}

TEST(MaxMin, a_link_crossed_twice_counts_twice) {
  EXPECT_EQ(Network({90}, {{0, 0}, {0}}).rates(), (Rates{30, 30}));
  EXPECT_EQ(Network({90}, {{0, 0}}).rates(), (Rates{45}));
}

TEST(MaxMin, without_links_only_a_cap_limits_a_flow) {
  Network n({}, {{}, {}});
  EXPECT_EQ(n.rates(), (Rates{kUnlimitedRate, kUnlimitedRate}));
  n.cap = {5, kUnlimitedRate};
  EXPECT_EQ(n.rates(), (Rates{5, kUnlimitedRate}));
}

TEST(MaxMin, flows_tied_at_a_level_do_not_hand_their_rounding_on) {
  // Flow 0 is held at 2 by both links; whoever freezes it first, the other must not give the unit that is left to its own flow.
  EXPECT_EQ(Network({5, 5}, {{0, 1}, {0}, {1}}).rates(), (Rates{2, 2, 2}));
  // The same while link 1 still waits for flow 2, which link 2 holds at 1: what that leaves is not enough for a level of 3.
  EXPECT_EQ(Network({4, 12, 2}, {{0, 1}, {0}, {1, 2}, {2}, {1}, {1}, {1}}).rates(), (Rates{2, 2, 1, 1, 2, 2, 2}));
}

TEST(MaxMin, many_flows_are_sorted_and_get_their_own_rates) {
  // The links lie far apart, so that flows are taken as 5, 6, 0, 2, 3, 4, 1: by their first link, then by their last.
  const std::uint32_t x = 0, y = 20'000, z = 40'000;
  Network n(std::vector<std::int64_t>(50'000, 7), {{x, y}, {z}, {y, x}, {y, x, z}, {z}, {}, {x}});
  n.capacity[x] = 100, n.capacity[y] = 60, n.capacity[z] = 90;
  n.cap = {kUnlimitedRate, 10, kUnlimitedRate, kUnlimitedRate, kUnlimitedRate, 3, kUnlimitedRate};
  const std::vector<std::uint32_t> active{4, 3, 1, 5, 0, 2, 6};
  Rates rate(active.size(), -1);
  MaxMin solver(active.size());
  for (int i = 0; i < 2; i++) {
    solver.solve(n.capacity, {n.first, n.link, {}, n.cap}, active, rate);
    EXPECT_EQ(rate, (Rates{60, 20, 10, 3, 20, 20, 40}));
  }
  const std::vector<std::uint32_t> few{2, 6};  // not sorted
  rate.resize(few.size());
  solver.solve(n.capacity, {n.first, n.link, {}, n.cap}, few, rate);
  EXPECT_EQ(rate, (Rates{50, 50}));
}

TEST(MaxMin, only_active_flows_count_and_calls_leave_nothing_behind) {
  const Network n({100, 60}, {{0}, {0, 1}, {1}, {0, 1}});
  const FlowPaths paths{n.first, n.link};
  MaxMin solver;
  const std::vector<std::uint32_t> some{2, 0}, all{0, 1, 2, 3};
  Rates rate(2), rates(4);
  solver.solve(n.capacity, paths, some, rate);
  EXPECT_EQ(rate, (Rates{60, 100}));
  solver.solve(n.capacity, paths, all, rates);
  EXPECT_EQ(rates, (Rates{60, 20, 20, 20}));
  solver.solve(n.capacity, paths, some, rate);
  EXPECT_EQ(rate, (Rates{60, 100}));
}

TEST(Volumes, take_the_quotient_rounded_up) {
  Rng rng(1, "volumes", 0);
  for (int i = 0; i < 20'000; i++) {
    const std::int64_t rate = 1 + rng.below(1U << 31) * std::int64_t{rng.below(1U << 20) + 1U};
    const Int128 volume = (Int128(rng.below(1U << 31)) << rng.below(56)) + rng.below(1'000);
    const Int128 exact = (volume + rate - 1) / rate;
    if (exact > Picoseconds::max().count()) continue;
    ASSERT_EQ(time_of_volume(volume, rate).count(), static_cast<std::int64_t>(exact));
    const Int128 whole = Int128(rate) * (1 + rng.below(1'000'000));  // just below, at and above a whole quotient
    for (const int more : {-1, 0, 1})
      ASSERT_EQ(time_of_volume(whole + more, rate).count(), static_cast<std::int64_t>((whole + more + rate - 1) / rate));
  }
}

}  // namespace
}  // namespace railyard
