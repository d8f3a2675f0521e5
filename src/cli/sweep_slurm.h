// railyard sweep --slurm and --collect.
#pragma once

#include <filesystem>

#include "cli/options.h"
#include "sweep/ledger.h"
#include "sweep/sweep.h"

namespace railyard {

/// Writes the job array of what no journal of its folder has, and submits it where that was asked for.
int write_job_array(const Sweep& sweep, const Options& options);

/// Takes every journal of the folder. Points that none has are RY-SWP-012.
Diagnostics collect_journals(const std::filesystem::path& folder, SweepLedger& ledger);

}  // namespace railyard
