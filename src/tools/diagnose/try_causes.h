// Every cause, simulated on the scenario's cluster.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/progress.h"
#include "expected/predict.h"
#include "tools/diagnose/cause.h"

namespace railyard {

/// Every variant of every cause, each run once however many causes share it.
struct CausePredictions {
  std::map<std::vector<std::string>, PredictedTimes> by_set;  // of variants that can be run
};
[[nodiscard]] CausePredictions predict_causes(const ExpectationRequest& request, const Catalog& catalog,
                                              const Scenario& scenario, const std::vector<Curve>& curves,
                                              const ClusterFacts& facts, Progress& progress);

}  // namespace railyard
