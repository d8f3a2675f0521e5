// Resolves what a workload computes with: how fast its GPU is, how it reaches others, which library carries collectives out.
#pragma once

#include "base/complaints.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills out.workload.gpu. REQUIRES: spec.model; the fabric is resolved.
void resolve_gpu(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints);

/// Fills out.workload.library. REQUIRES: spec.collective; the fabric is resolved.
void resolve_library(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out, Complaints& complaints);

}  // namespace railyard
