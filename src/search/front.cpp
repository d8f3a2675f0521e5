#include "search/front.h"

#include "base/check.h"

namespace railyard {

namespace {

/// Whether `a` makes `b` pointless; of two that are equal, the one that `comes_first`.
bool beats(const std::vector<Measure>& measures, const std::vector<double>& a, const std::vector<double>& b, bool comes_first) {
  bool is_better = false;
  for (std::size_t i = 0; i < measures.size(); i++) {
    const double x = measures[i].is_less_better ? a[i] : -a[i], y = measures[i].is_less_better ? b[i] : -b[i];
    if (x > y) return false;
    is_better = is_better || x < y;
  }
  return is_better || comes_first;
}

}  // namespace

std::vector<bool> pareto_front(const std::vector<Measure>& measures, const std::vector<std::vector<double>>& points) {
  std::vector<bool> on_front(points.size(), true);
  for (std::size_t i = 0; i < points.size(); i++) {
    RY_CHECK(points[i].size() == measures.size(), "a point has a value for every measure");
    for (std::size_t j = 0; j < points.size() && on_front[i]; j++)
      if (j != i && beats(measures, points[j], points[i], j < i)) on_front[i] = false;
  }
  return on_front;
}

bool covers(const std::vector<double>& a, PointId first, const std::vector<double>& b, PointId second) {
  RY_CHECK(a.size() == b.size(), "both have a value for every measure");
  bool is_better = false;
  for (std::size_t i = 0; i < a.size(); i++) {
    if (a[i] > b[i]) return false;
    is_better = is_better || a[i] < b[i];
  }
  return is_better || first < second;
}

}  // namespace railyard
