// Counters, distributions and what is counted by port, as JSON.
#pragma once

#include "analysis/distribution.h"
#include "analysis/packets/counters_results.h"
#include "analysis/port_collectives.h"
#include "base/document.h"

namespace railyard {

/// `port_priorities`, `nics` and `queue_time_ns` of a packet run.
void add_counters(const CounterResults& counters, Document& out);

/// Shares of all values that are no larger than `unit`.
Document cdf_document(const std::vector<CdfPoint>& points, const char* unit);

Document by_port_document(const CollectivesByPort& by_port);

}  // namespace railyard
