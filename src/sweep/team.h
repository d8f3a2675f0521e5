// Points of a sweep on several processes: the first hands out numbers and writes, all run points.
#pragma once

#include <span>

#include "base/progress.h"
#include "base/team_link.h"
#include "sweep/ledger.h"
#include "sweep/sweep.h"

namespace railyard {

/// For the first process (rank 0). Sends the others the question and its files, so that they need none; whoever has little left
/// to do gets more numbers; rows go to the ledger as they come. Each process has `threads` threads for points. Returns when
/// all are done. RY-SWP-014 where another process cannot work. Throws Cancelled.
Diagnostics lead_team(const RailyardTeamLink& link, const Sweep& sweep, const SweepQuestion& question,
                      std::span<const std::size_t> points, unsigned threads, SweepLedger& ledger, Progress& progress);

/// Tells the others that it is over.
void dismiss_team(const RailyardTeamLink& link);

/// For every other process: works until the first one says that it is over.
void join_team(const RailyardTeamLink& link, const Catalog& catalog, unsigned threads);

}  // namespace railyard
