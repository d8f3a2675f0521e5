// Points of a sweep on threads of this machine.
#pragma once

#include <span>

#include "base/progress.h"
#include "sweep/ledger.h"
#include "sweep/sweep.h"

namespace railyard {

/// Runs points, each on one thread, whoever is free takes the next; rows go to the ledger. `threads` 0: as many as there are.
/// Throws Cancelled; then the ledger has those that were done.
void run_points(const Sweep& sweep, std::span<const std::size_t> points, unsigned threads, SweepLedger& ledger,
                Progress& progress);

}  // namespace railyard
