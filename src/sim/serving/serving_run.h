// Serving in closed form: how long a prompt is read, a cache is sent, a token is written; and what it is played as beside other
// jobs (docs/models.md, serving).
#pragma once

#include <vector>

#include "base/result.h"
#include "plan/cluster_jobs.h"
#include "sim/step/step_run.h"

namespace railyard {

/// One side, on an idle network.
struct ServedPass {
  Scenario scenario;  // of the pass alone
  StepRun run;        // with the time it would take without a network, and without any links
  std::uint32_t requests = 0, groups = 0;

  [[nodiscard]] Picoseconds time() const { return run.time; }
  /// What the network between scale-up domains adds, and the links inside them.
  [[nodiscard]] Picoseconds network() const { return run.time - run.free.without_network; }
  [[nodiscard]] Picoseconds scale_up() const { return run.free.without_network - run.free.time; }
  [[nodiscard]] Picoseconds compute() const { return run.free.time; }
};

struct ServingRun {
  ServedPass prefill, decode;
  double cache_token = 0;                    // bytes of one token, all layers
  Bytes cache;                               // of one request: the prompt's
  Picoseconds transfer;                      // of it, by itself
  double prefill_rate = 0, decode_rate = 0;  // requests per second that either side could do
  double rate = 0;                           // that there are: what was asked for, or what both can do

  [[nodiscard]] Picoseconds first_token() const { return prefill.time() + transfer; }
  [[nodiscard]] Picoseconds next_token() const { return decode.time(); }
};

/// REQUIRES: scenario.workload.serving. Refuses what does not fit into memory (RY-SRV-006), and more requests than decode or
/// prefill keep up with (RY-SRV-007, RY-SRV-008).
Result<ServingRun> run_serving(const Scenario& scenario);

/// Jobs that serve as what they are played as: passes of either side, and the caches between them. Others as they are.
Result<ClusterJobs> with_serving_parts(const ClusterJobs& cluster);

/// Serving by itself as one job of a cluster.
ClusterJobs serving_alone(const Scenario& scenario);

}  // namespace railyard
