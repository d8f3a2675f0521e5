#include <gtest/gtest.h>

#include <numeric>

#include "engine/engine.h"
#include "engine/testing.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

/// Seven hosts into one over two leaves, with a small buffer: what the engine counted.
PacketRecord incast_record(const PacketPlan& plan, unsigned threads) {
  Scenario scenario = testing::leaf_spine(8, 4, 1, 400_Gbps, 500_ns);
  scenario.routing.policy = RoutingPolicy::ecmp;
  const Fabric fabric = *testing::build_fabric(scenario);
  Telemetry telemetry(fabric.trunk_tier.size());
  const auto engine = make_packet_engine(fabric, testing::kRoceWire, path_policy_of(scenario.routing), plan,
                                         {.threads = threads, .all_posted = true}, telemetry);
  for (std::uint32_t host = 1; host < 8; host++) {
    const Message message{MessageId(host - 1), engine->open({EndpointId(host), EndpointId(0)}), 2_MiB};
    engine->post({&message, 1}, Picoseconds::zero());
  }
  std::vector<Completion> done;
  do {
    done.clear();
    engine->advance(Picoseconds::max(), done);
  } while (!done.empty());
  engine->finish();
  return *telemetry.packets;
}

PacketPlan small_buffer() {
  PacketPlan plan;
  plan.headroom.packet = testing::kRoceWire.packet_size(testing::kRoceWire.mtu);
  plan.buffer.size = 16_MiB;
  plan.buffer.alpha = 1.0 / 64;
  plan.ecn = {.enabled = true, .kmin = 100_KiB, .kmax = 400_KiB, .pmax = 0.2};
  return plan;
}

std::uint64_t sum_of(const std::vector<NicRecord>& nics, std::uint64_t NicRecord::*member) {
  return std::accumulate(nics.begin(), nics.end(), std::uint64_t{0},
                         [&](std::uint64_t sum, const NicRecord& nic) { return sum + nic.*member; });
}

TEST(PacketCounters, of_ports_and_nics_sum_up_to_those_of_the_run) {
  const PacketRecord record = incast_record(small_buffer(), 1);
  ASSERT_GT(record.pauses, 0U);
  ASSERT_GT(record.cnp_sent, 0U);
  std::uint64_t sent = 0, received = 0, transitions = 0;
  Picoseconds paused;
  for (const PortPauses& row : record.port_pauses) {
    sent += row.sent, received += row.received, transitions += row.transitions, paused += row.paused;
    EXPECT_EQ(record.priorities[row.traffic_class], 3U) << "data alone is lossless";
  }
  EXPECT_EQ(sent, record.pauses);
  EXPECT_EQ(received, record.pauses);
  EXPECT_EQ(transitions, record.resumes);
  EXPECT_EQ(paused, record.paused);
  EXPECT_EQ(sum_of(record.nics, &NicRecord::cnp_sent), record.cnp_sent);
  EXPECT_EQ(sum_of(record.nics, &NicRecord::cnp_handled), record.cnp_handled);
  EXPECT_LE(record.nics[0].marked, record.marked) << "a packet may be marked at several switches";
  EXPECT_GT(record.nics[0].marked, 0U);
  EXPECT_EQ(sum_of(record.nics, &NicRecord::marked), record.nics[0].marked) << "all of it went to one host";
  EXPECT_EQ(sum_of(record.nics, &NicRecord::out_of_sequence), 0U);
}

TEST(PacketCounters, every_data_packet_has_a_time_in_its_queue) {
  const PacketRecord record = incast_record(small_buffer(), 1);
  const std::uint64_t waited = std::accumulate(record.waits.begin(), record.waits.end(), std::uint64_t{0});
  EXPECT_EQ(record.unqueued + waited, record.depth.count());
  EXPECT_GT(waited, record.depth.count() / 2) << "seven to one: most have to wait";
  // At most the whole buffer waits for one link: 16 MiB at 400 Gb/s are 336 us, more than which 2^29 ps are.
  for (std::size_t k = 30; k < record.waits.size(); k++) EXPECT_EQ(record.waits[k], 0U) << k;
}

TEST(PacketCounters, samples_sum_up_to_the_whole_and_do_not_depend_on_threads) {
  const PacketRecord one = incast_record(small_buffer(), 1), four = incast_record(small_buffer(), 4);
  std::uint64_t pauses = 0, cnps = 0, marked = 0;
  for (const PortEvents& events : one.series.events) {
    pauses += events.pauses_sent, cnps += events.cnp_sent, marked += events.marked_in;
    EXPECT_TRUE(events.any());
  }
  EXPECT_EQ(pauses, one.pauses);
  EXPECT_EQ(cnps, one.cnp_sent);
  EXPECT_EQ(marked, one.nics[0].marked);
  ASSERT_EQ(one.series.events.size(), four.series.events.size());
  EXPECT_EQ(one.series.first_event, four.series.first_event);
  for (std::size_t i = 0; i < one.series.events.size(); i++) {
    EXPECT_EQ(one.series.events[i].port, four.series.events[i].port);
    EXPECT_EQ(one.series.events[i].cnp_sent, four.series.events[i].cnp_sent);
  }
  EXPECT_EQ(one.waits, four.waits);
}

TEST(PacketCounters, lost_packets_leave_others_out_of_sequence) {
  PacketPlan plan = small_buffer();
  plan.buffer.size = 2_MiB;
  plan.pfc.enabled = false;
  for (ClassPlan& one : plan.classes) one.lossless = false;
  plan.dcqcn.enabled = false;
  plan.nic.timeout = 100_us;
  const PacketRecord record = incast_record(plan, 1);
  EXPECT_GT(record.drops[static_cast<std::size_t>(DropReason::buffer)], 0U);
  EXPECT_GT(record.nics[0].out_of_sequence, 0U);
  EXPECT_GE(record.nics[0].out_of_sequence, record.nics[0].naks_sent);
  EXPECT_EQ(sum_of(record.nics, &NicRecord::retransmissions), record.retransmissions);
}

}  // namespace
}  // namespace railyard
