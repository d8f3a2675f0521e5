// Whether tokens can be routed to experts as the scenario says, and what may run beside that.
#pragma once

#include "base/complaints.h"
#include "catalog/facts.h"
#include "plan/workload_plan.h"
#include "scenario/read/spec.h"

namespace railyard {

struct ExpertCheck {
  const ScenarioSpec& scenario;
  const ModelFact& model;
  const ParallelPlan& parallel;
  bool known = true;  // the model's dimensions are
};

void check_experts(const ExpertCheck& of, Complaints& complaints);

}  // namespace railyard
