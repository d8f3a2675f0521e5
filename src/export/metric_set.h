// Families of metrics as they are filled, and the clock of their samples.
#pragma once

#include <cmath>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/units.h"
#include "export/openmetrics.h"

namespace railyard {

/// Families in the order in which they are first named.
class MetricSet {
 public:
  MetricFamily& family(std::string_view name, MetricType type, std::string_view help) {
    const auto [entry, is_new] = by_name_.try_emplace(std::string(name), families_.size());
    if (is_new) families_.push_back({std::string(name), type, std::string(help)});
    return families_[entry->second];
  }
  [[nodiscard]] std::vector<MetricFamily> take() {
    return {std::make_move_iterator(families_.begin()), std::make_move_iterator(families_.end())};
  }

 private:
  std::deque<MetricFamily> families_;                          // references stay
  std::unordered_map<std::string, std::size_t> by_name_ = {};  // never iterated
};

/// When an instant of the run is, for Prometheus.
struct MetricClock {
  double start_s = 0;   // since 1970, of the run's beginning
  double dilation = 1;  // seconds of Prometheus for one of the run

  [[nodiscard]] std::int64_t at(Picoseconds instant) const {
    return std::llround((start_s + seconds(instant) * dilation) * 1000);
  }
};

/// Adds a point; the last of several at one millisecond holds.
inline void add_point(std::vector<MetricPoint>& points, std::int64_t at, double value) {
  if (!points.empty() && points.back().milliseconds >= at)
    points.back().value = value;
  else
    points.push_back({at, value});
}

}  // namespace railyard
