#include "scenario/resolve/resolve_qos.h"

#include <gtest/gtest.h>

#include "scenario/testing.h"

namespace railyard {
namespace {

/// Two tiers of switches at packet fidelity, with more sections.
Scenario qos(const std::string& more, const std::string& traffic = "") {
  return testing::scenario_of(
      "name = \"q\"\n[traffic]\npattern = \"permutation\"\nsize = \"1 MB\"\n" + traffic +
      "[cluster]\ngpus = 8\n[fabric]\ntopology = \"leaf-spine\"\nhosts_per_leaf = 4\nspines = 2\nlink_rate = \"400 Gb/s\"\n"
      "link_delay = \"50 ns\"\nswitch_latency = \"500 ns\"\n[engine]\nfidelity = \"packet\"\n" +
      more);
}

const DeviceQos& of_tier(const Scenario& s, DeviceTier tier) {
  return s.packet.qos.profiles.at(s.packet.qos.of_tier[static_cast<std::size_t>(tier)]);
}

TEST(ResolveQos, defaults_said_again_leave_the_plan_alone) {
  EXPECT_TRUE(qos("").packet.qos.profiles.empty());
  EXPECT_TRUE(
      qos("[qos]\nlossless = [3]\ntrust = \"dscp\"\nstrict = [6]\n[qos.marks]\ndata = 26\n").packet.qos.profiles.empty());
  EXPECT_TRUE(qos("[qos.devices.\"spine 1\"]\nweights = { \"5\" = 7 }\n").packet.qos.profiles.empty());  // nobody waits there
}

TEST(ResolveQos, tables_are_laid_over_each_other) {
  const Scenario s =
      qos("[qos]\nalpha = 0.5\n[qos.leaf]\nlossless = [3, 4]\n[qos.spine]\nalpha = 0.25\n[qos.devices.\"spine 1\"]\necn = "
          "\"off\"\n");
  ASSERT_EQ(s.packet.qos.profiles.size(), 4U);  // NICs and cores, leaves, spine 0, spine 1
  EXPECT_EQ(of_tier(s, DeviceTier::nic).groups[3].alpha, 0.5);
  EXPECT_EQ(of_tier(s, DeviceTier::leaf).pfc, 0b11000);
  EXPECT_EQ(of_tier(s, DeviceTier::leaf).idle_headroom.size(), 1U);
  EXPECT_EQ(of_tier(s, DeviceTier::spine).groups[3].alpha, 0.25);
  const QosPlan::Single& single = s.packet.qos.singles.at(0);
  EXPECT_EQ(single.index, 1U);
  EXPECT_FALSE(s.packet.qos.profiles[single.profile].queues[3].ecn.enabled);
  EXPECT_EQ(s.packet.qos.profiles[single.profile].groups[3].alpha, 0.25);
}

TEST(ResolveQos, a_host_with_another_mark_has_a_class_that_nothing_else_has) {
  const std::string mark = "[qos.devices.\"host 2\"]\ndata_mark = 0\n";
  EXPECT_EQ(qos(mark).packet.qos.own_marks.at(0).traffic_class, kStorageClass);
  EXPECT_EQ(qos(mark).packet.qos.marks[kStorageClass], 0);
  EXPECT_TRUE(qos("[qos.devices.\"host 2\"]\ndata_mark = 26\n").packet.qos.own_marks.empty());
  const std::string storage = "storage = { servers = 2, checkpoint = \"1 MB\", size = \"1 MB\" }\n";
  EXPECT_EQ(qos(mark, storage).packet.qos.own_marks.at(0).traffic_class, kBackgroundClass);
}

TEST(ResolveQos, cnps_of_a_host_have_the_class_of_their_mark) {
  const auto cnp = [](int dscp) { return "[qos.devices.\"host 2\"]\ncnp_mark = " + std::to_string(dscp) + "\n"; };
  EXPECT_TRUE(qos(cnp(48)).packet.qos.own_cnp_marks.empty());
  ASSERT_EQ(qos(cnp(46)).packet.qos.own_cnp_marks.size(), 1U);
  EXPECT_EQ(qos(cnp(46)).packet.qos.own_cnp_marks[0].traffic_class, kStorageClass);
  EXPECT_EQ(qos(cnp(46)).packet.qos.marks[kStorageClass], 46);
  EXPECT_EQ(qos(cnp(26)).packet.qos.own_cnp_marks.at(0).traffic_class, kDataClass);
  EXPECT_EQ(qos(cnp(0), "background = 0.1\n").packet.qos.own_cnp_marks.at(0).traffic_class, kBackgroundClass);
}

TEST(ResolveQos, a_host_takes_smaller_packets_never_larger_ones) {
  EXPECT_TRUE(qos("[qos.devices.\"host 2\"]\nmtu = 4096\n").packet.qos.own_mtus.empty());
  const Scenario s = qos("[qos.devices.\"host 2-3\"]\nmtu = 1024\n");
  ASSERT_EQ(s.packet.qos.own_mtus.size(), 2U);
  EXPECT_EQ(s.packet.qos.own_mtus[1].host, 3U);
  EXPECT_EQ(s.packet.qos.own_mtus[1].mtu, 1024_B);
  EXPECT_TRUE(s.packet.qos.profiles.empty());
}

TEST(ResolveQos, shares_are_of_what_a_queue_may_take) {
  const Scenario s =
      qos("[qos]\nalpha = 1\necn = { \"3\" = { kmin = \"10 %\", kmax = \"200 us\" } }\n[transport.pfc]\nalpha = 1\n");
  EXPECT_EQ(of_tier(s, DeviceTier::leaf).queues[3].ecn.kmin, s.packet.buffer.size / 20);  // alone a queue gets half of it
  EXPECT_EQ(of_tier(s, DeviceTier::leaf).queues[3].ecn.kmax, Bytes(10'000'000));
}

TEST(ResolveQos, marks_go_by_the_priorities_of_the_transport) {
  const Scenario s = qos("[transport.pfc]\npriorities = [4]\n[qos]\nalpha = 1\n");
  EXPECT_EQ(s.packet.qos.marks[kDataClass], 32);
  EXPECT_EQ(of_tier(s, DeviceTier::leaf).classes[kDataClass].priority, 4);
}

/// A switch as its configuration describes it.
Device configured(const std::string& name, std::uint8_t lossless) {
  Device device;
  device.name = name;
  QosPolicy policy;
  policy.class_of_dscp = classes_by_eight();
  policy.pfc = lossless;
  policy.queues[3].ecn = EcnPolicy{.kmin = {ThresholdUnit::bytes, 1000}, .kmax = {ThresholdUnit::bytes, 2000}};
  device.policies.push_back(policy);
  return device;
}

TEST(ResolveQos, what_was_read_of_devices_stands_for_what_the_transport_says) {
  Scenario s = qos("");
  ScenarioSpec spec;
  spec.keys.by_path["qos"] = {};
  spec.qos.estate.devices = {configured("leaf01", 8), configured("leaf02", 24), configured("leaf03", 8)};
  spec.qos.tiers[static_cast<std::size_t>(DeviceTier::leaf)].alpha = 2;
  Complaints complaints(SchemaCodes{});
  resolve_qos(spec, s, complaints);
  EXPECT_TRUE(complaints.found().empty());
  EXPECT_EQ(of_tier(s, DeviceTier::leaf).pfc, 8);
  EXPECT_EQ(of_tier(s, DeviceTier::leaf).queues[3].ecn.kmax, 2000_B);
  EXPECT_EQ(of_tier(s, DeviceTier::leaf).groups[3].alpha, 2);  // tables change what was read
  EXPECT_EQ(of_tier(s, DeviceTier::spine).queues[3].ecn.kmax, s.packet.qos.profiles[0].queues[3].ecn.kmax);
  ASSERT_EQ(s.packet.qos.singles.size(), 1U);
  EXPECT_EQ(s.packet.qos.singles[0].index, 1U);
  EXPECT_EQ(s.packet.qos.profiles[s.packet.qos.singles[0].profile].pfc, 24);
}

}  // namespace
}  // namespace railyard
