// A slice of a training step, as text and as JSON.
#pragma once

#include <vector>

#include "analysis/step/slice_results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// Sections of the report on a step.
std::vector<Report::Section> slice_sections(const SliceResults& slice);

Document slice_document(const SliceResults& slice);

}  // namespace railyard
