#include "engine/analytic/sole_spans.h"

#include <gtest/gtest.h>

#include "base/rng.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

TEST(DeliveryRun, hands_out_by_time_and_keeps_what_is_later) {
  DeliveryRun run;
  run.add(30_ns, 1);
  run.add(70_ns, 2);
  run.add(20_ns, 3);
  run.add(30_ns, 4);
  run.begin(10_ns, 60_ns);
  EXPECT_EQ(run.first_later(), 70_ns);
  std::vector<std::uint32_t> things;
  EXPECT_EQ(run.next(), 20_ns);
  run.take(things);
  EXPECT_EQ(things, std::vector<std::uint32_t>{3});
  EXPECT_EQ(run.next(), 30_ns);
  run.take(things);
  std::sort(things.begin(), things.end());
  EXPECT_EQ(things, (std::vector<std::uint32_t>{1, 3, 4}));
  EXPECT_EQ(run.next(), kNever);
  run.add(65_ns, 5);
  run.begin(60_ns, 110_ns);
  EXPECT_EQ(run.next(), 65_ns);
  std::vector<std::pair<Picoseconds, std::uint32_t>> left;
  run.add(200_ns, 6);
  run.release([&](Picoseconds at, std::uint32_t thing) { left.emplace_back(at, thing); });
  EXPECT_EQ(left, (std::vector<std::pair<Picoseconds, std::uint32_t>>{{65_ns, 5}, {70_ns, 2}, {200_ns, 6}}));
  EXPECT_EQ(run.first_later(), kNever);
}

TEST(SpanEnds, takes_what_ends_before_a_time_and_tells_whether_more_is_there) {
  SpanEnds ends;
  ends.begin(40, [](std::uint32_t group) { return group % 2 == 0 ? Picoseconds(100 + group) : kNever; });
  EXPECT_EQ(ends.not_before(), Picoseconds(100));
  EXPECT_TRUE(ends.take_before(Picoseconds(105)));
  ASSERT_EQ(ends.taken().size(), 3U);
  EXPECT_EQ(ends.taken()[2].group, 4U);
  EXPECT_EQ(ends.taken()[2].at, Picoseconds(104));
  EXPECT_EQ(ends.at(4), kNever);
  EXPECT_EQ(ends.not_before(), Picoseconds(106));
  ends.set(3, Picoseconds(50));
  EXPECT_EQ(ends.not_before(), Picoseconds(50));
  EXPECT_FALSE(ends.take_before(Picoseconds(1000)));
  EXPECT_EQ(ends.taken().size(), 18U);
  EXPECT_EQ(ends.not_before(), kNever);
}

/// An engine whose messages go on and on: a message that is delivered lets its connection's receiver send.
struct SpansCase {
  Fabric fabric;
  Telemetry telemetry;
  std::unique_ptr<Engine> engine;
  Rng rng;
  std::vector<QpId> connections;
  std::uint32_t posted = 0;
  Picoseconds last_post = {};
  std::vector<std::tuple<std::uint32_t, Picoseconds>> seen;

  static constexpr std::uint32_t kLeaf = 8;

  /// On the last leaf connections are opened, on which nothing is sent, that share more than one link, if wanted: then groups
  /// are not all there is, and everything is played from one end to the next.
  SpansCase(const Scenario& scenario, std::uint64_t seed, bool one_by_one)
      : fabric(std::move(*testing::build_fabric(scenario))),
        telemetry(fabric.trunk_tier.size()),
        engine(make_analytic_engine(fabric, testing::kRoceWire, path_policy_of(scenario.routing), telemetry)),
        rng(seed, "spans", 0) {
    const std::uint32_t hosts = scenario.fabric.endpoints - kLeaf, leaves = hosts / kLeaf;
    const bool dealt = leaves > 1 && rng.below(4) > 0;  // from one leaf to one other: who meets on one link meets on no other
    const std::uint32_t many = dealt ? hosts : 2 + rng.below(6), apart = dealt ? kLeaf * (1 + rng.below(leaves - 1)) : 0;
    for (std::uint32_t i = 0; i < many; i++) {
      const std::uint32_t from = dealt ? i : rng.below(hosts);
      const std::uint32_t to = (from + (dealt ? apart : 1 + rng.below(hosts - 1))) % hosts;
      connections.push_back(open(from, to));
    }
    if (!one_by_one) return;
    open(hosts, hosts + 1), open(hosts + 2, hosts + 1), open(hosts, hosts + 3);
  }

  QpId open(std::uint32_t from, std::uint32_t to) { return engine->open({EndpointId(from), EndpointId(to)}); }

  void post(std::uint32_t connection, Picoseconds later = {}) {
    last_post = std::max(last_post, engine->now()) + later;
    constexpr std::int64_t kSizes[] = {0, 1, 5000, 100'000, 100'000, 100'000, 262'144, 1'000'000};
    const Message message{MessageId(posted++), connections[connection], Bytes(kSizes[rng.below(8)])};
    engine->post({&message, 1}, last_post);
  }

  /// `most` messages, which are posted ahead at first and then as others are delivered or as time stands still between.
  void run(std::uint32_t most, bool rates_change) {
    std::vector<Completion> done;
    for (std::uint32_t i = 0; i < connections.size(); i++) post(i, Picoseconds(rng.below(2'000'000)) * (i % 2));
    for (std::uint32_t step = 0; seen.size() < posted; step++) {
      done.clear();
      const bool stops = rng.below(4) == 0;
      engine->advance(stops ? engine->now() + Picoseconds(rng.below(4'000'000)) : kNever, done);
      if (done.empty() && !stops) FAIL() << "nothing is delivered any more";
      for (const Completion& one : done) seen.emplace_back(one.id.index(), one.at);
      for (std::size_t i = 0; i < done.size(); i++)
        for (std::uint32_t more = rng.below(3); more > 0 && posted < most; more--)
          post(rng.below(static_cast<std::uint32_t>(connections.size())));
      if (done.empty() && rng.below(2) == 0 && posted < most) post(0);
      if (rates_change && seen.size() > most / 2 && last_post <= engine->now())
        engine->set_rate(PortId(0), 50_Gbps, engine->now()), rates_change = false;
    }
    engine->finish();
  }
};

Scenario spans_scenario(Rng& rng) {
  Scenario scenario = testing::leaf_spine(8 * (2 + rng.below(5)), SpansCase::kLeaf, rng.below(2) == 0 ? 1 : 2, 400_Gbps,
                                          Picoseconds(rng.below(3) * 200'000), Picoseconds(rng.below(3) * 400'000));
  scenario.routing.policy = RoutingPolicy::ecmp;
  return scenario;
}

void expect_same(const SpansCase& spans, const SpansCase& ends) {
  ASSERT_EQ(spans.seen, ends.seen);
  EXPECT_EQ(spans.telemetry.fingerprint.text(), ends.telemetry.fingerprint.text());
  for (const TrunkId trunk : ids(spans.telemetry.trunk_carried)) {
    EXPECT_EQ(spans.telemetry.trunk_carried[trunk], ends.telemetry.trunk_carried[trunk]);
    EXPECT_EQ(spans.telemetry.trunk_path_time[trunk], ends.telemetry.trunk_path_time[trunk]);
  }
}

TEST(SoleSpans, deliver_what_playing_from_one_end_to_the_next_delivers) {
  for (std::uint64_t seed = 0; seed < 300; seed++) {
    Rng rng(seed, "fabric", 0);
    const Scenario scenario = spans_scenario(rng);
    SpansCase spans(scenario, seed, false), ends(scenario, seed, true);
    const bool rates_change = rng.below(4) == 0;
    spans.run(600, rates_change);
    ends.run(600, rates_change);
    expect_same(spans, ends);
    if (HasFailure()) FAIL() << "seed " << seed;
  }
}

}  // namespace
}  // namespace railyard
