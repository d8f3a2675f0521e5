// From a scenario and the run of its step to weeks of training.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "plan/scenario.h"
#include "sim/run.h"
#include "tools/goodput/checkpoint.h"
#include "tools/goodput/job.h"
#include "tools/goodput/request.h"

namespace railyard {

struct TrainingWeeks {
  TrainingJob job;
  CheckpointCost checkpoint;
  std::uint32_t gpus = 0, servers = 0;
  double step_s = 0, tokens_per_step = 0;
  double tokens = 0;            // the goal; of --days what they would yield without any loss
  double best_interval_s = 0;   // by the closed form, whatever is used
  double interval_steps = 0;    // of what is used
  bool interval_given = false;  // by the scenario
};

/// REQUIRES: a [model] and a [reliability]; `run` is the run of its step. Refuses what cannot be: see docs/diagnostics.md,
/// RY-REL.
Result<TrainingWeeks> make_training_weeks(const Scenario& scenario, const Run& run, const GoodputRequest& request);

}  // namespace railyard
