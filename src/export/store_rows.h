// The tables of a store beside that of runs: figures, ports, flows, series (run_store.h).
#pragma once

#include "analysis/results.h"
#include "base/document.h"
#include "export/sqlite.h"
#include "export/transfer_log.h"
#include "sim/simulate.h"

namespace railyard {

/// Every single value of the results, by its path.
void add_figures(SqliteConnection& connection, std::int64_t run, const Document& results);
/// Ports that carried anything; of a sweep, with the largest size.
void add_ports(SqliteConnection& connection, std::int64_t run, const Run& done);
void add_flows(SqliteConnection& connection, std::int64_t run, const TransferLog& transfers);
/// Tiers of a step; queues and rates of packets.
void add_series(SqliteConnection& connection, std::int64_t run, const Run& done, const Results& results);

}  // namespace railyard
