// `railyard run` and `check` for files with several jobs, [[job]].
#pragma once

#include "cli/options.h"
#include "plan/cluster_jobs.h"

namespace railyard {

/// Plays all jobs and tells what they do to each other.
int run_jobs_command(const ClusterJobs& cluster, const Options& options);

}  // namespace railyard
