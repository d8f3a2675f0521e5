#include "export/openmetrics.h"

#include <gtest/gtest.h>

namespace railyard {
namespace {

std::string written(const std::vector<MetricFamily>& families, bool openmetrics) {
  std::string text;
  const TextSink sink = [&](std::string_view more) { text += more; };
  openmetrics ? write_openmetrics(families, sink) : write_exposition(families, sink);
  return text;
}

std::vector<MetricFamily> two_families() {
  MetricFamily counter{"node_infiniband_port_data_transmitted_bytes", MetricType::counter, "Octets"};
  counter.series.push_back({"_total", label_text({{"device", "mlx5_0"}}), {{1'000, 0}, {2'500, 4096}}});
  MetricFamily info{"railyard_run", MetricType::info, "The run"};
  info.series.push_back({"_info", label_text({{"name", "a \"b\" \\ c\nd"}}), {{1'000, 1}}});
  return {counter, info};
}

TEST(OpenMetrics, has_every_point_with_its_time_and_an_end) {
  EXPECT_EQ(written(two_families(), true),
            "# HELP node_infiniband_port_data_transmitted_bytes Octets\n"
            "# TYPE node_infiniband_port_data_transmitted_bytes counter\n"
            "node_infiniband_port_data_transmitted_bytes_total{device=\"mlx5_0\"} 0 1.000\n"
            "node_infiniband_port_data_transmitted_bytes_total{device=\"mlx5_0\"} 4096 2.500\n"
            "# HELP railyard_run The run\n"
            "# TYPE railyard_run info\n"
            "railyard_run_info{name=\"a \\\"b\\\" \\\\ c\\nd\"} 1 1.000\n"
            "# EOF\n");
}

TEST(OpenMetrics, an_exporter_shows_the_last_values_under_whole_names) {
  EXPECT_EQ(written(two_families(), false),
            "# HELP node_infiniband_port_data_transmitted_bytes_total Octets\n"
            "# TYPE node_infiniband_port_data_transmitted_bytes_total counter\n"
            "node_infiniband_port_data_transmitted_bytes_total{device=\"mlx5_0\"} 4096\n"
            "# HELP railyard_run_info The run\n"
            "# TYPE railyard_run_info gauge\n"
            "railyard_run_info{name=\"a \\\"b\\\" \\\\ c\\nd\"} 1\n");
}

TEST(OpenMetrics, points_that_say_nothing_new_are_left_out_but_none_for_long) {
  std::vector<MetricPoint> points;
  for (std::int64_t i = 0; i <= 1000; i++) points.push_back({i * 1000, i < 500 ? 0.0 : static_cast<double>(i)});
  thin_points(points);
  EXPECT_EQ(points.front().milliseconds, 0);
  EXPECT_EQ(points.back().milliseconds, 1'000'000);
  EXPECT_LT(points.size(), 540U);
  std::size_t before_change = 0;
  for (std::size_t i = 1; i < points.size(); i++) {
    EXPECT_LE(points[i].milliseconds - points[i - 1].milliseconds, 15'000);
    if (points[i].milliseconds == 499'000) before_change++;
  }
  EXPECT_EQ(before_change, 1U) << "a counter begins to rise where it does, not where it last changed";
}

TEST(OpenMetrics, what_never_changes_has_few_points) {
  std::vector<MetricPoint> points;
  for (std::int64_t i = 0; i <= 1000; i++) points.push_back({i * 1000, 7});
  thin_points(points);
  EXPECT_EQ(points.size(), 6U);
  EXPECT_EQ(held_points(0, 1'000'000, 7).size(), 6U);
}

}  // namespace
}  // namespace railyard
