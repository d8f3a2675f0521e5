// Synthetic traffic, as text and as JSON.
#pragma once

#include "analysis/results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// What a person sees after a run of [traffic]. REQUIRES: results of one.
Report traffic_report(const Results& results);

/// Completion times of messages, over ideal ones.
TextTable times_table(const TrafficResults& traffic);

/// Adds `flows`, `goodput_gbps`, `tiers` and the like, and what packets met, to the results (docs/results.md).
void add_traffic(const TrafficResults& traffic, Document& out);

}  // namespace railyard
