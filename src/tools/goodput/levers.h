// What may be changed to lose less time, each with what it gains.
#pragma once

#include <string>
#include <vector>

#include "tools/goodput/make_job.h"
#include "tools/goodput/monte_carlo.h"

namespace railyard {

/// A change of [reliability], as overrides; the rest is filled once it was drawn.
struct GoodputLever {
  std::string change;            // in words
  std::vector<std::string> set;  // the same as overrides
  bool is_cheaper = false;       // it spares hardware, and need not gain
  std::string command = {};      // that repeats it
  double share = 0, days = 0;    // effective training time and days to the goal, with it
  RunSpread gain = {};           // of the share, run by run with the same failures
  std::string refused = {};      // why it cannot be
};

/// Changes that make sense here, not drawn yet: none that is there already.
std::vector<GoodputLever> goodput_levers(const Scenario& scenario, const TrainingWeeks& weeks, const DrawnWeeks& drawn);

}  // namespace railyard
