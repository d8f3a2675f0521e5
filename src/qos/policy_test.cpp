#include "qos/policy.h"

#include <gtest/gtest.h>

#include "qos/repair.h"

namespace railyard {
namespace {

TEST(QosPolicy, thresholds_count_in_what_the_vendor_writes) {
  const ThresholdBase base{BitsPerSecond(400'000'000'000), 254_B, Bytes(10'000'000)};
  EXPECT_EQ(bytes_of({ThresholdUnit::bytes, 150'000}, base), Bytes(150'000));
  EXPECT_EQ(bytes_of({ThresholdUnit::percent, 55}, base), Bytes(5'500'000));
  EXPECT_EQ(bytes_of({ThresholdUnit::cells, 100}, base), Bytes(25'400));
  EXPECT_EQ(bytes_of({ThresholdUnit::time, 10}, base), Bytes(500'000));
}

TEST(QosPolicy, trust_says_which_mark_is_read) {
  QosPolicy policy;
  policy.class_of_dscp = classes_by_eight();
  EXPECT_EQ(policy.class_of(26, 0), 3);
  policy.trust = Trust::pcp;
  EXPECT_EQ(policy.class_of(26, 0), 0);
  EXPECT_EQ(policy.class_of(26, 4), 4);
  policy.trust = Trust::port;
  EXPECT_EQ(policy.class_of(26, 4), 0);
}

TEST(QosPolicy, a_class_is_paused_by_the_priority_of_its_group) {
  QosPolicy policy;
  policy.group_of_class[5] = 3;
  EXPECT_FALSE(policy.pausing_priority(5));
  policy.pfc = 1U << 3;
  EXPECT_EQ(policy.pausing_priority(5), 3);
  EXPECT_FALSE(policy.pausing_priority(4));
}

TEST(Repair, changes_the_ports_it_names_and_no_others) {
  Device device;
  device.policies.resize(1);
  device.policies[0].pfc = 1U << 3 | 1U << 5;
  for (const char* name : {"Ethernet0", "Ethernet8"}) device.ports.emplace_back().name = name;
  const Device after = repaired(device, {{"Ethernet8"}, SetPfc{5, false}});
  ASSERT_EQ(after.policies.size(), 2U);
  EXPECT_TRUE(after.policies[after.ports[0].policy].has_pfc(5));
  EXPECT_FALSE(after.policies[after.ports[1].policy].has_pfc(5));
  EXPECT_TRUE(after.policies[after.ports[1].policy].has_pfc(3));
  const Device all = repaired(device, {{}, SetPfc{5, false}});
  EXPECT_EQ(all.policies.size(), 1U);
  EXPECT_FALSE(all.policies[0].has_pfc(5));
}

TEST(Repair, sets_and_unsets_variables) {
  Device job;
  job.kind = DeviceKind::job;
  job = repaired(job, {{}, SetEnvironment{"NCCL_IB_TC", "106"}});
  EXPECT_EQ(job.environment.at("NCCL_IB_TC").value, "106");
  EXPECT_TRUE(repaired(job, {{}, SetEnvironment{"NCCL_IB_TC", ""}}).environment.empty());
}

}  // namespace
}  // namespace railyard
