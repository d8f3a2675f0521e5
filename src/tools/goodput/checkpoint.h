// How large a checkpoint is, and how long it takes over this very network.
#pragma once

#include <string>

#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// Bytes, bytes per second and seconds.
struct CheckpointCost {
  double state = 0;                              // weights and optimizer of the model, once
  double host_write = 0, host_read = 0;          // of one server; weights are read by every replica
  double host_rate = 0;                          // of a server, to storage or to another's memory
  double storage_rate = 0;                       // of all storage; 0: never the limit
  double snapshot = 0;                           // from GPUs into host memory
  double write = 0, read = 0;                    // until it can be restored from; until it is restored
  double stall = 0, lag = 0;                     // what training waits for, and what goes on beside it
  std::string write_limit, read_limit, network;  // "storage", "the training network", …
};

/// REQUIRES: a [model], a [reliability] and the run of a step.
CheckpointCost checkpoint_cost(const Scenario& scenario, const Run& run);

}  // namespace railyard
