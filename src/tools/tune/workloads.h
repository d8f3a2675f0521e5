// What settings are tried on: a set of patterns of traffic, since each of them alone asks for another setting.
#pragma once

#include <string>
#include <vector>

#include "base/document.h"
#include "plan/scenario.h"

namespace railyard {

/// Whose completion times count.
enum class TailOf : std::uint8_t { pattern, bystanders };

struct TuneWorkload {
  std::string name;              // "incast, 32 to 1"
  std::string about;             // what it stands for, in a sentence
  std::vector<std::string> set;  // overrides that make it, over an empty [traffic]
  TailOf tail = TailOf::pattern;
  bool is_incast = false;
};

/// The patterns for as many hosts as the network has: incasts, microbursts, bystanders, gradients and all-to-all of the job
/// (sizes as its step has them, within what can be played), a checkpoint beside data, and a failed link. Patterns that the
/// network has no room for are left out. REQUIRES: the network was loaded with engine.fidelity = "packet".
std::vector<TuneWorkload> tune_workloads(const Scenario& network, const Scenario& job);

}  // namespace railyard
