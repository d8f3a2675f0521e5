// What switches that reduce would do for a job's all-reduces.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "tools/compare/compare.h"

namespace railyard {

/// An all-reduce among as many GPUs as share gradients (128 at most), once around a ring and once in the switches, on the
/// scenario's own fabric. Nothing where gradients are not shared.
std::optional<ReductionTrial> try_reduction(const std::string& name, const std::vector<std::string>& overrides,
                                            const Scenario& scenario, const Catalog& catalog);

}  // namespace railyard
