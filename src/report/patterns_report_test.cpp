#include "report/patterns_report.h"

#include <gtest/gtest.h>

#include <sstream>

namespace railyard {
namespace {

Patterns made() {
  Patterns patterns;
  patterns.volumes = {{"primitive", {{"all_gather", 300, 100}, {"send", 100, 100}}}};
  patterns.flow_sizes = {flow_sizes("message", "One message.", {{200e6, 1}, {1e3, 3}})};
  PointPattern point{.where = "NIC", .name = "GPU 3 to leaf 0", .capacity_gbps = 400};
  point.resolutions = {{.resolution_s = 1e-5, .mean_gbps = 12.3456789, .peak_gbps = 380}};
  point.whole = {.from_s = 0, .bin_s = 0.5, .rows = {{"send (boundary)", {123.456, 0}}}};
  patterns.points = {point};
  patterns.timeline = StageTimeline{.stages = {{0, {{0_us, 1500_us, SpanKind::backward}}}}, .left_out = 3, .thinned = {}};
  patterns.matrix = TrafficMatrix{"ranks", {"rank 0", "rank 1"}, {{0, 5}, {7, 0}}};
  return patterns;
}

double number(const Document& document, const char* path) {
  double storage = 0;
  const Document* found = document.at_path(path);
  return found && found->number(storage) ? *found->number(storage) : -1;
}

TEST(PatternsReport, members_are_those_of_the_results_and_only_those_there_are) {
  const Document out = patterns_document(made());
  EXPECT_EQ(number(out, "volumes[0].rows[0].share"), 0.75);
  EXPECT_EQ(number(out, "volumes[0].rows[1].scale_out_share"), 0.5);
  EXPECT_EQ(number(out, "flow_sizes[0].elephants.count_share"), 0.25);
  EXPECT_EQ(number(out, "flow_sizes[0].mice.count_share"), 0.75);
  EXPECT_EQ(number(out, "bursts[0].resolutions[0].mean_gbps"), 12.3457);
  EXPECT_EQ(number(out, "over_time[0].rows[0].gbps[0]"), 123.5);
  EXPECT_EQ(number(out, "timeline.stages[0].spans[0][1]"), 0.0015);
  EXPECT_EQ(number(out, "timeline.stages[0].spans[0][2]"), 1);
  EXPECT_EQ(*out.at_path("timeline.kinds[1]")->text(), "backward");
  EXPECT_NE(out.at_path("timeline.note")->text()->find("3 stages lie between"), std::string::npos);
  EXPECT_EQ(number(out, "matrix.bytes[1][0]"), 7);
  EXPECT_FALSE(out.find("incast"));
  EXPECT_FALSE(out.find("paths"));
  EXPECT_FALSE(out.at_path("bursts[0].resolutions[0].period_s"));
  EXPECT_TRUE(patterns_document({}).members()->empty());
}

TEST(PatternsReport, people_see_shares_and_sizes) {
  std::ostringstream text;
  write_terminal({"", patterns_sections(made())}, 120, text);
  EXPECT_NE(text.str().find("75.0 %"), std::string::npos);
  EXPECT_NE(text.str().find("GPU 3 to leaf 0"), std::string::npos);
  EXPECT_TRUE(patterns_sections({}).empty());
}

}  // namespace
}  // namespace railyard
