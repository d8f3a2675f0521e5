#include "tools/fabric/picture/dot.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard {
namespace {

std::string dot_of(const Scenario& scenario) {
  const Result<Fabric> fabric = testing::build_fabric(scenario);
  EXPECT_TRUE(fabric.has_value());
  return fabric_dot(*fabric, summarise(scenario, *fabric, builtin_catalog()));
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) found++;
  return found;
}

TEST(FabricDot, has_an_edge_per_pair_of_nodes_with_its_cables) {
  const std::string dot = dot_of(testing::leaf_spine(8, 4, 1, 400_Gbps, 150_ns));
  EXPECT_EQ(count(dot, " -- "), 8U + 2 * 4);  // four spines
  EXPECT_EQ(count(dot, "subgraph cluster_"), 2U);
  EXPECT_EQ(count(dot, "{"), count(dot, "}"));
  EXPECT_NE(dot.find("\"leaf 0\""), std::string::npos);
}

TEST(FabricDot, folds_large_fabrics_and_says_so) {
  const std::string dot = dot_of(testing::servers(Topology::rail_optimized, 4096, 8, 64, 3600_Gbps));
  EXPECT_NE(dot.find("hosts of a leaf are drawn as one node"), std::string::npos);
  EXPECT_LT(count(dot, "\n"), 20'000U);
}

TEST(FabricDot, quotes_names) {
  Scenario scenario = testing::star(2, 400_Gbps, 150_ns);
  scenario.name = "a \"quoted\" \\ name\x1b\xC2\x9B";
  EXPECT_NE(dot_of(scenario).find(R"(label="a \"quoted\" \\ name??";)"), std::string::npos);
}

}  // namespace
}  // namespace railyard
