#include "export/openmetrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16;
constexpr std::int64_t kLongestGap = 15'000, kLongestIdle = 240'000;  // milliseconds

/// Gathers text and hands it on in large pieces.
class MetricText {
 public:
  explicit MetricText(const TextSink& sink) : sink_(sink) {}
  std::string& text() { return text_; }
  void line_done() {
    if (text_.size() >= kWrittenAtOnce) flush();
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  const TextSink& sink_;
  std::string text_;
};

std::string_view type_name(MetricType type, bool openmetrics) {
  switch (type) {
    case MetricType::counter:
      return "counter";
    case MetricType::gauge:
      return "gauge";
    case MetricType::histogram:
      return "histogram";
    case MetricType::info:
      return openmetrics ? "info" : "gauge";
    case MetricType::unknown:
      break;
  }
  return openmetrics ? "unknown" : "untyped";
}

void add_value_text(std::string& text, double value) {
  constexpr double kWhole = 1e15;
  if (value != std::floor(value) || std::abs(value) >= kWhole) {
    fmt::format_to(std::back_inserter(text), "{}", value);
    return;
  }
  const fmt::format_int whole(static_cast<std::int64_t>(value));
  text.append(whole.data(), whole.size());
}

/// " 12.345" and the end of the line.
void add_time_text(std::string& text, std::int64_t milliseconds) {
  const fmt::format_int whole(milliseconds / 1000);
  const auto rest = static_cast<int>(milliseconds % 1000);
  const char fraction[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                           static_cast<char>('0' + rest % 10), '\n'};
  text += ' ';
  text.append(whole.data(), whole.size());
  text.append(fraction, sizeof fraction);
}

/// The name as samples have it in the older format: types are of that.
std::string exposed_name(const MetricFamily& family) {
  if (family.type == MetricType::counter) return family.name + "_total";
  if (family.type == MetricType::info) return family.name + "_info";
  return family.name;
}

void write_head(const MetricFamily& family, const std::string& name, bool openmetrics, MetricText& out) {
  fmt::format_to(std::back_inserter(out.text()), "# HELP {} {}\n# TYPE {} {}\n", name, family.help, name,
                 type_name(family.type, openmetrics));
}

}  // namespace

void add_label(std::string& labels, std::string_view name, std::string_view value) {
  if (!labels.empty()) labels += ',';
  labels += name;
  labels += "=\"";
  for (const char c : value) {
    if (c == '\n') {
      labels += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') labels += '\\';
    labels += c;
  }
  labels += '"';
}

std::string label_text(std::initializer_list<std::pair<std::string_view, std::string_view>> labels) {
  std::string text;
  for (const auto& [name, value] : labels) add_label(text, name, value);
  return text;
}

void write_openmetrics(const std::vector<MetricFamily>& families, const TextSink& sink) {
  MetricText out(sink);
  for (const MetricFamily& family : families) {
    if (family.series.empty()) continue;
    write_head(family, family.name, true, out);
    for (const MetricSeries& series : family.series) {
      const std::string prefix = fmt::format("{}{}{{{}}} ", family.name, series.suffix, series.labels);
      for (const MetricPoint& point : series.points) {
        std::string& text = out.text();
        text += prefix;
        add_value_text(text, point.value);
        add_time_text(text, point.milliseconds);
        out.line_done();
      }
    }
  }
  out.text() += "# EOF\n";
  out.flush();
}

void write_exposition(const std::vector<MetricFamily>& families, const TextSink& sink) {
  MetricText out(sink);
  for (const MetricFamily& family : families) {
    if (family.series.empty()) continue;
    write_head(family, exposed_name(family), false, out);
    for (const MetricSeries& series : family.series) {
      if (series.points.empty()) continue;
      std::string& text = out.text();
      fmt::format_to(std::back_inserter(text), "{}{}{{{}}} ", family.name, series.suffix, series.labels);
      add_value_text(text, series.points.back().value);
      text += '\n';
      out.line_done();
    }
  }
  out.flush();
}

std::vector<MetricPoint> held_points(std::int64_t begin, std::int64_t end, double value) {
  std::vector<MetricPoint> points;
  for (std::int64_t at = begin; at < end; at += kLongestIdle) points.push_back({at, value});
  points.push_back({std::max(begin, end), value});
  return points;
}

void thin_points(std::vector<MetricPoint>& points) {
  const bool is_idle =
      std::all_of(points.begin(), points.end(), [&](const MetricPoint& point) { return point.value == points.front().value; });
  const std::int64_t longest = is_idle ? kLongestIdle : kLongestGap;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); i++) {
    const bool is_end = i == 0 || i + 1 == points.size();
    const bool changes = is_end || points[i].value != points[kept - 1].value || points[i + 1].value != points[i].value;
    if (changes || points[i + 1].milliseconds - points[kept - 1].milliseconds > longest) points[kept++] = points[i];
  }
  points.resize(kept);
}

}  // namespace railyard
