#include <gtest/gtest.h>

#include "config/read/read.h"

namespace railyard {
namespace {

constexpr const char* kOs10Leaf = R"(! Version 10.5.6.2
!
hostname os10-tor3
!
wred roce-ecn
 random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 20
 random-detect ecn
!
class-map type queuing q3
 match queue 3
!
class-map type queuing q6
 match queue 6
!
class-map type network-qos lossless
 match qos-group 3
!
trust dscp-map marks
 qos-group 3 dscp 24-31
 qos-group 6 dscp 48
!
qos-map traffic-class queues
 queue 3 qos-group 3
 queue 6 qos-group 6
 queue 0 qos-group 0-2,4-5,7
!
policy-map type queuing out
 !
 class q3
  bandwidth percent 50
  random-detect roce-ecn
 !
 class q6
  priority
!
policy-map type network-qos pfc
 !
 class lossless
  pause buffer-size 100 pause-threshold 50 resume-threshold 25
  pfc-cos 3
!
system qos
 trust-map dscp marks
 pfc-shared-buffer-size 9000
!
interface breakout 1/1/5 map 50g-2x
!
interface range ethernet1/1/1-1/1/2
 description hosts
 mtu 9216
 priority-flow-control mode on
 service-policy input type network-qos pfc
 service-policy output type queuing out
 qos-map traffic-class queues
 ets mode on
!
interface ethernet1/1/5:1
 service-policy input type network-qos pfc
 flowcontrol receive on
!
interface ethernet1/1/6
 shutdown
!
hash-algorithm ecmp xor seed 12
vlt-domain 1
 backup destination 192.0.2.1
)";

Device os10_device(const std::string& text) {
  Estate estate;
  EXPECT_TRUE(read_config({"tor.cfg", "tor", text}, estate).empty());
  EXPECT_EQ(estate.devices.size(), 1U);
  return estate.devices.at(0);
}

TEST(Os10, no_other_reader_takes_the_file) {
  for (const FileReader& reader : file_readers())
    EXPECT_EQ(reader.recognises({"x", "x", kOs10Leaf}), reader.name == "Dell OS10 running configuration") << reader.name;
}

TEST(Os10, names_and_ports) {
  const Device tor = os10_device(kOs10Leaf);
  EXPECT_EQ(tor.name, "os10-tor3");
  EXPECT_EQ(tor.dialect, Dialect::os10);
  EXPECT_EQ(tor.version, "10.5.6.2");
  ASSERT_EQ(tor.ports.size(), 4U);
  EXPECT_EQ(tor.ports[1].name, "ethernet1/1/2");
  EXPECT_EQ(tor.ports[1].mtu, Bytes(9216));
  EXPECT_EQ(tor.ports[2].name, "ethernet1/1/5:1");
  EXPECT_EQ(tor.ports[2].speed, 50_Gbps);
  EXPECT_EQ(tor.ports[2].mtu, Bytes(1532)) << "Dell's default";
  EXPECT_FALSE(tor.ports[3].enabled);
  EXPECT_EQ(tor.buffer.size, Bytes(9'000'000));
  EXPECT_EQ(tor.hash.function, "xor");
  EXPECT_EQ(tor.hash.seed, 12U);
}

TEST(Os10, system_and_interface_make_one_policy) {
  const Device tor = os10_device(kOs10Leaf);
  const QosPolicy& policy = tor.policies.at(tor.ports[0].policy);
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.class_of_dscp[26], 3);
  EXPECT_EQ(policy.class_of_dscp[48], 6);
  EXPECT_EQ(policy.class_of_dscp[0], 0);
  EXPECT_EQ(policy.queue_of_class[7], 0);
  EXPECT_EQ(policy.pfc, 1U << 3);
  EXPECT_EQ(policy.queues[3].weight, 50U);
  EXPECT_EQ(policy.queues[3].ecn, (EcnPolicy{{ThresholdUnit::bytes, 150'000}, {ThresholdUnit::bytes, 1'500'000}, 0.2, true}));
  EXPECT_TRUE(policy.queues[6].strict);
  EXPECT_EQ(policy.groups[3].headroom, Bytes(50'000));
  EXPECT_EQ(policy.groups[3].xon, Bytes(25'000));
  EXPECT_EQ(policy.said.at("trust").line, 43U);
  EXPECT_EQ(policy.said.at("dscp.26").line, 19U);
  EXPECT_EQ(policy.said.at("pfc.3").line, 40U);
}

TEST(Os10, pfc_needs_the_mode_too) {
  const Device tor = os10_device(kOs10Leaf);
  const QosPolicy& policy = tor.policies.at(tor.ports[2].policy);
  EXPECT_EQ(policy.pfc, 0);
  EXPECT_TRUE(policy.link_pause);
}

TEST(Os10, dot1p_trust_reads_no_dscp) {
  const Device tor = os10_device(
      "trust dot1p-map m\n qos-group 3 dot1p 3\n qos-group 0 dot1p 0-2,4-7\nsystem qos\n trust-map dot1p m\n"
      "interface ethernet1/1/1\n no shutdown\n");
  const QosPolicy& policy = tor.policies.at(0);
  EXPECT_EQ(policy.trust, Trust::pcp);
  EXPECT_EQ(policy.class_of(26, 0), 0);
  EXPECT_EQ(policy.class_of(26, 3), 3);
}

TEST(Os10, what_is_not_read_is_listed_once) {
  const Device tor = os10_device(kOs10Leaf);
  ASSERT_EQ(tor.unread.size(), 1U);
  EXPECT_EQ(tor.unread[0].statement, "vlt-domain");
  EXPECT_EQ(tor.unread[0].where.line, 65U);
}

}  // namespace
}  // namespace railyard
