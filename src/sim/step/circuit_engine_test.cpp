// Circuits that change while messages are under way: times that can be told by hand.
#include "sim/step/circuit_engine.h"

#include <gtest/gtest.h>

#include "fabric/routes.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

constexpr Picoseconds kMirrors = 1'000_us;

/// Four pods of 16 hosts at 400 Gb/s, eight circuits on each of two spines: a circuit of a ring of pods to either side, and six
/// more to the pod that wants them.
struct Pods {
  Scenario scenario;
  Fabric fabric;
  Telemetry telemetry{0};
  std::unique_ptr<CircuitEngine> engine;

  /// Between which two pods passes and gradients send.
  Pods(std::pair<std::size_t, std::size_t> passes, std::pair<std::size_t, std::size_t> gradients, Picoseconds reconfiguration)
      : scenario(testing::servers(Topology::optical, 64, 1, 4)) {
    scenario.fabric.hosts_per_pod = 16;
    scenario.fabric.spines = 2;
    scenario.fabric.circuits = Circuits::phases;
    fabric = testing::built(scenario);
    match_circuits(fabric, scenario.fabric, demand(passes), demand(gradients));
    telemetry = Telemetry(fabric.trunk_tier.size());
    engine = std::make_unique<CircuitEngine>(make_flow_engine(fabric, {.mtu = 4096_B, .header = {}, .message_header = {}},
                                                              path_policy_of(scenario.routing), {}, telemetry),
                                             fabric, reconfiguration);
    engine->rewind(Sharing::fair);
  }

  static PodDemand demand(std::pair<std::size_t, std::size_t> pods) {
    PodDemand demand(4, std::vector<double>(4, 0));
    demand[pods.first][pods.second] = 1e9;
    return demand;
  }

  /// Every host of one pod sends to its counterpart in another.
  QpId open(std::uint32_t from, std::uint32_t to) {
    Bundle bundle;
    for (std::uint32_t i = 0; i < 16; i++) bundle.edges.push_back({EndpointId(from * 16 + i), EndpointId(to * 16 + i), 1});
    return engine->open(bundle);
  }

  /// When a message that is posted at `at` is there, less what a packet takes on its way.
  Picoseconds end_of(QpId bundle, Bytes size, Picoseconds at) {
    const Message message{MessageId(0), bundle, size};
    engine->post({&message, 1}, at);
    std::vector<Completion> done;
    engine->advance(Picoseconds::max(), done);
    EXPECT_EQ(done.size(), 1U);
    return done.front().at;
  }
};

/// Over a ring of pods by way of another one: two circuits of 400 Gb/s for sixteen hosts; and with twelve more in between.
constexpr double kRing = 50e9, kDirect = 300e9;

Bytes carried(double first_bps, Picoseconds first, double second_bps, Picoseconds second) {
  return Bytes(static_cast<std::int64_t>((first_bps * seconds(first) + second_bps * seconds(second)) / 8));
}

void expect_at(Picoseconds found, Picoseconds expected) {
  EXPECT_NEAR(seconds(found), seconds(expected), 20e-6);  // a packet on its way
}

TEST(CircuitEngine, a_phase_begins_over_what_stays_lit) {
  Pods pods({0, 2}, {1, 3}, kMirrors);
  EXPECT_EQ(pods.fabric.ways.size(), kCircuitWays);
  const QpId across = pods.open(0, 2);
  expect_at(pods.end_of(across, carried(kRing, kMirrors, kDirect, 2'000_us), Picoseconds::zero()), 3'000_us);
  EXPECT_EQ(pods.engine->changes(), 1U);
}

TEST(CircuitEngine, time_is_that_of_both_phases_and_what_changes_take) {
  const Bytes size = carried(kRing, Picoseconds::zero(), kDirect, 4'000_us);
  const auto both = [&](Picoseconds reconfiguration) {
    Pods pods({0, 2}, {1, 3}, reconfiguration);
    const QpId first = pods.open(0, 2), second = pods.open(1, 3);
    const Picoseconds passes = pods.end_of(first, size, Picoseconds::zero());
    pods.engine->begin_gradients(passes);
    const Picoseconds end = pods.end_of(second, size, passes);
    EXPECT_EQ(pods.engine->changes(), 2U);
    return end;
  };
  expect_at(both(Picoseconds::zero()), 8'000_us);
  // While circuits move, what stays carries a sixth of what they do.
  expect_at(both(kMirrors), 8'000_us + kMirrors * 2 - Picoseconds(kMirrors.count() * 2 / 6));
}

TEST(CircuitEngine, what_is_under_way_goes_on_over_other_circuits) {
  Pods pods({0, 2}, {1, 3}, kMirrors);
  const QpId across = pods.open(0, 2);
  const Message message{MessageId(0), across, carried(kRing, 3'000_us, kDirect, 2'000_us)};
  pods.engine->post({&message, 1}, kMirrors);  // lit by then
  std::vector<Completion> done;
  pods.engine->advance(3'000_us, done);
  EXPECT_TRUE(done.empty());
  pods.engine->begin_gradients(3'000_us);
  pods.engine->advance(Picoseconds::max(), done);
  ASSERT_EQ(done.size(), 1U);
  expect_at(done.front().at, 6'000_us);  // two at 300 Gb/s, then three at 50
}

TEST(CircuitEngine, changes_that_nobody_waits_for_cost_nothing) {
  Pods pods({0, 2}, {1, 3}, kMirrors);
  const QpId across = pods.open(1, 3);
  pods.engine->begin_gradients(10'000_us);
  expect_at(pods.end_of(across, carried(0, {}, kDirect, 1'000_us), 20'000_us), 21'000_us);
}

TEST(CircuitEngine, a_change_waits_for_the_one_before) {
  Pods pods({0, 2}, {1, 3}, kMirrors);
  const QpId across = pods.open(1, 3);
  pods.engine->begin_gradients(Picoseconds::zero());
  expect_at(pods.end_of(across, carried(kRing, kMirrors * 2, kDirect, 1'000_us), Picoseconds::zero()), 3'000_us);
}

TEST(CircuitEngine, equal_demands_change_nothing) {
  Pods pods({0, 2}, {0, 2}, kMirrors);
  EXPECT_TRUE(pods.fabric.ways.empty());
  const QpId across = pods.open(0, 2);
  pods.engine->begin_gradients(10_us);
  expect_at(pods.end_of(across, carried(0, {}, kDirect, 1'000_us), 10_us), 1'010_us);
  EXPECT_EQ(pods.engine->changes(), 0U);
  EXPECT_TRUE(pods.engine->lit_shares(1'000_us).empty());
}

TEST(CircuitEngine, counts_what_pods_send_in_either_phase) {
  Pods pods({0, 2}, {1, 3}, Picoseconds::zero());
  const QpId first = pods.open(0, 2), second = pods.open(1, 3),
             inside = pods.engine->open(QueuePair{EndpointId(0), EndpointId(5)});
  pods.end_of(first, 1000_B, Picoseconds::zero());
  pods.end_of(inside, 1000_B, 1'000_us);
  pods.engine->begin_gradients(2'000_us);
  pods.end_of(second, 500_B, 2'000_us);
  EXPECT_EQ(pods.engine->sent()[0][0][2], 16'000);
  EXPECT_EQ(pods.engine->sent()[0][0][0], 0);
  EXPECT_EQ(pods.engine->sent()[0][1][3], 0);
  EXPECT_EQ(pods.engine->sent()[1][1][3], 8'000);
}

/// Nothing is carried by what is dark: of a trunk that passes alone light, that and no more.
TEST(CircuitEngine, no_circuit_carries_more_than_its_light) {
  Pods pods({0, 2}, {1, 3}, kMirrors);
  const QpId across = pods.open(0, 2);
  pods.end_of(across, 500'000'000_B, Picoseconds::zero());
  pods.engine->begin_gradients(pods.engine->now());
  const Picoseconds end = pods.end_of(across, 20'000'000_B, pods.engine->now());
  pods.engine->finish();
  const std::vector<double> lit = pods.engine->lit_shares(end);
  ASSERT_FALSE(lit.empty());
  for (const CircuitBundle& bundle : pods.fabric.circuits) {
    const double most = static_cast<double>(pods.fabric.trunk_rate(bundle.there).count()) * lit[bundle.there.index()];
    EXPECT_LE(static_cast<double>(pods.telemetry.trunk_carried[bundle.there].count()) * 8 / seconds(end), most * (1 + 1e-9));
  }
}

TEST(CircuitEngine, begins_anew_after_a_rewind) {
  Pods pods({0, 2}, {1, 3}, kMirrors);
  const QpId across = pods.open(0, 2);
  const Bytes size = carried(kRing, kMirrors, kDirect, 2'000_us);
  const Picoseconds first = pods.end_of(across, size, Picoseconds::zero());
  pods.engine->begin_gradients(first);
  pods.end_of(across, size, first);
  for (const Sharing sharing : {Sharing::fair, Sharing::none}) {
    pods.engine->rewind(sharing);
    const Picoseconds again = pods.end_of(across, size, Picoseconds::zero());
    EXPECT_LE(again, first);
    EXPECT_TRUE(again == first || sharing == Sharing::none);
  }
}

TEST(Fabric, circuits_that_change_have_the_ports_of_either_phase) {
  const Pods pods({0, 2}, {1, 3}, kMirrors);
  const Fabric& f = pods.fabric;
  ASSERT_EQ(f.ways.size(), kCircuitWays);
  for (std::size_t i = 0; i < f.circuits.size(); i++) {
    const auto lit = [&](CircuitWay way) { return f.ways[static_cast<std::size_t>(way)].per_switch[i]; };
    EXPECT_EQ(f.circuits[i].per_switch, std::max(lit(CircuitWay::passes), lit(CircuitWay::gradients)));
    EXPECT_EQ(lit(CircuitWay::between), std::min(lit(CircuitWay::passes), lit(CircuitWay::gradients)));
  }
  EXPECT_EQ(rate_of_circuits(f), 400_Gbps * (4 * 2 * 2 + 6 * 2 * 2));  // a ring of four pods and one pair with six more
}

}  // namespace
}  // namespace railyard
