#include "plan/qos_plan.h"

#include <gtest/gtest.h>

#include "plan/headroom.h"

namespace railyard {
namespace {

constexpr std::uint8_t kThree = 1U << 3;

TrafficMarks usual_marks() { return {48, 26, 0, std::nullopt}; }

PacketPlan usual_plan() {
  PacketPlan plan;
  plan.ecn = {.enabled = true, .kmin = 100_KiB, .kmax = 400_KiB, .pmax = 0.2};
  return plan;
}

const ThresholdBase kBase{.rate = 400_Gbps, .cell = 192_B, .queue = 1_MiB};

DeviceQos usual_device(const QosPolicy& policy) { return device_qos(policy, usual_marks(), usual_plan(), kBase); }

TEST(QosPlan, defaults_give_every_class_what_the_plan_says) {
  const PacketPlan plan = usual_plan();
  const DeviceQos device = usual_device(default_policy(plan, kThree));
  EXPECT_EQ(device.classes[kDataClass], (ClassQos{.queue = 3, .group = 3, .priority = 3, .counted = true, .used = true}));
  EXPECT_EQ(device.classes[kControlClass], (ClassQos{.queue = 6, .group = 6, .priority = {}, .counted = false, .used = true}));
  EXPECT_EQ(device.classes[kBackgroundClass],
            (ClassQos{.queue = 0, .group = 0, .priority = {}, .counted = true, .used = true}));
  EXPECT_FALSE(device.classes[kStorageClass].used);
  EXPECT_TRUE(device.queues[6].strict);
  EXPECT_EQ(device.queues[3].weight, 50U);
  EXPECT_EQ(device.queues[3].ecn, plan.ecn);
  EXPECT_EQ(device.groups[3].alpha, plan.buffer.alpha);
  EXPECT_TRUE(device.idle_headroom.empty());
  EXPECT_FALSE(device.watchdog.enabled);
}

TEST(QosPlan, maps_lead_from_mark_to_queue_group_and_priority) {
  QosPolicy policy = default_policy(usual_plan(), kThree | 1U << 5);
  policy.class_of_dscp[26] = 4;
  policy.queue_of_class[4] = 2;
  policy.group_of_class[4] = 7;
  policy.priority_of_group[7] = 5;
  const DeviceQos device = usual_device(policy);
  EXPECT_EQ(device.classes[kDataClass], (ClassQos{.queue = 2, .group = 7, .priority = 5, .counted = true, .used = true}));
  EXPECT_EQ(device.idle_headroom.size(), 1U);  // of priority 3
}

TEST(QosPlan, a_group_whose_priority_has_no_pfc_is_lossy) {
  QosPolicy policy = default_policy(usual_plan(), kThree);
  policy.priority_of_group[3] = 4;
  EXPECT_EQ(usual_device(policy).classes[kDataClass].priority, std::nullopt);
}

TEST(QosPlan, packets_have_no_vlan_tag) {
  QosPolicy policy = default_policy(usual_plan(), kThree);
  policy.trust = Trust::pcp;
  EXPECT_EQ(usual_device(policy).classes[kDataClass].queue, 0);
  policy.class_of_pcp[0] = 5;
  EXPECT_EQ(usual_device(policy).classes[kDataClass].queue, 5);
  policy.trust = Trust::port;
  EXPECT_EQ(usual_device(policy).classes[kDataClass].queue, 0);
}

TEST(QosPlan, control_that_shares_a_queue_is_counted_with_it) {
  const DeviceQos device = device_qos(default_policy(usual_plan(), kThree), {0, 26, 0, std::nullopt}, usual_plan(), kBase);
  EXPECT_TRUE(device.classes[kControlClass].counted);
  EXPECT_EQ(device.classes[kControlClass].queue, 0);
}

TEST(QosPlan, thresholds_come_in_shares_cells_and_times) {
  QosPolicy policy = default_policy(usual_plan(), kThree);
  policy.queues[3].ecn = EcnPolicy{.kmin = {ThresholdUnit::percent, 50}, .kmax = {ThresholdUnit::time, 20}};
  policy.queues[0].ecn = EcnPolicy{.kmin = {ThresholdUnit::cells, 100}, .kmax = {ThresholdUnit::bytes, 5}};
  const DeviceQos device = usual_device(policy);
  EXPECT_EQ(device.queues[3].ecn.kmin, 512_KiB);
  EXPECT_EQ(device.queues[3].ecn.kmax, Bytes(1'000'000));
  EXPECT_EQ(device.queues[0].ecn.kmin, Bytes(19'200));
  EXPECT_EQ(device.queues[0].ecn.kmax, Bytes(19'200));  // never below kmin
}

TEST(QosPlan, wred_that_drops_does_not_mark) {
  QosPolicy policy = default_policy(usual_plan(), kThree);
  policy.queues[3].ecn->marks = false;
  EXPECT_FALSE(usual_device(policy).queues[3].ecn.enabled);
  policy.queues[3].ecn.reset();
  EXPECT_FALSE(usual_device(policy).queues[3].ecn.enabled);
}

TEST(QosPlan, a_lossy_group_may_hold_what_its_queue_may) {
  QosPolicy policy = default_policy(usual_plan(), kThree);
  policy.queues[0].alpha = 2;
  policy.queues[3].alpha = 2;
  policy.groups[3].xoff = 50_KiB;
  policy.groups[3].xon_offset = 10_KiB;
  const DeviceQos device = usual_device(policy);
  EXPECT_EQ(device.groups[0].alpha, 2);
  EXPECT_EQ(device.groups[3].alpha, usual_plan().buffer.alpha);
  EXPECT_EQ(device.groups[3].xoff, 50_KiB);
  EXPECT_EQ(device.groups[3].xon, 40_KiB);
}

TEST(QosPlan, headroom_is_kept_for_priorities_without_traffic) {
  const PacketPlan plan = usual_plan();
  QosPolicy policy = default_policy(plan, 0b111000);
  policy.groups[4].headroom = 10_KiB;
  const DeviceQos device = usual_device(policy);
  ASSERT_EQ(device.idle_headroom.size(), 2U);
  EXPECT_EQ(device.idle_headroom[0], 10_KiB);
  EXPECT_EQ(device.idle_headroom[1], std::nullopt);
  EXPECT_EQ(kept_for_link(device, plan, 400_Gbps, 50_ns), headroom_of(plan, 400_Gbps, 50_ns) * 2 + 10_KiB);
  EXPECT_EQ(kept_for_link(usual_device(default_policy(plan, 0)), plan, 400_Gbps, 50_ns), Bytes::zero());
}

TEST(QosPlan, a_watchdog_that_only_alerts_touches_no_packet) {
  QosPolicy policy = default_policy(usual_plan(), kThree);
  policy.watchdog = {.enabled = true, .detection = 10_us, .restoration = {}, .poll = {}, .action = StormAction::forward};
  EXPECT_TRUE(usual_device(policy).watchdog.enabled);
  EXPECT_TRUE(usual_device(policy).watchdog.forwards);
  EXPECT_EQ(usual_device(policy).watchdog.detection, 10_us);
  policy.watchdog.action = StormAction::alert;
  EXPECT_FALSE(usual_device(policy).watchdog.enabled);
}

}  // namespace
}  // namespace railyard
