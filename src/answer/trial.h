// A scenario run again with something changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/hardware.h"
#include "base/choice.h"
#include "base/progress.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "scenario/load.h"
#include "sim/run.h"

namespace railyard {

/// What a change asks of whoever makes it.
enum class ChangeOf : std::uint8_t { setting, job, repair, hardware, less_hardware };
template<>
struct ChoiceNames<ChangeOf> {
  static constexpr std::string_view names[] = {"setting", "job", "repair", "hardware", "less hardware"};
};

/// From the least to the most of several runs.
struct DrawnTimes {
  double least = 0, most = 0;
};

/// What cannot be built or run is kept with the reason.
struct Trial {
  std::string kind;              // "adaptive routing"
  std::string change;            // in words
  std::vector<std::string> set;  // the same as overrides
  ChangeOf of = ChangeOf::setting;
  std::string command = {};               // that repeats it
  bool is_advice = true;                  // else for a table alone
  double step_s = 0;                      // what outcome_s() says, on average over all draws; 0 where it was refused
  DrawnTimes draws = {};                  // of it
  std::string refused = {};               // why
  std::optional<Hardware> hardware = {};  // of a change of it
};

/// A scenario as the user named it.
struct Question {
  std::string name;  // a preset or a file
  std::vector<std::string> overrides;
  std::vector<std::uint64_t> seeds = {};  // to run it with, one after the other; empty: the one it has
};

/// Seeds to run a scenario with, so that luck is told from cause: several where switches hash flows to paths, none where
/// nothing is drawn. More where a run is a small part of what is_quick_to_repeat() allows.
std::vector<std::uint64_t> seeds_for(const Scenario& scenario, bool is_small);

/// One list of overrides after the other: later ones win.
std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b);

/// What is wrong with values that somebody wants to try, each an override: no such key, no such word, out of range. The first
/// of each key is told; what only other keys forbid is not.
Diagnostics wrong_values(const Question& question, const Catalog& catalog, const std::vector<std::string>& sets,
                         const LoadOptions& options = {});

/// How long what the run is about took, in seconds: the step, the collective of the largest size, all messages. Nothing where
/// some of it never ended.
std::optional<double> outcome_s(const Run& run);

/// Runs it. A step that needs more memory than its GPUs have is refused.
void try_out(const Question& question, const Catalog& catalog, Trial& trial, Progress& progress);

}  // namespace railyard
