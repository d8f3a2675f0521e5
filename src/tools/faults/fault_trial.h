// How a journal keeps what a run with something broken came to, and processes tell it each other.
#pragma once

#include "search/problem.h"
#include "tools/faults/outcome.h"

namespace railyard {

/// As values, and the sentence of what does not end; and back. REQUIRES: values are of that kind.
Outcome trial_of_fault(const FaultOutcome& fault);
FaultOutcome fault_of_trial(const Outcome& outcome);

}  // namespace railyard
