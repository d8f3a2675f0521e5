#include "engine/rates/incremental.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

TEST(LinkMembers, leaves_no_gaps_and_reuses_what_was_left) {
  LinkMembers members;
  members.resize(2, 10);
  for (std::uint32_t i = 0; i < 5; i++) members.add(0, {i + 100, i});
  members.add(1, {105, 5});
  members.remove(0, 1);
  members.remove(0, 4);
  members.remove(0, 0);
  ASSERT_EQ(members.of(0).size(), 2U);
  EXPECT_EQ(members.of(0)[0].flow + members.of(0)[1].flow, 102U + 103U);
  ASSERT_EQ(members.of(1).size(), 1U);
  EXPECT_EQ(members.of(1)[0].flow, 105U);
}

/// Flows 0 and 1 share link 0, flows 1 and 2 link 1.
struct Chain {
  std::vector<std::int64_t> capacity{100, 300};
  std::vector<std::uint32_t> first{0, 1, 3, 4}, link{0, 0, 1, 1};
  IncrementalMaxMin rates{capacity, FlowPaths{first, link}};
};

TEST(IncrementalMaxMin, a_flow_that_comes_takes_its_share_and_gives_it_back) {
  Chain chain;
  chain.rates.add(1);
  chain.rates.add(2);
  chain.rates.solve();
  EXPECT_EQ(chain.rates.rate(1), 100);
  EXPECT_EQ(chain.rates.rate(2), 200);
  chain.rates.add(0);
  chain.rates.solve();
  EXPECT_EQ(chain.rates.rate(0), 50);
  EXPECT_EQ(chain.rates.rate(1), 50);
  EXPECT_EQ(chain.rates.rate(2), 250);
  chain.rates.remove(1);
  chain.rates.solve();
  EXPECT_EQ(chain.rates.rate(0), 100);
  EXPECT_EQ(chain.rates.rate(2), 300);
}

TEST(IncrementalMaxMin, says_whose_rate_changed) {
  Chain chain;
  chain.rates.add(0);
  chain.rates.add(2);
  chain.rates.solve();
  EXPECT_EQ(chain.rates.changed().size(), 2U);
  chain.rates.remove(0);
  chain.rates.solve();
  EXPECT_TRUE(chain.rates.changed().empty());  // nobody shared a link with it, and it is gone
}

TEST(IncrementalMaxMin, follows_a_capacity) {
  Chain chain;
  chain.rates.add(1);
  chain.rates.add(2);
  chain.rates.solve();
  chain.capacity[0] = 0;
  chain.rates.capacity_changed(0);
  chain.rates.solve();
  EXPECT_EQ(chain.rates.rate(1), 0);
  EXPECT_EQ(chain.rates.rate(2), 300);
}

TEST(IncrementalMaxMin, takes_flows_that_are_described_later) {
  Chain chain;
  chain.rates.add(1);
  chain.rates.solve();
  chain.link.push_back(1);
  chain.first.push_back(5);
  chain.rates.bind(chain.capacity, FlowPaths{chain.first, chain.link});
  chain.rates.add(3);
  chain.rates.solve();
  EXPECT_EQ(chain.rates.rate(1), 100);
  EXPECT_EQ(chain.rates.rate(3), 200);
}

/// Everybody sends to everybody, and receivers hold them back.
struct Incasts {
  static constexpr std::uint32_t kHosts = 16;
  Incasts() : capacity(kHosts, 1'000'000) {
    capacity.resize(2 * kHosts, 16'000);
    for (std::uint32_t flow = 0; flow < kHosts * kHosts; flow++) {
      link.push_back(flow / kHosts);
      link.push_back(kHosts + flow % kHosts);
      first.push_back(static_cast<std::uint32_t>(link.size()));
      active.push_back(flow);
    }
    rates.restart(capacity, paths(), active, std::vector<std::int64_t>(active.size(), 1'000));
  }
  [[nodiscard]] FlowPaths paths() const { return {.first = first, .link = link}; }

  std::vector<std::int64_t> capacity;
  std::vector<std::uint32_t> first{0}, link, active;
  IncrementalMaxMin rates;
};

TEST(IncrementalMaxMin, does_not_look_at_links_that_stay_idle) {
  Incasts all;
  all.rates.remove(0);
  ASSERT_TRUE(all.rates.solve());
  EXPECT_EQ(all.rates.links_visited(), 1U);  // the receiver's; the senders' have room whatever it gives
  EXPECT_EQ(all.rates.rate(Incasts::kHosts), 16'000 / 15);
  all.rates.add(0);
  ASSERT_TRUE(all.rates.solve());
  EXPECT_EQ(all.rates.rate(Incasts::kHosts), 1'000);
}

TEST(IncrementalMaxMin, a_link_that_becomes_full_is_seen) {
  Incasts all;
  all.capacity[3] = 16'050;
  all.rates.capacity_changed(3);
  ASSERT_TRUE(all.rates.solve());
  EXPECT_EQ(all.rates.rate(3 * Incasts::kHosts), 1'000);
  all.rates.remove(0);  // its receiver has 66 more for everybody, and sender 3 only 50 in all
  ASSERT_TRUE(all.rates.solve());
  EXPECT_EQ(all.rates.rate(3 * Incasts::kHosts), 1'050);
  EXPECT_EQ(all.rates.rate(4 * Incasts::kHosts), (16'000 - 1'050) / 14);
}

TEST(IncrementalMaxMin, gives_up_when_told_and_starts_again) {
  Incasts all;
  all.rates.remove(0);
  EXPECT_FALSE(all.rates.solve(10));
  all.rates.restart(all.capacity, all.paths(), all.active, std::vector<std::int64_t>(all.active.size(), 1'000));
  EXPECT_EQ(all.rates.rate(0), 1'000);
  all.rates.remove(1);
  EXPECT_TRUE(all.rates.solve(1'000));
  EXPECT_EQ(all.rates.rate(Incasts::kHosts + 1), 16'000 / 15);
}

}  // namespace
}  // namespace railyard
