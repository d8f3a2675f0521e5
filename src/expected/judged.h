// Measurements beside what is expected of them: curves of collectives, and steps of a training job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "expected/curve.h"

namespace railyard {

/// One curve beside what is expected of it.
struct JudgedCurve {
  Curve curve;
  std::vector<double> expected;  // seconds, by point; empty where it cannot be predicted
  double ratio = 0;              // measured over expected bandwidth where large buffers level off; 0: not known
  double least = 0;              // the ratio below which it is slow: what predictions may be off by
  bool is_slow = false;
  bool is_fast = false;  // above what predictions may be off by: the scenario does not describe this cluster
};

[[nodiscard]] JudgedCurve judged_curve(const Curve& curve, const std::vector<double>& expected);

/// Steps of a training log beside the scenario's.
struct JudgedSteps {
  std::string file, framework;
  std::size_t steps = 0;
  double median_s = 0, p95_s = 0;
  std::optional<double> expected_s;  // of a scenario with a model
};

[[nodiscard]] std::vector<JudgedSteps> judged_steps(const Measurements& measured, const Scenario& scenario, Progress& progress);

/// How long a step of the scenario's model takes; none without a model, or where it cannot be run.
[[nodiscard]] std::optional<double> expected_step(const Scenario& scenario, Progress& progress);

}  // namespace railyard
