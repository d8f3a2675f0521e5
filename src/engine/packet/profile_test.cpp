#include "engine/packet/profile.h"

#include <gtest/gtest.h>

#include "engine/engine.h"
#include "engine/packet/net.h"
#include "engine/testing.h"
#include "fabric/testing.h"
#include "plan/qos_plan.h"

namespace railyard::packet {
namespace {

PacketPlan small_buffers() {
  PacketPlan plan;
  plan.ecn = {.enabled = true, .kmin = 50_KiB, .kmax = 200_KiB, .pmax = 0.2};
  plan.buffer.size = 4_MiB;
  plan.headroom.packet = testing::kRoceWire.packet_size(testing::kRoceWire.mtu);
  return plan;
}

const TrafficMarks kMarks = {48, 26, 0, std::nullopt};
const std::uint8_t kThree = 1U << 3;

DeviceQos device_of(const PacketPlan& plan, const QosPolicy& policy, const TrafficMarks& marks = kMarks) {
  return device_qos(policy, marks, plan, {.rate = 100_Gbps});
}

/// What eight hosts that send to one leave behind, over a fabric with two leaves.
Telemetry incast(const PacketPlan& plan) {
  const Scenario scenario = testing::leaf_spine(16, 8, 2, 100_Gbps, 300_ns, 500_ns);
  const Fabric fabric = testing::built(scenario);
  Telemetry telemetry(fabric.trunk_tier.size());
  PathPolicy routing = path_policy_of(scenario.routing);
  routing.policy = RoutingPolicy::ecmp;
  const auto engine =
      make_packet_engine(fabric, testing::kRoceWire, routing, plan, {.threads = 1, .all_posted = true}, telemetry);
  for (std::uint32_t host = 8; host < 16; host++)
    engine->post(std::vector<Message>{{MessageId(host), engine->open({EndpointId(host), EndpointId(0)}), 1_MiB}}, {});
  std::vector<Completion> done;
  do {
    done.clear();
    engine->advance(Picoseconds(1'000'000'000'000), done);
  } while (!done.empty());
  engine->finish();
  return telemetry;
}

PacketPlan with_profiles(PacketPlan plan, std::vector<DeviceQos> profiles, std::uint32_t of_spines) {
  plan.qos.profiles = std::move(profiles);
  plan.qos.of_tier[static_cast<std::size_t>(DeviceTier::spine)] = of_spines;
  return plan;
}

TEST(Profile, nodes_that_do_not_differ_run_as_if_nobody_had_asked) {
  const PacketPlan plan = small_buffers();
  const DeviceQos usual = device_of(plan, default_policy(plan, kThree));
  const Telemetry base = incast(plan);
  EXPECT_GT(base.packets->pauses, 0U);
  EXPECT_GT(base.packets->marked, 0U);
  EXPECT_EQ(incast(with_profiles(plan, {usual}, 0)).fingerprint.text(), base.fingerprint.text());  // parameters say it
  EXPECT_EQ(incast(with_profiles(plan, {usual, usual}, 1)).fingerprint.text(),
            base.fingerprint.text());  // each node for itself
}

TEST(Profile, a_neighbour_with_pfc_off_heeds_no_pause) {
  PacketPlan plan = small_buffers();
  plan.dcqcn.enabled = false;
  const DeviceQos usual = device_of(plan, default_policy(plan, kThree)), off = device_of(plan, default_policy(plan, 0));
  EXPECT_EQ(incast(with_profiles(plan, {usual}, 0)).packets->classes[kDataClass].dropped, 0U);
  const Telemetry asymmetric = incast(with_profiles(plan, {usual, off}, 1));
  EXPECT_GT(asymmetric.packets->drops[static_cast<std::size_t>(DropReason::headroom)], 0U);
}

TEST(Profile, a_pause_names_a_priority_and_stops_what_the_neighbour_maps_it_to) {
  PacketPlan plan = small_buffers();
  plan.dcqcn.enabled = false;
  QosPolicy other = default_policy(plan, 1U << 5);  // the same queues, but data pauses and is paused by priority 5
  other.priority_of_group[3] = 5;
  other.queue_of_priority[5] = 3;
  const DeviceQos five = device_of(plan, other), three = device_of(plan, default_policy(plan, kThree));
  EXPECT_EQ(incast(with_profiles(plan, {five}, 0)).fingerprint.text(),
            incast(with_profiles(plan, {three}, 0)).fingerprint.text());
  EXPECT_GT(incast(with_profiles(plan, {three, five}, 1)).packets->classes[kDataClass].dropped, 0U);
}

TEST(Profile, classes_of_one_queue_stop_together) {
  const PacketPlan plan = small_buffers();
  const DeviceQos device = device_of(plan, default_policy(plan, kThree), {26, 26, 0, std::nullopt});
  const Profile at_switch = profile_of(device, false), at_host = profile_of(device, true);
  EXPECT_EQ(at_switch.queue[kDataClass], kControlClass);
  EXPECT_EQ(at_switch.stops[3], 1U << kControlClass);
  EXPECT_TRUE(at_switch.lossless[kControlClass]);
  EXPECT_EQ(at_host.queue[kDataClass], kDataClass);
  EXPECT_EQ(at_host.stops[3], 1U << kControlClass | 1U << kDataClass);
  EXPECT_EQ(at_host.stops[4], 0U);
  Parameters p;
  EXPECT_FALSE(adopt(at_switch, p));
}

TEST(Profile, of_strict_queues_the_highest_number_goes_first) {
  const PacketPlan plan = small_buffers();
  QosPolicy policy = default_policy(plan, kThree);
  for (QueuePolicy& queue : policy.queues) queue.strict = true;
  const Profile profile = profile_of(device_of(plan, policy, {8, 26, 0, 56}), false);  // queues 1, 3, 0, 7
  EXPECT_EQ(profile.first_strict(0b1111), kStorageClass);
  EXPECT_EQ(profile.first_strict(0b0111), kDataClass);
  EXPECT_EQ(profile.first_strict(0b0101), kControlClass);
  EXPECT_EQ(profile.first_strict(0b0100), kBackgroundClass);
}

}  // namespace
}  // namespace railyard::packet
