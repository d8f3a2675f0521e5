#include "sim/traffic/lone_message.h"

#include <gtest/gtest.h>

#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

const WireFormat kWire{.mtu = 4096_B, .header = 82_B, .message_header = 16_B};

Fabric fabric_of(Switching switching) {
  Scenario scenario = testing::leaf_spine(4, 2, 1, 400_Gbps, 500_ns);
  scenario.fabric.switching = switching;
  return *testing::build_fabric(scenario);
}

Picoseconds alone(const Fabric& fabric, const PacketPlan* packet, Bytes size, std::uint32_t to = 1) {
  PathPolicy routing;
  Network network{fabric, kWire, routing};
  network.packet = packet;
  return LoneMessage(network, EndpointId(0), EndpointId(to)).time_of(size);
}

TEST(LoneMessage, a_stored_packet_counts_with_its_own_size) {
  const Fabric fabric = fabric_of(Switching::store_and_forward);
  const PacketPlan packets;
  // One byte more than a packet: behind the first switch the short one is last, and is stored in no time.
  const Picoseconds full = alone(fabric, &packets, 4096_B), more = alone(fabric, &packets, 4097_B);
  EXPECT_EQ(more - full, transmit_time(83_B, 400_Gbps));
  // The fluid engines count a full packet in every switch; so do they alone.
  EXPECT_GE(alone(fabric, nullptr, 4097_B), more);
}

TEST(LoneMessage, a_long_message_is_as_fast_as_the_line) {
  const Fabric fabric = fabric_of(Switching::cut_through);
  const PacketPlan packets;
  const Picoseconds one = alone(fabric, &packets, 4_MiB), two = alone(fabric, &packets, 4_MiB * 2);
  EXPECT_NEAR(seconds(two - one), seconds(transmit_time(kWire.wire_size(4_MiB), 400_Gbps)), 1e-9);
  EXPECT_GT(alone(fabric, &packets, 4_MiB, 3), one);  // under another leaf
}

TEST(LoneMessage, a_short_packet_that_takes_another_way_may_overtake_a_full_one) {
  Scenario scenario = testing::leaf_spine(4, 2, 2, 400_Gbps, 500_ns);
  scenario.fabric.switching = Switching::store_and_forward;
  const Fabric fabric = *testing::build_fabric(scenario);
  const PacketPlan packets;
  PathPolicy routing;
  routing.policy = RoutingPolicy::adaptive;
  Network network{fabric, kWire, routing};
  network.packet = &packets;
  const LoneMessage spread(network, EndpointId(0), EndpointId(3));
  // Behind the leaf the short one is ahead, and the receiver's link is free again when the full one comes.
  EXPECT_EQ(spread.time_of(4097_B), spread.time_of(4096_B));
  // Of packets alike none overtakes another.
  EXPECT_EQ(spread.time_of(8192_B) - spread.time_of(4096_B), transmit_time(4178_B, 400_Gbps));
}

TEST(LoneMessage, two_picoseconds_are_rounding) {
  const Fabric fabric = fabric_of(Switching::cut_through);
  PathPolicy routing;
  const Network network{fabric, kWire, routing};
  const LoneMessage message(network, EndpointId(0), EndpointId(1));
  const Picoseconds least = message.time_of(1_MiB);
  EXPECT_EQ(message.time_of(1_MiB, least - 2_ps), least - 2_ps);
  EXPECT_EQ(message.time_of(1_MiB, least - 3_ps), least);
  EXPECT_EQ(message.time_of(1_MiB, least * 2), least);
}

}  // namespace
}  // namespace railyard
