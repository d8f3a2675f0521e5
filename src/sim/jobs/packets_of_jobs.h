// How much there is to do where steps of several jobs are played packet by packet.
#pragma once

#include "base/diagnostic.h"
#include "sim/jobs/jobs_run.h"

namespace railyard {

/// Refuses steps of more packet-hops than engine.limit, in one run of all jobs together (each is played alone, too), and what
/// may need more than `memory`. Flows carry each step once to tell. Nothing where nobody trains. REQUIRES: seats, steps and
/// flow options are there.
Diagnostics too_many_packets_of_jobs(const PreparedJobs& prepared, Bytes memory);

}  // namespace railyard
