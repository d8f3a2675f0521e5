// Commands that measure many points of one scenario: on all threads of this process, or under mpirun on all processes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/stop_signals.h"
#include "search/crew.h"

namespace railyard {

/// The processes that mpirun started with this command, or this one alone.
class CommandCrew {
 public:
  /// RY-SWP-011 where mpirun started several and they cannot be joined.
  static Result<CommandCrew> join(const Options& options);

  [[nodiscard]] const Crew& crew() const { return crew_; }
  /// What this process read, for Crew::agree().
  [[nodiscard]] static std::string question_of(const ScenarioText& text, const Options& options);

  /// All processes are here, and nobody is waited for any more. The first says why there is no answer.
  int refuse(const Diagnostics& why, const Options& options) const;
  int leave(int outcome) const;

  /// Others may still wait: mpirun ends them when this process ends.
  int stop(const Options& options) const;
  int give_up(const TeamBroken& broken, const Options& options) const;

 private:
  CommandCrew(const RailyardTeamLink* link, Crew crew) : link_(link), crew_(std::move(crew)) {}

  const RailyardTeamLink* link_;
  Crew crew_;
};

/// Loads the scenario, finds an answer, and shows it. `find` is called in every process, `show` in the first. With a journal, a
/// signal stops it between two points.
template<class Answer, class Find, class Show>
int answer_with_crew(const Options& options, const Find& find, const Show& show) {
  const Result<CommandCrew> joined = CommandCrew::join(options);
  if (!joined) return complain(joined.error(), options);
  const Crew& crew = joined->crew();
  const ScenarioText text;
  const Result<Scenario> scenario = load_input(options.files.front(), overrides_of(options), options, {}, &text);
  const Diagnostics mistakes = scenario ? Diagnostics{} : scenario.error();
  if (const Diagnostics refused = crew.agree(CommandCrew::question_of(text, options), mistakes); !refused.empty())
    return joined->refuse(refused, options);
  if (crew.is_first() && options.outputs->overwrite_inputs()) return kBadInput;
  try {
    Result<Answer> answer = [&] {
      Progress progress;
      std::optional<StopSignals> signals;
      if (!options.journal.empty()) signals.emplace(progress);
      const ProgressLine line(progress, options.quiet || !crew.is_first());
      return find(*scenario, crew, progress);
    }();
    if (const Diagnostics refused = crew.agree("the end", answer ? Diagnostics{} : answer.error()); !refused.empty())
      return joined->refuse(refused, options);
    return joined->leave(crew.is_first() ? show(*answer) : kFine);
  } catch (const Cancelled&) {
    return joined->stop(options);
  } catch (const TeamBroken& broken) {
    return joined->give_up(broken, options);
  }
}

}  // namespace railyard
