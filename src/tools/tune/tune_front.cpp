#include "tools/tune/tune_front.h"

#include <algorithm>
#include <cmath>

#include "search/front.h"

namespace railyard {

namespace {

SettingRatios ratios_of(const TriedPoint& tried, const Space& space, const std::vector<TuneWorkload>& workloads,
                        const std::vector<WorkloadFigures>& today) {
  SettingRatios out;
  for (std::size_t axis = 0; axis < space.axes().size(); axis++) out.values.push_back(space.text(tried.point, axis));
  out.set = set_of(tried.point, space);
  const std::vector<WorkloadFigures> figures = figures_of(tried.by_level.back());
  double logs[2] = {}, counts[2] = {};
  out.goodput = INFINITY;
  for (std::size_t i = 0; i < workloads.size(); i++) {
    logs[workloads[i].is_incast ? 0 : 1] += std::log(figures[i].tail_us / today[i].tail_us);
    counts[workloads[i].is_incast ? 0 : 1]++;
    out.goodput = std::min(out.goodput, figures[i].goodput_gbps / today[i].goodput_gbps);
  }
  if (counts[0] > 0) out.incasts = std::exp(logs[0] / counts[0]);
  if (counts[1] > 0) out.others = std::exp(logs[1] / counts[1]);
  return out;
}

}  // namespace

std::vector<WorkloadFigures> figures_of(const Outcome& outcome) {
  std::vector<WorkloadFigures> out;
  for (std::size_t i = kScores; i < outcome.values.size(); i += WorkloadFigures::kCount)
    out.push_back(WorkloadFigures::from(std::span(outcome.values).subspan(i, WorkloadFigures::kCount)));
  return out;
}

std::vector<std::string> set_of(PointId point, const Space& space) {
  std::vector<std::string> out;
  const std::vector<std::uint32_t> chosen = space.choices(point);
  for (std::size_t i = 0; i < chosen.size(); i++)
    if (chosen[i] != 0)
      for (const std::string& set : space.axes()[i].values[chosen[i]].set) out.push_back(set);
  return out;
}

std::vector<SettingRatios> front_of_settings(const SearchResult& search, const Space& space,
                                             const std::vector<TuneWorkload>& workloads,
                                             const std::vector<WorkloadFigures>& today) {
  std::vector<SettingRatios> all;
  std::vector<std::vector<double>> points;
  for (const TriedPoint& tried : search.ranked) {
    all.push_back(ratios_of(tried, space, workloads, today));
    points.push_back({all.back().incasts, all.back().others, all.back().goodput});
  }
  const std::vector<bool> front = pareto_front({{"incasts", "", true}, {"others", "", true}, {"goodput", "", false}}, points);
  std::vector<SettingRatios> out;
  for (std::size_t i = 0; i < all.size(); i++)
    if (front[i]) out.push_back(std::move(all[i]));
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.incasts < b.incasts; });
  return out;
}

}  // namespace railyard
