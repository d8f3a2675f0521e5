// Several jobs on one fabric.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "plan/scenario.h"

namespace railyard {

/// Every job is a scenario of its own on the whole fabric, and says which it is (Scenario::job). What is not a job's own is the
/// same in all of them.
struct ClusterJobs {
  std::string name;
  std::vector<Scenario> jobs;
};

/// A mistake in the second network, as it was read: names of its tables become those that the user wrote, such as
/// [frontend.fabric].
Diagnostic told_of_front_end(Diagnostic mistake);

}  // namespace railyard
