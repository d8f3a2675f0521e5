// Which of several jobs a scenario is.
#pragma once

#include <optional>

#include "base/complaints.h"
#include "plan/job_plan.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Reads the numbers of its servers; mistakes in them are RY-JOB-002. None where it is no job.
std::optional<JobPlan> resolve_job(const ScenarioSpec& spec, Complaints& complaints);

}  // namespace railyard
