// What delays of collectives did to a training step: what of them shows, and what the rest disappeared in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/step/step_run.h"

namespace railyard {

/// One kind of collective that was delayed.
struct JitterRow {
  std::string name, group;
  std::uint64_t calls = 0, delayed = 0;  // of all stages
  double injected_s = 0, longest_s = 0;  // all delays together; one of them
  double most_s = 0;                     // added to one stage
  double change_s = 0;                   // of the step, had nothing else been delayed
  double share = 0;                      // of the latter two
};

struct JitterResults {
  double without_s = 0, change_s = 0;  // the step without delays, and what they add to it
  std::uint64_t delayed = 0;           // calls
  double injected_s = 0;               // all their delays together
  double most_s = 0;                   // added to one stage: what shows if nothing hides it and stages are late together
  double share = 0;                    // change over that
  /// What changed for the mean stage, in seconds; all but `hidden` sum to the change of the step.
  struct Mean {
    double injected = 0, exposed = 0, contention = 0, bubble = 0, hidden = 0;
  };
  Mean mean;
  std::vector<JitterRow> rows;
};

/// REQUIRES: the step has a [jitter].
JitterResults analyse_jitter(const StepRun& run);

}  // namespace railyard
