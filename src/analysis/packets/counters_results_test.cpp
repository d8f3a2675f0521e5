#include "analysis/packets/counters_results.h"

#include <gtest/gtest.h>

#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

Fabric two_hosts() { return *testing::build_fabric(testing::leaf_spine(2, 2, 1, 400_Gbps, 500_ns)); }

TEST(CounterResults, rows_are_called_by_port_priority_and_nic) {
  const Fabric fabric = two_hosts();
  PacketRecord record;
  record.priorities = {6, 3, 0, 1};
  record.port_pauses.push_back({PortId(0), 1, 2, 5, 4, 7_us});
  record.nics.push_back({NodeId(0), 1, 2, 3, 4, 5, 6, 7});
  record.nics.push_back({NodeId(1)});
  const CounterResults r = counter_results(fabric, record, 10);
  ASSERT_EQ(r.priorities.size(), 1U);
  EXPECT_EQ(r.priorities[0].priority, 3U);
  EXPECT_EQ(r.priorities[0].sent, 2U);
  EXPECT_EQ(r.priorities[0].received, 5U);
  EXPECT_EQ(r.priorities[0].transitions, 4U);
  EXPECT_DOUBLE_EQ(r.priorities[0].paused_us, 7);
  ASSERT_EQ(r.nics.size(), 1U) << "a NIC that counted nothing is left out";
  EXPECT_EQ(r.nics[0].nic, "GPU 0");
  EXPECT_EQ(r.nics[0].marked, 3U);
}

TEST(CounterResults, rows_beyond_the_limit_are_counted) {
  const Fabric fabric = two_hosts();
  PacketRecord record;
  record.priorities = {6, 3, 0, 1};
  for (std::uint8_t c = 0; c < 3; c++) record.port_pauses.push_back({PortId(0), c, 1, 0, 0, {}});
  const CounterResults r = counter_results(fabric, record, 2);
  EXPECT_EQ(r.priorities.size(), 2U);
  EXPECT_EQ(r.priorities_left_out, 1U);
}

TEST(CounterResults, time_in_queues_is_known_to_a_factor_of_two) {
  PacketRecord record;
  record.unqueued = 90;
  record.waits.assign(40, 0);
  record.waits[11] = 9;  // from 1.024 ns to 2.048 ns
  record.waits[21] = 1;  // from 1.05 us to 2.10 us
  const WaitSpread waits = wait_spread(record);
  EXPECT_EQ(waits.packets, 100U);
  EXPECT_EQ(waits.p50_ns, 0);
  EXPECT_NEAR(waits.p99_ns, 2.048, 1e-9);
  EXPECT_NEAR(waits.p999_ns, 2097.152, 1e-9);
  ASSERT_EQ(waits.buckets.size(), 3U);
  EXPECT_NEAR(waits.buckets[1].from_ns, 1.024, 1e-9);
}

}  // namespace
}  // namespace railyard
