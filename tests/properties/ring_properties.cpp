// Rings on random fabrics: closed form where there is one, physical bounds everywhere.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fabric/testing.h"
#include "sim/simulate.h"

namespace railyard {
namespace {

auto simulated(Scenario scenario, Bytes size) {
  scenario.workload.collective->sizes = {size};
  Progress progress;
  return simulate(scenario, {.threads = 1}, progress);
}

RC_GTEST_PROP(Ring, on_any_star_equals_the_closed_form, ()) {
  const auto n = *rc::gen::inRange<std::uint32_t>(2, 40);
  const Bytes size(*rc::gen::inRange<std::int64_t>(1, 100'000'000));
  const BitsPerSecond rate(*rc::gen::inRange<std::int64_t>(1'000'000'000, 1'600'000'000'000));
  const Picoseconds link(*rc::gen::inRange<std::int64_t>(0, 10'000'000)),
      inside(*rc::gen::inRange<std::int64_t>(0, 10'000'000));
  const auto run = simulated(testing::star(n, rate, link, inside), size);
  RC_ASSERT(run.has_value());
  const Bytes chunk((size.count() + n - 1) / n);
  const Picoseconds round =
      transmit_time(run->wire.wire_size(chunk), rate) + transmit_time(run->wire.packet_size(chunk), rate) + link * 2 + inside;
  RC_ASSERT(run->collectives[0].time == round * (2 * (std::int64_t{n} - 1)));
}

RC_GTEST_PROP(Ring, on_any_leaf_spine_keeps_to_physics_and_repeats_itself, ()) {
  const auto per_leaf = *rc::gen::inRange<std::uint32_t>(1, 9);
  const auto hosts = *rc::gen::inRange<std::uint32_t>(2, 40);
  const auto uplinks = *rc::gen::inRange<std::uint32_t>(1, per_leaf + 1);
  Scenario scenario = testing::leaf_spine(hosts, per_leaf, static_cast<double>(per_leaf) / uplinks, 400_Gbps, 500_ns, 700_ns);
  scenario.placement.policy =
      *rc::gen::element(PlacementPolicy::in_order, PlacementPolicy::round_robin, PlacementPolicy::random);
  scenario = testing::seeded(scenario, *rc::gen::arbitrary<std::uint64_t>());
  scenario.fabric.switching = *rc::gen::element(Switching::cut_through, Switching::store_and_forward);
  const Bytes size(*rc::gen::inRange<std::int64_t>(1, 10'000'000));
  const auto run = simulated(scenario, size), again = simulated(scenario, size);
  RC_ASSERT(run.has_value() && again.has_value());  // simulate() itself stops if a bound is beaten or a byte is missing
  RC_ASSERT(run->fingerprint == again->fingerprint);
  RC_ASSERT(run->collectives[0].time >= run->collectives[0].bound);
}

RC_GTEST_PROP(Ring, a_faster_fabric_is_never_slower, ()) {
  const auto hosts = *rc::gen::inRange<std::uint32_t>(2, 33);
  const Bytes size(*rc::gen::inRange<std::int64_t>(1, 10'000'000));
  Scenario scenario = testing::star(hosts, 100_Gbps, 500_ns);
  const auto slow = simulated(scenario, size);
  scenario.fabric.link_rate = 200_Gbps;
  const auto fast = simulated(scenario, size);
  RC_ASSERT(fast->collectives[0].time <= slow->collectives[0].time);
}

}  // namespace
}  // namespace railyard
