#include <gtest/gtest.h>

#include "config/read/junos_tree.h"
#include "config/read/read.h"

namespace railyard {
namespace {

constexpr const char* kJunosBraces = R"(version 23.4X100-D20;
system {
    host-name qfx-leaf1;
}
chassis {
    fpc 0 {
        pic 0 {
            port 9 {
                speed 100g;
            }
        }
    }
}
interfaces {
    et-0/0/0 {
        number-of-sub-ports 2;
        speed 400g;
    }
    et-0/0/0:0 {
        description "to gpu-host-5 mlx5_0";
        mtu 9216;
    }
    et-0/0/9 {
        disable;
        ether-options {
            802.3ad ae0;
        }
    }
    inactive: et-0/0/10 {
        mtu 9000;
    }
    ae0 {
        mtu 9000;
    }
}
forwarding-options {
    enhanced-hash-key {
        ecmp-dlb {
            per-packet;
        }
        hash-seed 99;
    }
}
class-of-service {
    classifiers {
        dscp marks {
            forwarding-class CNP {
                loss-priority low code-points 110000;
            }
            forwarding-class NO-LOSS {
                loss-priority low code-points [ 011010 af32 ];
            }
        }
    }
    drop-profiles {
        dp {
            interpolate {
                fill-level [ 55 90 ];
                drop-probability [ 0 80 ];
            }
        }
    }
    shared-buffer {
        ingress {
            buffer-partition lossless { percent 66; }
            buffer-partition lossless-headroom { percent 24; }
            buffer-partition lossy { percent 10; }
        }
    }
    forwarding-classes {
        class CNP queue-num 3;
        class NO-LOSS queue-num 4 no-loss pfc-priority 3;
    }
    congestion-notification-profile {
        cnp {
            pfc-watchdog {
                detection 4;
                recovery 500;
            }
            input {
                dscp {
                    code-point 011010 { /* RoCE */
                        pfc;
                    }
                }
                cable-length 50;
            }
            output {
                ieee-802.1 {
                    code-point 011 {
                        flow-control-queue 4;
                    }
                }
            }
        }
    }
    interfaces {
        et-* {
            congestion-notification-profile cnp;
            scheduler-map sm;
            unit * {
                classifiers {
                    dscp marks;
                }
            }
        }
    }
    scheduler-maps {
        sm {
            forwarding-class CNP scheduler strict;
            forwarding-class NO-LOSS scheduler roce;
        }
    }
    schedulers {
        roce {
            transmit-rate percent 40;
            drop-profile-map loss-priority any protocol any drop-profile dp;
            explicit-congestion-notification;
        }
        strict {
            priority strict-high;
        }
    }
}
protocols {
    lldp {
        interface all;
    }
}
)";

constexpr const char* kJunosSet = R"(set version 23.4X100-D20
set system host-name qfx-leaf1
set chassis fpc 0 pic 0 port 9 speed 100g
set interfaces et-0/0/0 number-of-sub-ports 2
set interfaces et-0/0/0 speed 400g
set interfaces et-0/0/0:0 description "to gpu-host-5 mlx5_0"
set interfaces et-0/0/0:0 mtu 9216
set interfaces et-0/0/9 disable
set interfaces et-0/0/9 ether-options 802.3ad ae0
set interfaces et-0/0/10 mtu 9000
deactivate interfaces et-0/0/10
set interfaces ae0 mtu 9000
set forwarding-options enhanced-hash-key ecmp-dlb per-packet
set forwarding-options enhanced-hash-key hash-seed 99
set class-of-service classifiers dscp marks forwarding-class CNP loss-priority low code-points 110000
set class-of-service classifiers dscp marks forwarding-class NO-LOSS loss-priority low code-points 011010
set class-of-service classifiers dscp marks forwarding-class NO-LOSS loss-priority low code-points af32
set class-of-service drop-profiles dp interpolate fill-level 55
set class-of-service drop-profiles dp interpolate fill-level 90
set class-of-service drop-profiles dp interpolate drop-probability 0
set class-of-service drop-profiles dp interpolate drop-probability 80
set class-of-service shared-buffer ingress buffer-partition lossless percent 66
set class-of-service shared-buffer ingress buffer-partition lossless-headroom percent 24
set class-of-service shared-buffer ingress buffer-partition lossy percent 10
set class-of-service forwarding-classes class CNP queue-num 3
set class-of-service forwarding-classes class NO-LOSS queue-num 4
set class-of-service forwarding-classes class NO-LOSS no-loss
set class-of-service forwarding-classes class NO-LOSS pfc-priority 3
set class-of-service congestion-notification-profile cnp pfc-watchdog detection 4
set class-of-service congestion-notification-profile cnp pfc-watchdog recovery 500
set class-of-service congestion-notification-profile cnp input dscp code-point 011010 pfc
set class-of-service congestion-notification-profile cnp input cable-length 50
set class-of-service congestion-notification-profile cnp output ieee-802.1 code-point 011 flow-control-queue 4
set class-of-service interfaces et-* congestion-notification-profile cnp
set class-of-service interfaces et-* scheduler-map sm
set class-of-service interfaces et-* unit * classifiers dscp marks
set class-of-service scheduler-maps sm forwarding-class CNP scheduler strict
set class-of-service scheduler-maps sm forwarding-class NO-LOSS scheduler roce
set class-of-service schedulers roce transmit-rate percent 40
set class-of-service schedulers roce drop-profile-map loss-priority any protocol any drop-profile dp
set class-of-service schedulers roce explicit-congestion-notification
set class-of-service schedulers strict priority strict-high
set protocols lldp interface all
)";

Device junos_device(const std::string& text) {
  Estate estate;
  EXPECT_TRUE(read_config({"leaf.conf", "leaf", text}, estate).empty());
  EXPECT_EQ(estate.devices.size(), 1U);
  return estate.devices.at(0);
}

TEST(Junos, no_other_reader_takes_the_file) {
  for (const FileReader& reader : file_readers())
    EXPECT_EQ(reader.recognises({"x", "x", kJunosBraces}), reader.name == "Junos configuration") << reader.name;
  for (const FileReader& reader : file_readers())
    EXPECT_EQ(reader.recognises({"x", "x", kJunosSet}), reader.name == "Junos configuration") << reader.name;
}

TEST(Junos, names_and_ports) {
  const Device leaf = junos_device(kJunosBraces);
  EXPECT_EQ(leaf.name, "qfx-leaf1");
  EXPECT_EQ(leaf.version, "23.4X100-D20");
  ASSERT_EQ(leaf.ports.size(), 2U) << "a port that is split and one that is inactive are none";
  EXPECT_EQ(leaf.ports[0].name, "et-0/0/0:0");
  EXPECT_EQ(leaf.ports[0].speed, 400_Gbps);
  EXPECT_EQ(leaf.ports[0].mtu, Bytes(9216));
  EXPECT_EQ(leaf.ports[0].cable, 50_m);
  EXPECT_EQ(leaf.ports[0].neighbour, "gpu-host-5");
  EXPECT_EQ(leaf.ports[0].where.line, 19U);
  EXPECT_FALSE(leaf.ports[1].enabled);
  EXPECT_EQ(leaf.ports[1].speed, 100_Gbps) << "of the chassis";
  EXPECT_EQ(leaf.ports[1].mtu, Bytes(9000)) << "of the bundle";
}

TEST(Junos, queue_and_pause_priority_differ) {
  const Device leaf = junos_device(kJunosBraces);
  const QosPolicy& policy = leaf.policies.at(leaf.ports[0].policy);
  EXPECT_EQ(policy.trust, Trust::dscp);
  EXPECT_EQ(policy.class_of_dscp[26], 4);
  EXPECT_EQ(policy.class_of_dscp[28], 4);
  EXPECT_EQ(policy.class_of_dscp[48], 3);
  EXPECT_EQ(policy.pfc, 1U << 3);
  EXPECT_EQ(policy.pausing_priority(4), 3);
  EXPECT_EQ(policy.pausing_priority(3), std::nullopt) << "CNPs are on queue 3 and never paused";
  EXPECT_EQ(policy.queue_of_priority[3], 4);
  EXPECT_TRUE(policy.groups[4].has_buffer);
  EXPECT_FALSE(policy.groups[3].has_buffer) << "queue 3 is not fcoe's any more";
  EXPECT_TRUE(policy.queues[3].strict);
  EXPECT_EQ(policy.queues[4].weight, 40U);
  EXPECT_EQ(policy.queues[4].ecn, (EcnPolicy{{ThresholdUnit::percent, 55}, {ThresholdUnit::percent, 90}, 0.8, true}));
  EXPECT_EQ(policy.watchdog.detection, from_seconds(0.4));
  EXPECT_EQ(policy.watchdog.restoration, from_seconds(0.5));
  EXPECT_EQ(policy.said.at("dscp.26").line, 51U);
  EXPECT_EQ(policy.said.at("class.4.queue").line, 72U);
}

TEST(Junos, braces_and_set_lines_say_the_same) {
  const Device braces = junos_device(kJunosBraces), lines = junos_device(kJunosSet);
  ASSERT_EQ(braces.policies.size(), lines.policies.size());
  EXPECT_TRUE(same_effect(braces.policies[0], lines.policies[0]));
  ASSERT_EQ(braces.ports.size(), lines.ports.size());
  for (std::size_t i = 0; i < braces.ports.size(); i++) {
    EXPECT_EQ(braces.ports[i].name, lines.ports[i].name);
    EXPECT_EQ(braces.ports[i].speed, lines.ports[i].speed);
    EXPECT_EQ(braces.ports[i].mtu, lines.ports[i].mtu);
  }
  EXPECT_EQ(braces.hash.fields, lines.hash.fields);
  EXPECT_EQ(lines.hash.seed, 99U);
  EXPECT_TRUE(lines.hash.dynamic);
  EXPECT_EQ(lines.buffer.lossless_percent, 66);
  EXPECT_EQ(lines.buffer.headroom_percent, 24);
  ASSERT_EQ(lines.unread.size(), 1U);
  EXPECT_EQ(lines.unread[0].statement, "protocols");
}

TEST(Junos, without_a_profile_nothing_is_paused) {
  const Device leaf = junos_device("set interfaces et-0/0/0 mtu 9216\nset class-of-service schedulers s priority low\n");
  const QosPolicy& policy = leaf.policies.at(0);
  EXPECT_EQ(policy.pfc, 0);
  EXPECT_EQ(policy.trust, Trust::pcp);
  EXPECT_EQ(policy.class_of_pcp[3], 3);
  EXPECT_EQ(policy.queues[4].weight, 35U);
}

TEST(Junos, what_is_more_exact_comes_before_patterns) {
  const Device leaf = junos_device(
      "set interfaces et-0/0/0 mtu 9216\nset interfaces et-0/0/1 mtu 9216\n"
      "set class-of-service forwarding-classes class R queue-num 3 no-loss pfc-priority 3\n"
      "set class-of-service classifiers dscp c forwarding-class R loss-priority low code-points 011010\n"
      "set class-of-service congestion-notification-profile on input dscp code-point 011010 pfc\n"
      "set class-of-service congestion-notification-profile off input cable-length 5\n"
      "set class-of-service interfaces et-* congestion-notification-profile on\n"
      "set class-of-service interfaces et-* unit * classifiers dscp c\n"
      "set class-of-service interfaces et-0/0/1 congestion-notification-profile off\n");
  EXPECT_EQ(leaf.policies.at(leaf.ports[0].policy).pfc, 1U << 3);
  EXPECT_EQ(leaf.policies.at(leaf.ports[1].policy).pfc, 0);
  EXPECT_EQ(leaf.policies.at(leaf.ports[1].policy).trust, Trust::dscp) << "the rest of the pattern holds";
}

TEST(Junos, groups_that_are_applied_count) {
  const Device leaf = junos_device(
      "set groups all interfaces <et-*> mtu 9100\nset apply-groups all\nset interfaces et-0/0/0 unit 0\n"
      "set interfaces interface-range gpus member-range et-0/0/4 to et-0/0/6\nset interfaces interface-range gpus mtu 9216\n"
      "set interfaces et-0/0/5 unit 0\nset interfaces et-0/0/7 unit 0\n");
  ASSERT_EQ(leaf.ports.size(), 3U);
  EXPECT_EQ(leaf.ports[0].mtu, Bytes(9100));
  EXPECT_EQ(leaf.ports[1].mtu, Bytes(9216));
  EXPECT_EQ(leaf.ports[2].mtu, Bytes(9100));
  EXPECT_TRUE(leaf.policies.empty());
}

TEST(Junos, a_port_may_pause_its_whole_link) {
  const Device leaf = junos_device(
      "set class-of-service forwarding-classes class TC3 queue-num 3\nset interfaces et-0/0/0 ether-options flow-control\n"
      "set interfaces et-0/0/1 ether-options no-flow-control\n");
  ASSERT_EQ(leaf.ports.size(), 2U);
  EXPECT_TRUE(leaf.policies[leaf.ports[0].policy].link_pause);
  EXPECT_FALSE(leaf.policies[leaf.ports[1].policy].link_pause);
}

TEST(Junos, patterns_of_names) {
  EXPECT_TRUE(junos_matches("et-*", "et-0/0/1:0"));
  EXPECT_TRUE(junos_matches("et-0/0/[0-3]", "et-0/0/2"));
  EXPECT_FALSE(junos_matches("et-0/0/[0-3]", "et-0/0/4"));
  EXPECT_FALSE(junos_matches("xe-*", "et-0/0/1"));
  EXPECT_FALSE(junos_matches("et-[", "et-0"));
  EXPECT_TRUE(junos_matches("*", ""));
}

TEST(Junos, broken_braces_are_read_as_far_as_they_go) {
  for (const char* text :
       {"interfaces {\n et-0/0/0 {\n mtu 9216;\n", "interfaces {\n}\n}\n}\n", "system {\n\"", "interfaces {\n/*"}) {
    Estate estate;
    EXPECT_TRUE(read_config({"a.conf", "a", text}, estate).empty()) << text;
  }
}

}  // namespace
}  // namespace railyard
