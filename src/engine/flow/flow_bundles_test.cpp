#include <gtest/gtest.h>

#include <map>

#include "engine/engine.h"
#include "engine/flow/testing.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/routes.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

using namespace flow_testing;

/// Edge by edge a to b, b to c, c to a.
Bundle ring(std::uint32_t a, std::uint32_t b, std::uint32_t c, bool coupled) {
  Bundle bundle{.edges = {{EndpointId(a), EndpointId(b)}, {EndpointId(b), EndpointId(c)}, {EndpointId(c), EndpointId(a)}}};
  if (coupled) bundle.flow_ends = {3};
  return bundle;
}

TEST(FlowEngine, coupled_edges_advance_at_the_pace_of_the_slowest) {
  FlowBench b(testing::star(8, kRate, 0_ns));
  b.post(0, b.open(ring(0, 1, 2, true)), kSize);
  b.post(1, b.open(3, 1), kSize);
  b.post(2, b.open(4, 1), kSize);
  b.post(3, b.open(5, 2), kSize);
  const auto at = b.times();
  for (const std::uint32_t id : {0U, 1U, 2U}) expect_near(at.at(id), after(3), 2);
  expect_near(at.at(3), after(1.5));  // what the ring does not take of its link
}

TEST(FlowEngine, uncoupled_edges_do_not_wait_for_each_other) {
  FlowBench b(testing::star(8, kRate, 0_ns));
  b.post(0, b.open(ring(0, 1, 2, false)), kSize);
  b.post(1, b.open(3, 1), kSize);
  b.post(2, b.open(4, 1), kSize);
  b.post(3, b.open(5, 2), kSize);
  const auto at = b.times();
  expect_near(at.at(0), after(3), 2);  // the last edge
  expect_near(at.at(3), after(2));     // half of its link
}

TEST(FlowEngine, quantised_all_edges_of_a_bundle_are_coupled) {
  FlowBench b(testing::star(8, kRate, 0_ns), {.exact = false, .quantum = 1_ns});
  b.post(0, b.open(ring(0, 1, 2, false)), kSize);
  b.post(1, b.open(3, 1), kSize);
  b.post(2, b.open(4, 1), kSize);
  b.post(3, b.open(5, 2), kSize);
  expect_near(b.times().at(3), after(1.5));
}

TEST(FlowEngine, edges_carry_their_shares) {
  FlowBench b(testing::star(4, kRate, 0_ns));
  Bundle bundle{.edges = {{EndpointId(0), EndpointId(1), 1}, {EndpointId(0), EndpointId(2), 0.5}}, .flow_ends = {2}};
  b.post(0, b.open(bundle), kSize);
  b.post(1, b.open(3, 2), kSize);
  const auto at = b.times();
  expect_near(at.at(0), after(1.5), 2);      // both leave by one link
  expect_near(at.at(1), after(1 + 0.5), 2);  // beside a third of a link
}

TEST(FlowEngine, hops_carry_their_shares_and_add_no_latency) {
  FlowBench b(testing::star(4, kRate, 0_ns));
  const auto up = [&](std::uint32_t host) { return host_up_trunk(b.fabric, InterfaceId(host)); };
  const TrunkId down = host_down_trunk(b.fabric, InterfaceId(2));
  b.post(0, b.open(Bundle{.hops = {{up(0)}, {up(1)}, {down, 0.5}}, .flow_ends = {3}}), kSize);
  b.post(1, b.open(3, 2), kSize);
  const auto at = b.times();
  expect_near(at.at(0), after(1.5) - kStored, 2);  // a third of the link to host 2 for half of its bytes
  expect_near(at.at(1), after(1.5), 2);
}

TEST(FlowEngine, hops_take_the_links_of_a_trunk_that_are_up) {
  FlowBench b(hashed());
  const TrunkId trunk = b.fabric.blocks[b.fabric.leaf_of(EndpointId(0))].up;
  const QpId hops = b.open(Bundle{.hops = {{trunk}}});
  b.engine->set_rate(b.fabric.trunk_ports[trunk].front(), 0_bps, 0_ns);
  b.post(0, hops, kSize * 7);
  expect_near(b.times().at(0), transmit_time(kSize, kRate), 2);  // seven of eight
}

TEST(FlowEngine, lower_classes_get_what_higher_ones_leave) {
  const Bundle first{.edges = {{EndpointId(0), EndpointId(1)}}},
      second{.edges = {{EndpointId(2), EndpointId(1)}}, .priority = 1};
  FlowBench alone(testing::star(4, kRate, 0_ns));
  alone.post(0, alone.open(first), kSize);
  alone.post(1, alone.open(second), kSize);
  const auto one = alone.times();
  expect_near(one.at(0), after(1));
  expect_near(one.at(1), after(2), 2);
  // Half of what is served first goes elsewhere, until that ends.
  FlowBench shared(testing::star(4, kRate, 0_ns));
  shared.post(0, shared.open(first), kSize);
  shared.post(1, shared.open(second), kSize * 2);
  shared.post(2, shared.open({.edges = {{EndpointId(0), EndpointId(3)}}}), kSize);
  const auto both = shared.times();
  expect_near(both.at(0), after(2));
  expect_near(both.at(1), after(3), 2);
}

TEST(FlowEngine, a_port_that_degrades_slows_what_is_on_it_from_then_on) {
  for (const bool exact : {true, false}) {
    FlowBench b(testing::star(2, kRate, 0_ns), {.exact = exact});
    b.engine->set_rate(b.up(0), 25_Gbps, 1000_us);
    b.engine->set_rate(b.up(0), 50_Gbps, 2000_us);
    b.engine->set_rate(b.up(0), kRate, 3000_us);
    b.post(0, b.open(0, 1), kSize);
    expect_near(b.times().at(0), after(1.5 + 0.125), 4);  // a half, an eighth, a quarter, an eighth
  }
}

TEST(FlowEngine, what_is_unreachable_waits_until_the_port_is_back) {
  for (const RoutingPolicy policy : {RoutingPolicy::spray, RoutingPolicy::ecmp}) {
    Scenario scenario = testing::star(3, kRate, 0_ns);
    scenario.routing.policy = policy;
    FlowBench b(scenario);
    b.engine->set_rate(b.down(1), 0_bps, 500_us);
    b.post(0, b.open(0, 1), kSize);
    b.post(1, b.open(0, 2), kSize);
    std::vector<Completion> done;
    const Picoseconds other = b.engine->advance(Picoseconds::max(), done);
    expect_near(other, after(1.125), 2);  // a quarter of the time at half the rate
    EXPECT_EQ(done.size(), 1U);
    EXPECT_EQ(b.engine->advance(10'000'000_us, done), 10'000'000_us);
    EXPECT_EQ(done.size(), 1U) << "nothing else is delivered";
    b.engine->set_rate(b.down(1), kRate, 10'000'000_us);
    expect_near(b.times().at(0), 10'000'000_us + after(0.875), 3);
  }
}

TEST(FlowEngine, traffic_takes_another_path_around_a_port_that_is_down) {
  FlowBench b(hashed());
  const PortId uplink = path_of(b, 0, 8)[1];
  b.engine->set_rate(uplink, 0_bps, 1000_us);
  b.post(0, b.open(0, 8), kSize);
  expect_near(b.times().at(0), after(1) - kStored, 2);
  b.engine->finish();
  EXPECT_EQ(b.telemetry.port_carried[uplink].count(), kSize.count() / 2) << "what it carried until then";
}

TEST(FlowEngine, trunks_with_a_port_down_are_shared_by_all_that_cross_them) {
  Scenario scenario = hashed();
  scenario.routing.policy = RoutingPolicy::spray;
  FlowBench b(scenario);
  const PortId uplink = b.fabric.trunk_ports[b.fabric.blocks[b.fabric.leaf_of(EndpointId(0))].up].front();
  b.engine->set_rate(uplink, 0_bps, 0_ns);
  for (std::uint32_t i = 0; i < 8; i++) b.post(i, b.open(i, i + 8), kSize * 7);
  for (const auto& [id, at] : b.times()) expect_near(at, after(8) - kStored, 2);
}

}  // namespace
}  // namespace railyard
