#include "fabric/failures.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/build.h"
#include "fabric/live.h"
#include "fabric/testing.h"
#include "fabric/unreachable.h"
#include "scenario/read/drawing_file.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

constexpr const char* kLeafSpine = R"(name = "failures"
[collective]
kind = "all_reduce"
sizes = ["1 MiB"]
[cluster]
gpus = 64
gpus_per_node = 8
nic = "ConnectX-7"
[fabric]
topology = "leaf-spine"
switch = "Tomahawk-5"
hosts_per_leaf = 16
spines = 4
[engine]
fidelity = "flow"
[failures]
)";

/// A scenario with these failures and its fabric.
struct Case {
  Scenario scenario;
  Fabric fabric;

  explicit Case(const std::string& failures)
      : scenario(testing::scenario_of(kLeafSpine + failures)), fabric(std::move(*testing::build_fabric(scenario))) {}

  [[nodiscard]] std::vector<PortChange> changes() const {
    Result<std::vector<PortChange>> changes = port_changes(scenario.failures, fabric);
    EXPECT_TRUE(changes) << (changes ? "" : to_text(changes.error()[0]));
    return changes ? std::move(*changes) : std::vector<PortChange>();
  }
  [[nodiscard]] std::string refusal() const {
    const Result<std::vector<PortChange>> changes = port_changes(scenario.failures, fabric);
    return changes ? "" : changes.error()[0].code + ": " + changes.error()[0].message;
  }
  /// Ports that are down in the end.
  [[nodiscard]] LivePorts live() const {
    LivePorts live(fabric);
    for (const PortChange& change : changes()) live.set(change.port, change.rate > BitsPerSecond::zero());
    return live;
  }
};

TEST(Failures, none_change_nothing) { EXPECT_TRUE(Case("").changes().empty()); }

TEST(Failures, a_port_of_a_nic_fails_in_both_directions_and_for_good) {
  const Case c("\"gpu 5 port 0\" = \"down\"\n");
  const PortId up = c.fabric.trunk_ports[host_up_trunk(c.fabric, InterfaceId(5))].front();
  const PortId down = c.fabric.trunk_ports[host_down_trunk(c.fabric, InterfaceId(5))].front();
  EXPECT_EQ(c.changes(), (std::vector<PortChange>{{up, 0_bps, 0_ps}, {down, 0_bps, 0_ps}}));
  EXPECT_EQ(why_unreachable(c.fabric, c.live(), EndpointId(5), EndpointId(63)),
            "GPU 5 cannot reach GPU 63: the port of the NIC of GPU 5 is down");
}

TEST(Failures, a_degraded_uplink_gets_its_rate_back) {
  const Case c("\"leaf 3 uplink 7\" = { rate = \"100 Gb/s\", from = \"1 us\", until = \"2 us\" }\n");
  const Fabric& f = c.fabric;
  const PortId up = f.trunk_ports[f.blocks[BlockId(3)].up][7], down = reverse_of(f, up);
  EXPECT_EQ(f.port_to[up], f.port_from[down]);
  EXPECT_EQ(c.changes(), (std::vector<PortChange>{
                             {up, 100_Gbps, 1_us}, {down, 100_Gbps, 1_us}, {up, 400_Gbps, 2_us}, {down, 400_Gbps, 2_us}}));
}

TEST(Failures, a_switch_takes_all_its_ports_with_it) {
  const Case c("\"spine 2\" = \"down\"\n");
  const LivePorts live = c.live();
  const NodeId spine(c.fabric.blocks[c.fabric.blocks[BlockId(0)].parent].first.index() + 2);
  for (const PortId port : ids(c.fabric.port_from))
    EXPECT_EQ(live.is_live(port), c.fabric.port_from[port] != spine && c.fabric.port_to[port] != spine);
  EXPECT_EQ(live_rate(c.fabric, live, c.fabric.blocks[BlockId(0)].up), 4800_Gbps);
  const Case leaf("\"leaf 1\" = \"down\"\n");
  EXPECT_EQ(why_unreachable(leaf.fabric, leaf.live(), EndpointId(0), EndpointId(16)),
            "GPU 0 cannot reach GPU 16: leaf 1 is down");
}

TEST(Failures, where_failures_overlap_the_lowest_rate_holds) {
  const Case c(
      "\"leaf 0 uplink 0\" = { rate = \"100 Gb/s\", from = \"1 us\", until = \"4 us\" }\n"
      "\"spine 0\" = { from = \"2 us\", until = \"3 us\" }\n"
      "\"spine 0 link 0\" = { rate = \"200 Gb/s\", from = \"1 us\", until = \"5 us\" }\n");
  const PortId port = c.fabric.trunk_ports[c.fabric.blocks[BlockId(0)].up][0];
  std::vector<PortChange> of_port;
  for (const PortChange& change : c.changes())
    if (change.port == port) of_port.push_back(change);
  EXPECT_EQ(of_port, (std::vector<PortChange>{{port, 100_Gbps, 1_us},
                                              {port, 0_bps, 2_us},
                                              {port, 100_Gbps, 3_us},
                                              {port, 200_Gbps, 4_us},
                                              {port, 400_Gbps, 5_us}}));
  const std::vector<PortChange> all = c.changes();
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(), [](const PortChange& a, const PortChange& b) {
    return std::pair(a.at, a.port) < std::pair(b.at, b.port);
  }));
}

TEST(Failures, one_direction_may_fail_alone) {
  const Case out("\"leaf 3 uplink 7\" = { direction = \"out\" }\n"), in("\"leaf 3 uplink 7\" = { direction = \"in\" }\n");
  const PortId up = out.fabric.trunk_ports[out.fabric.blocks[BlockId(3)].up][7];
  EXPECT_EQ(out.changes(), (std::vector<PortChange>{{up, 0_bps, 0_ps}}));
  EXPECT_EQ(in.changes(), (std::vector<PortChange>{{reverse_of(in.fabric, up), 0_bps, 0_ps}}));
}

TEST(Failures, a_flap_is_down_as_often_as_it_says) {
  const Case c(
      "\"leaf 3 uplink 7\" = { from = \"1 us\", until = \"2 us\", every = \"5 us\", times = 3, direction = \"out\" }\n");
  const Case several(
      "\"leaf 3 uplink 7\" = [{ from = \"1 us\", until = \"2 us\", direction = \"out\" }, { from = \"6 us\", until = \"7 us\", "
      "direction = \"out\" }, { from = \"11 us\", until = \"12 us\", direction = \"out\" }]\n");
  const PortId up = c.fabric.trunk_ports[c.fabric.blocks[BlockId(3)].up][7];
  EXPECT_EQ(c.changes(), (std::vector<PortChange>{{up, 0_bps, 1_us},
                                                  {up, 400_Gbps, 2_us},
                                                  {up, 0_bps, 6_us},
                                                  {up, 400_Gbps, 7_us},
                                                  {up, 0_bps, 11_us},
                                                  {up, 400_Gbps, 12_us}}));
  EXPECT_EQ(several.changes(), c.changes());
}

TEST(Failures, losses_leave_the_rate_and_the_largest_holds) {
  const Case c(
      "\"leaf 3 uplink 7\" = { loss = 0.01, direction = \"out\" }\n\"leaf 3\" = { ber = 1e-9, from = \"1 us\", until = \"2 "
      "us\", "
      "direction = \"out\" }\n");
  const PortId up = c.fabric.trunk_ports[c.fabric.blocks[BlockId(3)].up][7];
  std::vector<PortChange> of_port;
  for (const PortChange& change : c.changes())
    if (change.port == up) of_port.push_back(change);
  EXPECT_EQ(of_port,
            (std::vector<PortChange>{
                {up, 400_Gbps, 0_ps, {0.01, 0}}, {up, 400_Gbps, 1_us, {0.01, 1e-9}}, {up, 400_Gbps, 2_us, {0.01, 0}}}));
}

TEST(Failures, what_the_fabric_does_not_have_is_refused) {
  EXPECT_EQ(Case("\"leaf 12\" = \"down\"\n").refusal(), "RY-FAB-015: there is no leaf 12: the fabric has 4");
  EXPECT_EQ(Case("\"core 0 link 3\" = \"down\"\n").refusal(), "RY-FAB-015: there is no core 0: the fabric has none");
  EXPECT_EQ(Case("\"gpu 64\" = \"down\"\n").refusal(), "RY-FAB-015: there is no GPU 64: the fabric has 64");
  EXPECT_EQ(Case("\"node s1\" = \"down\"\n").refusal(),
            "RY-FAB-015: \"node s1\" works only with a drawn fabric (topology = \"file\")");
  EXPECT_EQ(Case("\"gpu 5 port 1\" = \"down\"\n").refusal(), "RY-FAB-016: gpu 5 has no port 1: it has 1");
  EXPECT_EQ(Case("\"leaf 3 uplink 16\" = \"down\"\n").refusal(), "RY-FAB-016: leaf 3 has no uplink 16: it has 16");
  EXPECT_EQ(Case("\"spine 3 uplink 0\" = \"down\"\n").refusal(), "RY-FAB-016: spine 3 has no uplink 0: it has none");
  EXPECT_EQ(Case("\"leaf 3 link 16\" = \"down\"\n").refusal(), "RY-FAB-016: leaf 3 has no link 16: it has 16");
}

TEST(Failures, a_rate_that_slows_nothing_is_refused) {
  EXPECT_EQ(Case("\"leaf 3\" = { rate = \"400 Gb/s\" }\n").refusal(),
            "RY-FAB-017: rate = 400 Gb/s is not below the link rate of \"leaf 3\", 400 Gb/s");
  EXPECT_EQ(Case("\"leaf 3\" = { rate = \"399 Gb/s\" }\n").refusal(), "");
}

/// Two GPUs on either of two switches.
Scenario drawing(const std::string& name) {
  Scenario s = testing::servers(Topology::file, 4, 1, 1);
  s.fabric.drawing = *read_drawing(
      "gpu a b c d\nswitch s t\nlink a s 400Gb/s 1us\nlink b s 400Gb/s 1us\nlink c t 400Gb/s 1us\nlink d t 400Gb/s 1us\n"
      "link s t 400Gb/s 1us 2\n",
      "drawing.txt");
  s.failures = testing::scenario_of(kLeafSpine + ("\"" + name + "\" = \"down\"\n")).failures;
  return s;
}

TEST(Failures, a_drawing_calls_its_parts_by_name) {
  const auto changes = [](const std::string& name) {
    const Scenario s = drawing(name);
    return port_changes(s.failures, *testing::build_fabric(s));
  };
  EXPECT_EQ(changes("link s t")->size(), 4U) << "two cables, both directions";
  EXPECT_EQ(changes("link t s")->size(), 4U);
  EXPECT_EQ(changes("node s")->size(), 8U);
  EXPECT_EQ(changes("node a")->size(), 2U);
  EXPECT_EQ(changes("gpu 0 port 0")->size(), 2U);
  EXPECT_EQ(changes("node x").error()[0].message, "the drawing has no node \"x\"");
  EXPECT_EQ(changes("link a b").error()[0].code, "RY-FAB-016");
  EXPECT_EQ(changes("leaf 0").error()[0].code, "RY-FAB-015");
}

}  // namespace
}  // namespace railyard
