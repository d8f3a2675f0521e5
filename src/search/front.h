// What is not beaten in everything by something else.
#pragma once

#include <cstdint>
#include <vector>

#include "search/problem.h"

namespace railyard {

/// For each point whether it is on the Pareto front: no other is at least as good in every measure and better in one. Of equal
/// points the first counts. REQUIRES: every point has a value for each measure.
std::vector<bool> pareto_front(const std::vector<Measure>& measures, const std::vector<std::vector<double>>& points);

/// Whether `b` is pointless beside `a`, less being better in each: `a` is no worse in any, and better in one or the first of
/// both.
bool covers(const std::vector<double>& a, PointId first, const std::vector<double>& b, PointId second);

}  // namespace railyard
