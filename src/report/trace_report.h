// A replayed trace, as text and as JSON.
#pragma once

#include "analysis/results.h"
#include "base/document.h"
#include "report/report.h"
#include "report/report_page.h"

namespace railyard {

/// What a person sees after a run of [trace]. REQUIRES: results of one.
Report trace_report(const Results& results);

/// Bars of its page: where the time of ranks went, and what operations took.
std::vector<PageBars> trace_bars(const TraceResults& trace);

/// Adds `trace` to the results (docs/results.md).
void add_trace(const TraceResults& trace, Document& out);

}  // namespace railyard
