#include "tools/fabric/picture/svg.h"

#include <gtest/gtest.h>

#include "fabric/build.h"
#include "fabric/testing.h"
#include "tools/fabric/picture/svg_page.h"

namespace railyard {
namespace {

std::string svg_of(const Scenario& scenario) {
  const Result<Fabric> fabric = testing::build_fabric(scenario);
  EXPECT_TRUE(fabric.has_value());
  return fabric_svg(*fabric, summarise(scenario, *fabric, builtin_catalog()));
}

TEST(FabricSvg, colours_bundles_by_oversubscription) {
  const auto colour = [](double oversubscription) {
    return svg_of(testing::leaf_spine(48, 12, oversubscription, 400_Gbps, 150_ns));
  };
  // Three lines of the legend; bundles of hosts; and those of leaves.
  EXPECT_EQ(colour(1).find("line class=\"over\" x1=\"302"), std::string::npos);
  EXPECT_NE(colour(2).find("class=\"over\" x1=\"302"), std::string::npos);
  EXPECT_NE(colour(3).find("class=\"far\" x1=\"302"), std::string::npos);
}

TEST(FabricSvg, leaves_out_what_does_not_fit_and_says_how_much) {
  const std::string svg = svg_of(testing::leaf_spine(1600, 16, 1, 400_Gbps, 150_ns));  // 100 leaves
  EXPECT_NE(svg.find("… 85"), std::string::npos);
  EXPECT_LT(svg.size(), 100'000U);
}

TEST(FabricSvg, escapes_names) {
  Scenario scenario = testing::star(2, 400_Gbps, 150_ns);
  scenario.name = "a < b & \"c\"\x01\x7f\xC2\x9B";
  EXPECT_NE(svg_of(scenario).find("a &lt; b &amp; &quot;c&quot;?"
                                  "?"
                                  "?</text>"),
            std::string::npos);
}

TEST(FabricSvg, is_as_wide_as_its_bandwidth) {
  EXPECT_DOUBLE_EQ(bundle_width(100, 200) * 2, bundle_width(200, 200));
  EXPECT_EQ(bundle_style(1), "fine");
  EXPECT_EQ(bundle_style(1.5), "over");
  EXPECT_EQ(bundle_style(3), "far");
}

}  // namespace
}  // namespace railyard
