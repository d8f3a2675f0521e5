// Plays a training step on an idle network: passes in their order, collectives in closed form, stages waiting for each other.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "sim/pass_cost.h"
#include "sim/reach.h"
#include "workload/step.h"

namespace railyard {

/// Where the time of a stage goes; the parts sum to the step.
struct StageTime {
  Picoseconds compute, optimizer, host, bubble;
  Picoseconds contention;  // what compute loses to communication beside it
  GroupTimes exposed;      // collectives nothing ran beside, by kind of group
  GroupTimes hidden;       // and those that something did; not part of the sum
};

/// One pass as it happened.
struct PassTime {
  Slot slot;
  Picoseconds start, end;
};

struct StepRun {
  Step step = {};
  ClusterLinks links = {};
  Picoseconds time = {};
  std::vector<StageTime> stages = {};
  std::vector<std::vector<PassTime>> passes = {};  // by stage
  Picoseconds last_backward = {};                  // when the last stage has nothing left to compute but the optimizer
  std::optional<std::array<GroupReach, kGroupKinds>> reach = {};  // where a fabric is described
  TierRates tier_rates = {};                                      // the same
  std::string fingerprint = {};
};

StepRun run_step(const Scenario& scenario, Step step);

}  // namespace railyard
