// What each stage of a run produced, for people who want to follow it.
#pragma once

#include "base/result.h"
#include "plan/scenario.h"
#include "report/report.h"
#include "sim/simulate.h"

namespace railyard {

/// The scenario stage alone: every key that was given and every number that was resolved from it.
Report explain_scenario(const Scenario& scenario);

/// What one rank of a training step does, op by op. Refuses ranks that are not there.
Result<Report> explain_rank(const Scenario& scenario, const Run& run, std::uint32_t rank);

/// All stages, in the order they ran.
Report explain_run(const Scenario& scenario, const Run& run);

}  // namespace railyard
