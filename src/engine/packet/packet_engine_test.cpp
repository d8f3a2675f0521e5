#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "base/quantity_text.h"
#include "engine/engine.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"
#include "plan/headroom.h"
#include "scenario/resolve/dcqcn_presets.h"

namespace railyard {
namespace {

/// A fabric, the packet engine on it, and what it did.
struct PacketBench {
  Fabric fabric;
  Telemetry telemetry;
  std::unique_ptr<Engine> engine;
  std::vector<QpId> connections;  // by message
  std::vector<Picoseconds> delivered;

  PacketBench(const Scenario& scenario, const PacketPlan& plan)
      : fabric(std::move(*testing::build_fabric(scenario))),
        telemetry(fabric.trunk_tier.size()),
        engine(make_packet_engine(fabric, testing::kRoceWire, path_policy_of(scenario.routing), plan,
                                  {.threads = 1, .all_posted = true}, telemetry)) {}

  /// `count` messages one after the other from `at` on.
  void send(std::uint32_t from, std::uint32_t to, Bytes size, Picoseconds at, std::uint32_t count = 1) {
    const QpId connection = engine->open({EndpointId(from), EndpointId(to)});
    std::vector<Message> messages;
    for (std::uint32_t i = 0; i < count; i++) {
      messages.push_back({MessageId(static_cast<std::uint32_t>(connections.size())), connection, size});
      connections.push_back(connection);
    }
    engine->post(messages, at);
  }

  void run(Picoseconds until) {
    delivered.assign(connections.size(), Picoseconds::max());
    std::vector<Completion> done;
    do {
      done.clear();
      engine->advance(until, done);
      for (const Completion& one : done) delivered[one.id.index()] = one.at;
    } while (!done.empty());
    engine->finish();
  }

  /// Bytes of messages of `size` that arrived between two instants, by connection.
  [[nodiscard]] std::vector<double> received(Bytes size, Picoseconds from, Picoseconds until) const {
    std::vector<double> bytes(connections.back().index() + 1);
    for (std::size_t i = 0; i < delivered.size(); i++)
      if (delivered[i] > from && delivered[i] <= until) bytes[connections[i].index()] += static_cast<double>(size.count());
    return bytes;
  }
  [[nodiscard]] std::uint64_t drops(DropReason reason) const {
    return telemetry.packets->drops[static_cast<std::size_t>(reason)];
  }
};

/// Jain's index: 1 if all have as much, 1/n if one has all.
double fairness(const std::vector<double>& shares) {
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  const double squares = std::inner_product(shares.begin(), shares.end(), shares.begin(), 0.0);
  return sum * sum / (static_cast<double>(shares.size()) * squares);
}

PacketPlan plan_of(DcqcnPreset preset, BitsPerSecond rate) {
  const DcqcnSet set = dcqcn_set(preset, rate);
  PacketPlan plan;
  plan.dcqcn = set.dcqcn;
  plan.ecn = set.ecn.value_or(EcnPlan{.enabled = true, .kmin = 1_MiB, .kmax = 2_MiB, .pmax = 0.05});
  plan.headroom.packet = testing::kRoceWire.packet_size(testing::kRoceWire.mtu);
  return plan;
}

/// `flows` into one host, `apart` after one another; what each gets in the second half of `time`.
std::vector<double> shares_of(std::uint32_t flows, Picoseconds apart, Picoseconds time, const PacketPlan& plan,
                              BitsPerSecond rate) {
  constexpr Bytes kMessage = 64_KiB;
  PacketBench bench(testing::star(flows + 1, rate, 1_us), plan);
  const auto count = static_cast<std::uint32_t>(bytes_in(time, rate) / kMessage) + 1;
  for (std::uint32_t i = 0; i < flows; i++) bench.send(i + 1, 0, kMessage, apart * i, count);
  bench.run(time);
  EXPECT_EQ(bench.drops(DropReason::headroom) + bench.drops(DropReason::buffer), 0U);
  return bench.received(kMessage, time / 2, time);
}

TEST(Dcqcn, two_long_flows_converge_to_a_fair_share) {
  for (const DcqcnPreset preset : {DcqcnPreset::paper, DcqcnPreset::hpcc, DcqcnPreset::hpcc_paper}) {
    const std::vector<double> got = shares_of(2, 5000_us, 100000_us, plan_of(preset, 40_Gbps), 40_Gbps);
    EXPECT_GE(fairness(got), 0.98) << name_of(preset) << ": " << got[0] << ", " << got[1];
    const double line = static_cast<double>(bytes_in(50000_us, 40_Gbps).count()) * 4096 / 4178;
    EXPECT_GE(std::accumulate(got.begin(), got.end(), 0.0), 0.85 * line) << name_of(preset);
  }
}

TEST(Dcqcn, n_long_flows_get_an_nth_each) {
  for (const std::uint32_t n : {4U, 8U}) {
    const std::vector<double> got = shares_of(n, 1000_us, 100000_us, plan_of(DcqcnPreset::paper, 40_Gbps), 40_Gbps);
    EXPECT_GE(fairness(got), 0.98) << n;
    const double mean = std::accumulate(got.begin(), got.end(), 0.0) / n;
    for (const double share : got) EXPECT_NEAR(share / mean, 1, 0.3) << n;
  }
}

/// Three hosts into one, which sends back to all of them, so that pauses wait behind packets; the buffer has next to no room
/// beyond the headroom.
PacketBench congested(BitsPerSecond rate, Picoseconds cable, Picoseconds latency, Switching switching,
                      std::optional<Bytes> headroom) {
  PacketPlan plan;
  plan.dcqcn.enabled = false;
  plan.ecn.enabled = false;
  plan.headroom.packet = testing::kRoceWire.packet_size(testing::kRoceWire.mtu);
  plan.buffer.size = headroom_of(plan, rate, cable) * 4 + Bytes(400'000);
  plan.buffer.headroom = headroom;
  plan.nic.timeout = 100_us;
  Scenario scenario = testing::star(4, rate, cable, latency);
  scenario.fabric.switching = switching;
  PacketBench bench(scenario, plan);
  for (std::uint32_t host = 1; host < 4; host++) {
    bench.send(host, 0, 1_MiB, Picoseconds(host * 7'001));
    bench.send(0, host, Bytes(300'000), Picoseconds::zero());
  }
  bench.run(Picoseconds::max());
  return bench;
}

TEST(Headroom, what_is_computed_never_drops_on_any_cable_at_any_speed) {
  for (const BitsPerSecond rate : {100_Gbps, 200_Gbps, 400_Gbps, 800_Gbps})
    for (const Switching switching : {Switching::cut_through, Switching::store_and_forward})
      for (const Millimetres length : {2_m, 5_m, 30_m, 40_m, 100_m, 300_m, 500_m}) {
        PacketPlan plan;
        plan.headroom.packet = testing::kRoceWire.packet_size(testing::kRoceWire.mtu);
        const Picoseconds cable = propagation_time(length);
        for (const Picoseconds latency : {0_ns, 300_ns}) {
          const PacketBench bench = congested(rate, cable, latency, switching, std::nullopt);
          EXPECT_EQ(bench.drops(DropReason::headroom), 0U) << format(rate) << " " << format(length);
          EXPECT_EQ(bench.telemetry.packets->retransmissions, 0U);
          EXPECT_GT(bench.telemetry.packets->pauses, 0U);
          EXPECT_EQ(bench.telemetry.messages, 6U);
          // What a switch is still looking at has a place of its own.
          Bytes most;
          for (const PortRecord& port : bench.telemetry.packets->ports) most = std::max(most, port.headroom_most);
          EXPECT_LE(most, headroom_of(plan, rate, cable) + bytes_in(latency, rate)) << format(rate) << " " << format(length);
        }
      }
}

TEST(PacketEngine, flowlets_of_answers_keep_to_their_own_way) {
  Scenario scenario = testing::servers(Topology::clos3, 48, 1, 4);
  scenario.fabric.hosts_per_pod = 16;
  scenario.routing.policy = RoutingPolicy::flowlet;
  PacketBench bench(scenario, PacketPlan());
  for (std::uint32_t i = 0; i < 200; i++)
    bench.send(16 + i % 16, i % 16, 20'000_B, 0_ps);  // one of them shares a row with itself
  bench.run(Picoseconds::max());
  EXPECT_EQ(bench.drops(DropReason::expired), 0U);
  EXPECT_EQ(bench.telemetry.packets->timeouts, 0U);
}

TEST(Headroom, too_little_of_it_drops) {
  for (const BitsPerSecond rate : {100_Gbps, 200_Gbps, 400_Gbps, 800_Gbps})
    for (const Millimetres length : {5_m, 300_m}) {
      const Picoseconds cable = propagation_time(length);
      PacketPlan plan;
      // Half of what arrives while a pause is under way and obeyed.
      const Bytes half = bytes_in(cable * 2 + pause_response(plan, rate), rate) / 2;
      const PacketBench bench = congested(rate, cable, 300_ns, Switching::cut_through, half);
      EXPECT_GT(bench.drops(DropReason::headroom), 0U) << format(rate) << " " << format(length);
      EXPECT_EQ(bench.telemetry.messages, 6U) << "what is lost is sent again";
    }
}

}  // namespace
}  // namespace railyard
