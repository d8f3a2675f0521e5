// From what was tried to what to do.
#pragma once

#include <string>
#include <vector>

#include "analysis/results.h"
#include "answer/trial.h"

namespace railyard {

/// A change that moves the outcome by less is not worth saying.
inline constexpr double kWorthSaying = 0.0005;

/// Hardware that gains less is not worth buying.
inline constexpr double kWorthBuying = 0.005;

/// Less hardware is advised where it costs no more than this.
inline constexpr double kWithoutLoss = 0.005;

/// What to change, with the gain that a rerun had.
struct Advice {
  std::string run, kind, change, command;
  std::vector<std::string> set;
  ChangeOf of = ChangeOf::setting;
  std::string metric;  // what was measured: "step", or a collective
  double before_s = 0, after_s = 0;
  double gain = 0;        // before / after - 1
  double of_step = 0;     // the same for the whole step; for a collective, what its exposed part alone would give
  bool keeps = false;     // the change makes things worse: what is there should stay
  bool cheaper = false;   // less hardware does as well
  bool is_luck = false;   // hashes were drawn several times, and before and after overlap
  std::string cost = {};  // what a change of hardware takes: parts, power, price as far as known
  std::string confidence = {};
  std::string text = {};  // all of it in a sentence
};

/// What is asked about, before anything was changed.
struct Baseline {
  std::string run, label;  // its id among others, and its name for people
  std::string metric;      // "step", "all_reduce of 1 GiB"
  double time_s = 0;       // on average over all draws
  DrawnTimes draws = {};   // of it; zero: one
  std::optional<Hardware> hardware = {};
  double resolves = 0.03;  // relative error of such predictions: differences below it are less sure
};

/// REQUIRES: the trial was run and not refused.
Advice advice_of(const Baseline& before, const Trial& trial);

/// Its gain as tables and pages show it: "+10.2 %", "-4.0 %"; "≥ 2.0 %" where a collective was tried instead of the step.
std::string gain_of(const Advice& advice);

/// What is luck is left out. What helps first, by how much; then what would do with less hardware; then what should stay as it
/// is. What neither gains nor costs half a per mille is left out, but for less hardware.
void rank(std::vector<Advice>& advice);

/// Whether a run is so small that trying changes takes seconds: by counted work, so that equal input has equal output.
bool is_quick_to_repeat(const Results& results);
/// The same with a twentieth of the work.
bool is_small(const Results& results);

/// Tries changes of a scenario that was run, and draws `before` again as often as the question asks. Each costs about as much
/// as the run itself. Changes that were run and are not worth saying go to `without_effect`, in words.
std::vector<Advice> advise(const Question& question, const Scenario& scenario, Baseline& before, const Catalog& catalog,
                           unsigned threads, Progress& progress, std::vector<std::string>& without_effect);

}  // namespace railyard
