#include "export/port_choice.h"

#include <gtest/gtest.h>

#include "analysis/tier_loads.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

/// Two leaves with two hosts each, and a spine.
Fabric small_fabric() { return testing::built(testing::leaf_spine(4, 2, 1, 400_Gbps, 100_ns)); }

std::vector<std::string> names_of(const Fabric& fabric, std::string_view asked) {
  const Result<std::vector<PortId>> ports = choose_ports(fabric, asked);
  std::vector<std::string> names;
  if (!ports) return {ports.error()[0].code + ": " + ports.error()[0].hint};
  for (const PortId port : *ports) names.push_back(port_name(fabric, port));
  return names;
}

TEST(PortChoice, a_port_is_named_as_reports_name_it) {
  const Fabric fabric = small_fabric();
  EXPECT_EQ(names_of(fabric, "leaf 0 to GPU 1"), std::vector<std::string>{"leaf 0 to GPU 1"});
  EXPECT_EQ(names_of(fabric, "GPU 0 to leaf 0, leaf 1 to gpu 3").size(), 2U);
}

TEST(PortChoice, a_node_stands_for_its_links_both_ways) {
  const Fabric fabric = small_fabric();
  EXPECT_EQ(names_of(fabric, "GPU 1"), (std::vector<std::string>{"GPU 1 to leaf 0", "leaf 0 to GPU 1"}));
}

TEST(PortChoice, every_port_of_parallel_links_can_be_named) {
  const Fabric fabric = small_fabric();
  for (const PortId port : ids(fabric.port_from)) {
    const std::string name = port_name(fabric, port);
    EXPECT_EQ(names_of(fabric, name), std::vector<std::string>{name});
  }
}

TEST(PortChoice, nics_are_ports_that_lead_to_hosts) {
  const Fabric fabric = small_fabric();
  EXPECT_EQ(names_of(fabric, "nics").size(), 4U);
  EXPECT_EQ(names_of(fabric, "all").size(), fabric.port_from.size());
}

TEST(PortChoice, a_wrong_name_gets_a_suggestion) {
  EXPECT_EQ(names_of(small_fabric(), "laef 1"), std::vector<std::string>{"RY-CAP-020: did you mean \"leaf 1\"?"});
  EXPECT_EQ(names_of(small_fabric(), "")[0].substr(0, 10), "RY-CAP-020");
}

}  // namespace
}  // namespace railyard
