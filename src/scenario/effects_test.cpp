#include "scenario/effects.h"

#include <gtest/gtest.h>

#include "scenario/read/keys.h"
#include "scenario/testing.h"

namespace railyard {
namespace {

using testing::scenario_of;

std::string traffic(const std::string& fidelity, const std::string& more) {
  return "name = \"t\"\n[traffic]\npattern = \"incast\"\nsize = \"1 MB\"\n[cluster]\ngpus = 8\n[fabric]\n"
         "link_rate = \"100 Gb/s\"\nlink_delay = \"300 ns\"\nswitch_latency = \"500 ns\"\n[engine]\nfidelity = \"" +
         fidelity + "\"\n" + more;
}

std::vector<std::string> warnings_of(const std::string& text) {
  std::vector<std::string> all;
  for (const Diagnostic& d : keys_without_effect(scenario_of(text))) all.push_back(d.code + " " + d.message);
  return all;
}

using Warnings = std::vector<std::string>;

TEST(KeysWithoutEffect, retries_over_flows) {
  EXPECT_EQ(warnings_of(traffic("flow", "[transport]\nretries = 3\n")),
            Warnings{"RY-RUN-020 transport.retries has no effect: the flow engine simulates no packets"});
  EXPECT_EQ(warnings_of(traffic("packet", "[transport]\nretries = 3\n")), Warnings{});
}

TEST(KeysWithoutEffect, trim_size_where_nothing_trims) {
  EXPECT_EQ(warnings_of(traffic("packet", "[transport]\ntrim_size = 64\n")),
            Warnings{"RY-RUN-020 transport.trim_size has no effect: switches do not trim"});
  EXPECT_EQ(warnings_of(traffic("packet", "[transport]\nkind = \"uec\"\ntrim_size = 64\n")), Warnings{});
}

TEST(KeysWithoutEffect, dscp_of_cnps_anywhere) {
  for (const char* fidelity : {"analytic", "flow", "packet"})
    EXPECT_EQ(warnings_of(traffic(fidelity, "[transport.dcqcn]\ncnp_dscp = 48\n")),
              Warnings{"RY-RUN-020 transport.dcqcn.cnp_dscp has no effect: nothing in a run depends on it"});
}

TEST(KeysWithoutEffect, a_section_is_warned_about_once) {
  const std::string step =
      "name = \"s\"\n[model]\npreset = \"llama3-8b\"\n[training]\nglobal_batch = 8\n[slice]\nlength = \"5 us\"\nranks = 0\n"
      "[cluster]\ngpu = \"H100-SXM-80\"\ngpus = 8\ngpus_per_node = 8\n[fabric]\ntopology = \"leaf-spine\"\n"
      "[parallel]\ncontext_method = \"ring\"\n[engine]\nfidelity = \"flow\"\n";
  EXPECT_EQ(warnings_of(step), (Warnings{"RY-RUN-020 slice has no effect: it is for fidelity = \"packet\"",
                                         "RY-RUN-020 parallel.context_method has no effect: parallel.context is 1"}));
}

TEST(KeysWithoutEffect, every_condition_has_words) {
  for (const Section& section : scenario_sections())
    for (const ScenarioKey& key : section.keys)
      for (const EffectCondition& condition : key.effect.conditions) {
        EXPECT_FALSE(std::string_view(condition.when).empty()) << section.path << '.' << key.name;
        EXPECT_FALSE(std::string_view(condition.otherwise).empty()) << section.path << '.' << key.name;
      }
}

}  // namespace
}  // namespace railyard
