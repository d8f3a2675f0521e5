// A second transport on the NICs of several jobs: that of those who have one of their own.
#pragma once

#include <optional>

#include "base/result.h"
#include "engine/engine.h"
#include "plan/cluster_jobs.h"

namespace railyard {

/// What RY-JOB-014 is for, where it takes plans to tell: `first` has the transport of all.
Diagnostics refused_beside(const ClusterJobs& cluster, const Scenario& first);

/// What NICs do for them; none where all jobs have one transport. `packet`: how switches are set. The queue of such a job marks
/// as its transport wants it, unless packets of the other one wait there, too. REQUIRES: refused_beside() said nothing.
std::optional<TransportBeside> transport_beside(const ClusterJobs& cluster, const PacketPlan& packet);

}  // namespace railyard
