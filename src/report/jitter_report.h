// What delays of collectives did to a training step, as text and as JSON.
#pragma once

#include "analysis/step/jitter_results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// A section of the report on a step.
Report::Section jitter_section(const JitterResults& jitter);

Document jitter_document(const JitterResults& jitter);

}  // namespace railyard
