// A replayed trace, as text and as JSON.
#pragma once

#include "analysis/results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// What a person sees after a run of [trace]. REQUIRES: results of one.
Report trace_report(const Results& results);

/// Adds `trace` to the results (docs/results.md).
void add_trace(const TraceResults& trace, Document& out);

}  // namespace railyard
