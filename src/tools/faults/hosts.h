// GPUs that become slow, and servers that are lost: what the job can be run with instead.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plan/scenario.h"
#include "sim/run.h"

namespace railyard {

/// The job as it goes on. It may have fewer GPUs, another batch, or other seats.
struct HostTrial {
  struct Draw {
    std::string name;              // of what is slow or lost: "server 0"
    std::vector<std::string> set;  // overrides
  };
  std::string what;                       // "server lost: a spare in its place"
  std::vector<Draw> draws = {};           // empty: it cannot be done
  std::string refused = {};               // why not
  std::uint32_t gpus = 0;                 // that compute
  std::uint32_t batch = 0;                // sequences of a step; 0: it is no step
  double work = 1;                        // of a step, over that of the whole job's
  std::vector<std::string> against = {};  // overrides of what it is compared with: none is the job as it is
};

/// What a scenario refuses with these overrides on top of its own; empty if it can be played.
using WhyRefused = std::function<std::string(const std::vector<std::string>&)>;

/// For a training step: one GPU that computes longer (training.straggler), one data-parallel replica fewer (as few as the plan
/// allows) with the batch kept or smaller, and a spare server. For the rest, the spare alone. `whole` is the job's own run.
std::vector<HostTrial> host_trials(const Scenario& scenario, const Run& whole, const WhyRefused& why_refused);

}  // namespace railyard
