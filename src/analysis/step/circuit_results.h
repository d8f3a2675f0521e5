// What circuits that change between the phases of a training step cost and gain, in the units of a report.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/step/step_run.h"

namespace railyard {

/// A phase of the step and what pods send each other in it.
struct CircuitPhaseRow {
  std::string name;
  double sent = 0;                // bytes that leave a pod for another
  double crossed = 0, fixed = 0;  // circuits on their way, on average: as they are, and fixed for the step
};

struct CircuitResults {
  double reconfiguration_s = 0;
  std::uint32_t changes = 0;         // in a step
  std::uint32_t moved = 0, all = 0;  // circuits that a change moves, and those there are
  double dark_s = 0;                 // of those that move, in a step
  double fixed_s = 0;                // the step over circuits that the whole of it wants
  double instant_s = 0;              // the step, did changes take no time
  double cost_s = 0;                 // what their time adds to that
  double gain_s = 0;                 // what the step takes less than over fixed circuits; below 0: more
  std::vector<CircuitPhaseRow> phases;
};

/// REQUIRES: circuits of the run may change.
CircuitResults analyse_circuits(const StepRun& run);

}  // namespace railyard
