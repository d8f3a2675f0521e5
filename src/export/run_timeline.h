// A run over time, for Perfetto and chrome://tracing (docs/integrations.md): what stages compute when and what waits for it,
// every transfer, how full links and queues are.
#pragma once

#include "analysis/results.h"
#include "export/trace_events.h"
#include "export/transfer_log.h"
#include "sim/simulate.h"

namespace railyard {

/// Nothing is left out. `transfers`: of the run, where an engine told them.
void write_timeline(const Run& run, const Results& results, const TransferLog& transfers, const TextSink& sink);

}  // namespace railyard
