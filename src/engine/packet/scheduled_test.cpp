#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "engine/engine.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

constexpr BitsPerSecond kRate = 100_Gbps;

PacketPlan quiet_plan() {
  PacketPlan plan;
  plan.dcqcn.enabled = plan.ecn.enabled = false;
  plan.headroom.packet = testing::kRoceWire.packet_size(testing::kRoceWire.mtu);
  return plan;
}

/// Leaves of four hosts each.
Scenario leaves(std::uint32_t count, double oversubscription = 1, Switching switching = Switching::scheduled) {
  Scenario s = testing::leaf_spine(4 * count, 4, oversubscription, kRate, 500_ns, 300_ns);
  s.fabric.switching = switching;
  return s;
}

struct Sent {
  std::uint32_t from, to;
  Bytes size;
  std::uint32_t count = 1;  // one after the other
};

/// What an engine does of it by packets, or over flows.
struct ScheduledBench {
  Fabric fabric;
  Telemetry telemetry;
  std::unique_ptr<Engine> engine;
  std::vector<std::vector<Picoseconds>> delivered;  // by what was sent

  ScheduledBench(const Scenario& scenario, const std::vector<Sent>& all, Picoseconds until = Picoseconds::max(),
                 const PacketPlan* plan = nullptr, bool flows = false, unsigned threads = 1)
      : fabric(std::move(*testing::build_fabric(scenario))), telemetry(fabric.trunk_tier.size()) {
    const PacketPlan usual = quiet_plan();
    const PathPolicy routing = path_policy_of(scenario.routing);
    if (flows)
      engine = make_flow_engine(fabric, testing::kRoceWire, routing, {}, telemetry);
    else
      engine = make_packet_engine(fabric, testing::kRoceWire, routing, plan ? *plan : usual,
                                  {.threads = threads, .all_posted = true}, telemetry);
    std::vector<std::size_t> owner;
    std::vector<Message> messages;
    for (const Sent& one : all) {
      const QpId connection = engine->open({EndpointId(one.from), EndpointId(one.to)});
      for (std::uint32_t i = 0; i < one.count; i++) {
        messages.push_back({MessageId(static_cast<std::uint32_t>(owner.size())), connection, one.size});
        owner.push_back(delivered.size());
      }
      delivered.emplace_back();
    }
    engine->post(messages, 0_ps);
    std::vector<Completion> done;
    do {
      done.clear();
      engine->advance(until, done);
      for (const Completion& c : done) delivered[owner[c.id.index()]].push_back(c.at);
    } while (!done.empty());
    engine->finish();
  }

  [[nodiscard]] double seconds_of(std::size_t sent) const { return seconds(delivered[sent].back()); }
  [[nodiscard]] Picoseconds last() const {
    Picoseconds last;
    for (const auto& one : delivered) last = std::max(last, one.back());
    return last;
  }
  /// Messages that came in the second half of a time.
  [[nodiscard]] double late(std::size_t sent, Picoseconds time) const {
    return static_cast<double>(
        std::count_if(delivered[sent].begin(), delivered[sent].end(), [&](Picoseconds at) { return at > time / 2; }));
  }
  /// The most that waited at any port of a tier.
  [[nodiscard]] Bytes deepest(Tier tier) const {
    Bytes most;
    for (const PortId port : ids(fabric.port_from))
      if (fabric.trunk_tier[fabric.port_trunk[port]] == tier)
        most = std::max(most, telemetry.packets->ports[port].deepest * fabric.trunk_ports[fabric.port_trunk[port]].size());
    return most;
  }
  [[nodiscard]] std::uint64_t lost() const {
    return std::accumulate(telemetry.packets->drops.begin(), telemetry.packets->drops.end(), std::uint64_t{0});
  }
};

Bytes packet() { return testing::kRoceWire.packet_size(testing::kRoceWire.mtu); }

TEST(ScheduledFabric, the_first_packet_waits_for_a_credit_there_and_back) {
  for (const Picoseconds scheduler : {0_ps, 700_ns}) {
    Scenario scheduled = leaves(2, 4);  // one uplink: cells have nothing to spread over
    scheduled.fabric.credit_delay = scheduler;
    const std::vector<Sent> far = {{0, 4, 64_B}}, near = {{0, 1, 64_B}};
    const auto time = [&](const Scenario& s, const std::vector<Sent>& sent) { return ScheduledBench(s, sent).last(); };
    const Scenario usual = leaves(2, 4, Switching::store_and_forward);
    EXPECT_EQ(time(scheduled, far) - time(usual, far), 2 * 2 * (500_ns + 300_ns) + scheduler);
    EXPECT_EQ(time(scheduled, near) - time(usual, near), scheduler);
  }
}

TEST(ScheduledFabric, packets_that_follow_have_asked_meanwhile) {
  const Bytes size = 4_MiB;
  const Bytes wire = testing::kRoceWire.wire_size(size);
  const ScheduledBench bench(leaves(2), {{0, 4, size}});
  EXPECT_NEAR(seconds(bench.last()), seconds(transmit_time(wire, kRate)), 8e-6);
}

TEST(ScheduledFabric, n_senders_get_an_nth_each_and_wait_where_they_come_in) {
  constexpr Picoseconds kTime = 2000_us;
  for (const std::uint32_t n : {2U, 4U, 7U}) {
    std::vector<Sent> senders;
    for (std::uint32_t i = 1; i <= n; i++) senders.push_back({4 * i, 0, 16_KiB, 1600});
    PacketPlan plan = quiet_plan();
    plan.buffer.size = 1_GiB;
    const ScheduledBench bench(leaves(8), senders, kTime, &plan);
    const ScheduledBench usual(leaves(8, 1, Switching::store_and_forward), senders, kTime, &plan);
    const double line = static_cast<double>(bytes_in(kTime / 2, kRate).count()) /
                        static_cast<double>(testing::kRoceWire.wire_size(16_KiB).count());
    double sum = 0;
    for (std::uint32_t i = 0; i < n; i++) {
      EXPECT_NEAR(bench.late(i, kTime) / (line / n), 1, 0.02) << n;
      sum += bench.late(i, kTime);
    }
    EXPECT_NEAR(sum / line, 1, 0.005) << n;
    EXPECT_EQ(bench.lost(), 0U);
    EXPECT_EQ(bench.telemetry.packets->pauses, 0U);
    EXPECT_LE(bench.deepest(Tier::host_down), packet() * 8);
    EXPECT_LE(bench.deepest(Tier::leaf_down), packet() * n);
    const PacketRecord& packets = *bench.telemetry.packets;
    const std::span<const VirtualQueueRecord> queues(packets.deepest_virtual_queues);
    ASSERT_GT(queues.size(), n);
    for (const VirtualQueueRecord& one : queues.first(n)) EXPECT_GE(one.deepest, 1_MiB / n) << "a sender's data";
    for (const VirtualQueueRecord& one : queues.subspan(n)) EXPECT_LE(one.deepest, packet()) << "ACKs on their way back";
    EXPECT_GE(usual.deepest(Tier::host_down), 1_MiB) << "where nobody waits for credit it is the last switch that they wait at";
  }
}

TEST(ScheduledFabric, switches_get_the_same_and_not_senders) {
  constexpr Picoseconds kTime = 2000_us;
  const ScheduledBench bench(leaves(3), {{4, 0, 64_KiB, 400}, {8, 0, 64_KiB, 400}, {9, 0, 64_KiB, 400}, {10, 0, 64_KiB, 400}},
                             kTime);
  const double all = bench.late(0, kTime) + bench.late(1, kTime) + bench.late(2, kTime) + bench.late(3, kTime);
  EXPECT_NEAR(bench.late(0, kTime) / all, 1.0 / 2, 0.01);
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_NEAR(bench.late(i, kTime) / all, 1.0 / 6, 0.01);
}

/// Four hosts send to four others: what their leaf's links take, less headers of cells.
TEST(ScheduledFabric, cells_take_all_links_alike) {
  const Bytes size = 2_MiB;
  for (const double overhead : {0.0, 0.2}) {
    Scenario scenario = leaves(2);
    scenario.fabric.cell_overhead = overhead;
    const ScheduledBench bench(scenario, {{0, 4, size}, {1, 5, size}, {2, 6, size}, {3, 7, size}});
    const double line = seconds(transmit_time(testing::kRoceWire.wire_size(size), kRate)) / (1 - overhead);
    for (std::size_t i = 0; i < 4; i++) EXPECT_NEAR(bench.seconds_of(i), line, 8e-6) << overhead;
    for (const PortId port : ids(bench.fabric.port_from)) {
      const TrunkId trunk = bench.fabric.port_trunk[port];
      if (bench.fabric.trunk_tier[trunk] != Tier::leaf_up) continue;
      const PortId first = bench.fabric.trunk_ports[trunk].front();
      EXPECT_NEAR(static_cast<double>(bench.telemetry.port_carried[port].count()),
                  static_cast<double>(bench.telemetry.port_carried[first].count()), 1);
    }
  }
}

/// A leaf with one link sends to hosts of another, one of which a third leaf sends to as well: that gets what is left.
TEST(ScheduledFabric, what_a_queue_cannot_use_others_get) {
  constexpr Picoseconds kTime = 4000_us;
  Scenario scenario = leaves(3, 4);
  const ScheduledBench bench(scenario, {{0, 4, 64_KiB, 800}, {1, 5, 64_KiB, 800}}, kTime);
  EXPECT_NEAR(bench.late(0, kTime) / bench.late(1, kTime), 1, 0.02);
  const double line = static_cast<double>(bytes_in(kTime / 2, kRate).count()) /
                      static_cast<double>(testing::kRoceWire.wire_size(64_KiB).count());
  EXPECT_NEAR((bench.late(0, kTime) + bench.late(1, kTime)) / line, 1, 0.01);
  // The own leaf of a receiver needs no link of the fabric.
  const ScheduledBench beside(scenario, {{0, 4, 64_KiB, 800}, {1, 5, 64_KiB, 800}, {6, 4, 64_KiB, 800}}, kTime);
  EXPECT_NEAR(beside.late(0, kTime) / line, 0.5, 0.02);
  EXPECT_NEAR(beside.late(1, kTime) / line, 0.5, 0.02);
  EXPECT_NEAR(beside.late(2, kTime) / line, 0.5, 0.02);
}

/// As far as senders and queues are the same in number.
TEST(ScheduledFabric, flows_say_the_same_within_five_per_cent) {
  const Bytes size = 2_MiB;
  const std::vector<std::vector<Sent>> cases = {
      {{0, 4, size}, {1, 5, size}, {2, 8, size}, {3, 9, size}, {6, 1, size}},
      {{4, 0, size}, {8, 0, size}, {12, 0, size}, {13, 5, size}, {5, 12, size}},
      {{0, 4, size}, {4, 8, size}, {8, 12, size}, {12, 0, size}, {1, 8, size}, {9, 0, size}},
  };
  for (const double oversubscription : {1.0, 2.0, 4.0})
    for (const auto& sent : cases) {
      const Scenario scenario = leaves(4, oversubscription);
      const ScheduledBench packets(scenario, sent), flows(scenario, sent, Picoseconds::max(), nullptr, true);
      for (std::size_t i = 0; i < sent.size(); i++)
        EXPECT_NEAR(packets.seconds_of(i) / flows.seconds_of(i), 1, 0.05) << oversubscription << ": " << i;
      EXPECT_EQ(packets.lost(), 0U);
    }
}

TEST(ScheduledFabric, nobody_waits_behind_what_a_slow_host_does_not_take) {
  PacketPlan plan = quiet_plan();
  plan.slow.push_back({0, 5_Gbps});
  const std::vector<Sent> sent = {{4, 0, 4_MiB}, {5, 1, 4_MiB}, {8, 0, 4_MiB}, {9, 2, 4_MiB}};
  const ScheduledBench bench(leaves(3), sent, Picoseconds::max(), &plan);
  const double line = seconds(transmit_time(testing::kRoceWire.wire_size(4_MiB), kRate));
  EXPECT_NEAR(bench.seconds_of(1), line, 8e-6);
  EXPECT_NEAR(bench.seconds_of(3), line, 8e-6);
  EXPECT_NEAR(bench.seconds_of(0), line * 2 * 20, line * 2);
  EXPECT_EQ(bench.lost(), 0U);
}

TEST(ScheduledFabric, classes_share_credit_by_weight) {
  PacketPlan plan = quiet_plan();
  plan.classes[kBackgroundClass].weight = 150;  // three times that of data
  const Scenario scenario = leaves(3);
  const Fabric fabric = std::move(*testing::build_fabric(scenario));
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine = make_packet_engine(fabric, testing::kRoceWire, path_policy_of(scenario.routing), plan,
                                         {.threads = 1, .all_posted = true}, telemetry);
  std::vector<Message> messages;
  for (std::uint32_t i = 0; i < 2; i++) {
    const QpId connection =
        engine->open(QueuePair{EndpointId(4 + 4 * i), EndpointId(0), i == 0 ? kDataClass : kBackgroundClass});
    for (std::uint32_t k = 0; k < 400; k++) messages.push_back({MessageId(2 * k + i), connection, 64_KiB});
  }
  engine->post(messages, 0_ps);
  std::vector<Completion> done;
  std::vector<double> got(2);
  do {
    done.clear();
    engine->advance(2000_us, done);
    for (const Completion& c : done)
      if (c.at > 1000_us) got[c.id.index() % 2]++;
  } while (!done.empty());
  EXPECT_NEAR(got[1] / (got[0] + got[1]), 0.75, 0.02);
}

TEST(ScheduledFabric, three_tiers_have_queues_of_their_own_for_every_leaf) {
  Scenario scenario = testing::servers(Topology::clos3, 48, 1, 4);
  scenario.fabric.hosts_per_pod = 16;
  scenario.fabric.switching = Switching::scheduled;
  const std::vector<Sent> sent = {{0, 16, 4_MiB}, {20, 16, 4_MiB}, {40, 16, 4_MiB}, {1, 33, 4_MiB}};
  const ScheduledBench bench(scenario, sent), two(scenario, sent, Picoseconds::max(), nullptr, false, 3);
  const double line = seconds(transmit_time(testing::kRoceWire.wire_size(4_MiB), 400_Gbps));
  for (const std::size_t i : {0U, 1U, 2U}) EXPECT_NEAR(bench.seconds_of(i) / (3 * line), 1, 0.06);
  EXPECT_NEAR(bench.seconds_of(3), line, 15e-6);
  EXPECT_EQ(bench.lost() + bench.telemetry.packets->pauses, 0U);
  EXPECT_EQ(bench.telemetry.fingerprint.value(), two.telemetry.fingerprint.value());
}

}  // namespace
}  // namespace railyard
