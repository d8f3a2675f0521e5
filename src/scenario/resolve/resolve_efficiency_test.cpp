#include <gtest/gtest.h>

#include "scenario/testing.h"

namespace railyard {
namespace {

Scenario flows(const std::string& transport, const std::string& more = "") {
  return testing::scenario_of(
      "name = \"t\"\n[traffic]\npattern = \"permutation\"\nsize = \"1 MB\"\n[cluster]\ngpus = 8\n[fabric]\ntopology = "
      "\"leaf-spine\"\nhosts_per_leaf = 4\nlink_rate = \"400 Gb/s\"\nswitch_latency = \"900 ns\"\n[engine]\nfidelity = "
      "\"flow\"\n" +
      more + "[transport]\n" + transport);
}

double stored(const std::string& name) { return builtin_catalog().transports.find(name)->fact.efficiency; }

const Input* note_of(const Scenario& scenario) {
  for (const Input& input : scenario.inputs)
    if (input.key == "engine.efficiency") return &input;
  return nullptr;
}

TEST(Efficiency, is_the_same_for_every_transport_unless_asked_for_and_says_so) {
  for (const char* kind : {"roce", "infiniband", "tcp", "uec", "srd"}) {
    const Scenario scenario = flows(std::string("kind = \"") + kind + "\"\n");
    EXPECT_EQ(scenario.engine.efficiency, 1) << kind;
    ASSERT_TRUE(note_of(scenario)) << kind;
    EXPECT_EQ(note_of(scenario)->origin.status, Status::assumed) << kind;
  }
}

TEST(Efficiency, is_the_catalogs_if_asked_for) {
  const auto calibrated = [](const std::string& kind) { return flows("kind = \"" + kind + "\"\n", "calibrated = true\n"); };
  EXPECT_EQ(calibrated("roce").engine.efficiency, stored("roce-ecmp"));
  EXPECT_EQ(calibrated("infiniband").engine.efficiency, stored("infiniband-adaptive"));
  EXPECT_EQ(calibrated("tcp").engine.efficiency, stored("tcp-ecmp"));
  const Scenario uec = calibrated("uec");
  EXPECT_EQ(uec.engine.efficiency, stored("uec-spray"));
  EXPECT_EQ(note_of(uec)->origin.status, Status::estimated);
  EXPECT_NE(note_of(uec)->origin.source.find("uec-spray"), std::string::npos);
}

TEST(Efficiency, of_the_user_wins) {
  EXPECT_EQ(flows("kind = \"uec\"\n", "efficiency = 0.5\n").engine.efficiency, 0.5);
  EXPECT_EQ(flows("kind = \"uec\"\n", "calibrated = false\n").engine.efficiency, 1);
}

TEST(Efficiency, for_settings_that_were_not_calibrated_is_an_assumption) {
  const Scenario cubic = flows("kind = \"tcp\"\ncontrol = \"cubic\"\n", "calibrated = true\n");
  EXPECT_EQ(cubic.engine.efficiency, stored("tcp-ecmp"));
  EXPECT_EQ(note_of(cubic)->origin.status, Status::assumed);
  const Scenario flowlets = flows("kind = \"roce\"\n[routing]\npolicy = \"flowlet\"\n", "calibrated = true\n");
  EXPECT_EQ(flowlets.engine.efficiency, stored("roce-adaptive"));
  const Scenario pinned = flows("kind = \"roce\"\n[routing]\npolicy = \"pinned\"\n", "calibrated = true\n");
  EXPECT_EQ(pinned.engine.efficiency, stored("roce-ecmp"));
  EXPECT_EQ(note_of(pinned)->origin.status, Status::assumed);
}

}  // namespace
}  // namespace railyard
