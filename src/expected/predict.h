// What the scenario's cluster should do at measured points, as it is described or with something changed.
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "expected/curve.h"

namespace railyard {

/// A scenario as the user named it.
struct ExpectationRequest {
  std::string scenario;  // a preset or a file
  std::vector<std::string> overrides;
  unsigned threads = 0;  // the result does not depend on it
};

/// Seconds at every point of every curve; a curve that cannot be run so is empty.
using PredictedTimes = std::vector<std::vector<double>>;

/// Overrides that make the scenario's collective what was measured: its kind, sizes, ranks and nodes.
[[nodiscard]] std::vector<std::string> overrides_for(const Curve& curve, const Scenario& scenario);

/// Runs the scenario for every curve with `set` beside the user's own overrides. An error where the first curve cannot be run
/// at all.
[[nodiscard]] Result<PredictedTimes> predict(const ExpectationRequest& request, const Catalog& catalog,
                                             const Scenario& scenario, const std::vector<Curve>& curves,
                                             const std::vector<std::string>& set, Progress& progress);

}  // namespace railyard
