// Metrics as text: OpenMetrics 1.0 with every sample and its time, or what an exporter shows at the end of a run.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "export/trace_events.h"

namespace railyard {

enum class MetricType : std::uint8_t { counter, gauge, histogram, info, unknown };

/// A value at a time, in seconds since 1970 and whole milliseconds: Prometheus keeps no finer times.
struct MetricPoint {
  std::int64_t milliseconds = 0;
  double value = 0;
};

struct MetricSeries {
  std::string suffix;  // of the family's name: "_total" of counters, "_bucket"
  std::string labels;  // as text: device="mlx5_0",port="1"
  std::vector<MetricPoint> points;
};

struct MetricFamily {
  std::string name;  // a counter's without _total
  MetricType type = MetricType::gauge;
  std::string help;
  std::vector<MetricSeries> series = {};
};

/// Labels as text; values are escaped.
std::string label_text(std::initializer_list<std::pair<std::string_view, std::string_view>> labels);
void add_label(std::string& labels, std::string_view name, std::string_view value);

/// Every point. Families without series are left out.
void write_openmetrics(const std::vector<MetricFamily>& families, const TextSink& sink);

/// The last point of every series without its time, in the format that Prometheus scrapes and node_exporter's textfile
/// collector reads.
void write_exposition(const std::vector<MetricFamily>& families, const TextSink& sink);

/// Leaves out points that say nothing new, but none for more than 15 s, so that rates over a minute are known throughout; of a
/// series that never changes, none for more than four minutes: without points for five it is gone for Prometheus.
void thin_points(std::vector<MetricPoint>& points);

/// The same value all the time, as often as that takes.
std::vector<MetricPoint> held_points(std::int64_t begin, std::int64_t end, double value);

}  // namespace railyard
