// A training step for people and for programs.
#pragma once

#include "analysis/results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// REQUIRES: results.step.
Report step_report(const Results& results);
/// Adds the members of a training step (docs/results.md).
void add_step(const StepResults& step, Document& out);

// Parts that `explain` shows too.
TextTable traffic_table(const StepResults& step);     // in short
TextTable primitives_table(const StepResults& step);  // with primitives, ranks and times
TextTable groups_table(const StepResults& step);
TextTable memory_table(const StepResults& step);
TextTable breakdown_table(const StepResults& step);

/// Bytes as text, for numbers that are means.
std::string mean_bytes(double bytes);

}  // namespace railyard
