// A plan of parallelism that fits into memory.
#pragma once

#include "tools/init/answers.h"

namespace railyard {

/// Recomputation, batch and stages for the split that was asked for: as little recomputation as fits. An error if nothing
/// does. REQUIRES: everything else is answered.
Result<TrainingPlan> plan_of_split(const InitAnswers& answers, const Catalog& catalog);

/// The plan that splits least and fits: recomputation of attention alone before all of it, no context parallelism, experts
/// inside a scale-up domain, then as few pipeline stages, as small a tensor group (never larger than the domain) and as few
/// expert ranks as can be, in this order. Plans that railyard check warns of come last. An error if none fits.
/// REQUIRES: everything but the split is answered.
Result<TrainingPlan> find_plan(const InitAnswers& answers, const Catalog& catalog);

}  // namespace railyard
