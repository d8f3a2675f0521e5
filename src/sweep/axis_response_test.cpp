// What a figure answers to numbers, names and hypercubes, and how a page draws it.
#include "sweep/axis_response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sweep/sweep_report.h"

namespace railyard {
namespace {

Document whole(std::int64_t number) { return Document(Document::Value(number)); }
Document text(const std::string& value) { return Document(value); }

/// Points with these values of axes, and a figure of each.
SweepTable table_of_points(std::vector<std::string> axes, const std::vector<std::pair<std::vector<Document>, double>>& points) {
  SweepTable table{"a sweep", "1.0", "x", std::move(axes), {"time_s"}, {}, {}};
  for (const auto& [values, figure] : points) {
    table.points.push_back(values);
    table.rows.push_back({std::isnan(figure) ? PointStatus::refused : PointStatus::ok, "", "", {figure}});
  }
  return table;
}

const AxisResponse& response_to(const std::string& axis, const std::vector<AxisResponse>& responses) {
  for (const AxisResponse& one : responses)
    if (one.axis == axis) return one;
  ADD_FAILURE() << axis;
  return responses.front();
}

TEST(AxisResponses, numbers_with_units_lie_where_they_are) {
  std::vector<std::pair<std::vector<Document>, double>> points;
  for (const auto& [rate, size] : {std::pair{"100 Gb/s", 1}, {"200 Gb/s", 2}, {"400 Gb/s", 3}, {"800 Gb/s", 4}})
    for (const char* const policy : {"ecmp", "adaptive"})
      points.push_back({{text(rate), whole(size), text(policy)}, static_cast<double>(size)});
  const std::vector<AxisResponse> all = axis_responses(table_of_points({"fabric.link_rate", "size", "policy"}, points), 0);
  const AxisResponse& rate = response_to("fabric.link_rate", all);
  EXPECT_EQ(rate.scale, AxisScale::log) << "each is twice the last";
  EXPECT_EQ(rate.unit, "Gb/s");
  EXPECT_EQ(rate.values[3].at, 800);
  EXPECT_EQ(response_to("size", all).scale, AxisScale::linear);
  const AxisResponse& policy = response_to("policy", all);
  EXPECT_EQ(policy.scale, AxisScale::names);
  EXPECT_EQ(policy.values[0].text, "ecmp");
  EXPECT_DOUBLE_EQ(policy.values[0].mean, 2.5);
}

TEST(AxisResponses, a_hypercube_is_shown_in_ranges_with_equally_many_points) {
  std::vector<std::pair<std::vector<Document>, double>> points;
  for (int i = 0; i < 120; i++) {
    const int k = i * 77 % 120;  // every number once, in some order
    points.push_back({{text(std::to_string(k) + " us"), whole(k % 2 == 0 ? 7 : k), whole(i)}, 3.0 * k});
  }
  points[5].second = NAN;
  const std::vector<AxisResponse> all = axis_responses(table_of_points({"delay", "half", "engine.seed"}, points), 0);
  ASSERT_EQ(all.size(), 2U) << "seeds are names, and these are too many";
  const AxisResponse& delay = response_to("delay", all);
  ASSERT_EQ(delay.values.size(), 12U);
  EXPECT_EQ(delay.values[0].text, "0 to 9 us");
  EXPECT_DOUBLE_EQ(delay.values[0].at, 4.5);
  EXPECT_DOUBLE_EQ(delay.values[0].mean, 3 * 4.5);
  std::size_t counted = 0;
  for (const AxisResponse::Value& value : delay.values) counted += value.points;
  EXPECT_EQ(counted, 119U);
  std::size_t most = 0;
  for (const AxisResponse::Value& value : response_to("half", all).values) most = std::max(most, value.points);
  EXPECT_GE(most, 60U) << "points of one number are in one range";
}

TEST(AxisResponses, a_page_draws_what_the_tables_say) {
  const double none = SweepRow::none();
  const SweepTable table = table_of_points(
      {"a", "b"},
      {{{whole(1), text("x")}, 2}, {{whole(1), text("y")}, 4}, {{whole(2), text("x")}, 8}, {{whole(2), text("y")}, none}});
  const PageDrawings drawn = sweep_drawings(table, 0);
  ASSERT_EQ(drawn.curves.size(), 2U);
  EXPECT_EQ(drawn.curves[0].title, "time_s by a");
  EXPECT_EQ(drawn.curves[0].scale, "linear");
  EXPECT_EQ(drawn.curves[1].scale, "names");
  EXPECT_DOUBLE_EQ(drawn.curves[0].points[0].mean, 3);
  EXPECT_DOUBLE_EQ(drawn.curves[0].points[0].least, 2);
  EXPECT_DOUBLE_EQ(drawn.curves[0].points[0].most, 4);
  ASSERT_TRUE(drawn.map);
  EXPECT_EQ(drawn.map->rows, (std::vector<std::string>{"1", "2"}));
  EXPECT_DOUBLE_EQ(drawn.map->cells[1][0].value, 8);
  EXPECT_TRUE(std::isnan(drawn.map->cells[1][1].value));
  const Document page = report_page("1.0", "railyard sweep show x.db", sweep_report(table, 0), drawn);
  EXPECT_EQ(page.at_path("report.map.cells")->items()->size(), 3U) << "what has no figure has no cell";
  EXPECT_TRUE(sweep_drawings(table, std::nullopt).curves.empty());
}

}  // namespace
}  // namespace railyard
