#include "tools/diagnose/try_causes.h"

#include <optional>
#include <utility>

#include "base/parallel.h"

namespace railyard {

CausePredictions predict_causes(const ExpectationRequest& request, const Catalog& catalog, const Scenario& scenario,
                                const std::vector<Curve>& curves, const ClusterFacts& facts, Progress& progress) {
  std::map<std::vector<std::string>, std::optional<PredictedTimes>> wanted;
  for (const SlowCause& cause : all_causes())
    for (const Variant& variant : cause.variants(facts)) wanted.try_emplace(variant.set);
  std::vector<std::pair<const std::vector<std::string>*, std::optional<PredictedTimes>*>> jobs;
  for (auto& [set, times] : wanted) jobs.emplace_back(&set, &times);
  progress.expect(jobs.size() * kPartWork);
  for_each_index(jobs.size(), request.threads, [&](std::size_t i) {
    Progress part(progress, kPartWork, "trying causes");
    Result<PredictedTimes> times = predict(request, catalog, scenario, curves, *jobs[i].first, part);
    if (times) *jobs[i].second = std::move(*times);
  });
  CausePredictions all;
  for (auto& [set, times] : wanted)
    if (times) all.by_set.emplace(set, std::move(*times));
  return all;
}

}  // namespace railyard
