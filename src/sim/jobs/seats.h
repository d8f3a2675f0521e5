// Which GPUs each of several jobs has.
#pragma once

#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "plan/cluster_jobs.h"

namespace railyard {

/// Who of a job sits where. Ranks of one whose hosts are another's are those, then its own.
struct JobSeats {
  Placement ranks;
  std::uint32_t own = 0;  // of them, the last: its own GPUs
};

/// Servers that are named come first, then each job is dealt what is left by its own policy, in the order of the file. Servers
/// are given whole. Refuses servers that are not there (RY-JOB-007), that two jobs have (RY-JOB-008), and jobs that need more
/// than they are given or than is left (RY-JOB-009).
Result<std::vector<JobSeats>> seat_jobs(const ClusterJobs& cluster, const Fabric& fabric);

}  // namespace railyard
