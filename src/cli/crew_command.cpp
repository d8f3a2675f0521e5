#include "cli/crew_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

#include "base/printable.h"
#include "base/program.h"
#include "sweep/mpi/load_link.h"

namespace railyard {

Result<CommandCrew> CommandCrew::join(const Options& options) {
  const std::optional<TeamPlace> place = team_place();
  if (!place || place->size < 2) return CommandCrew(nullptr, Crew(options.threads));
  const Result<const RailyardTeamLink*> link = load_team_link();
  if (!link) return link.error();
  return CommandCrew(*link, Crew(**link, options.threads));
}

std::string CommandCrew::question_of(const ScenarioText& text, const Options& options) {
  return fmt::format("{}\n{}\n{}", program_name(), fmt::join(overrides_of(options), "\n"), text.fingerprint());
}

int CommandCrew::refuse(const Diagnostics& why, const Options& options) const {
  return leave(crew_.is_first() ? complain(why, options) : kFine);
}

int CommandCrew::leave(int outcome) const {
  if (link_) link_->finish(link_->self);
  return outcome;
}

int CommandCrew::stop(const Options& options) const {
  if (crew_.is_first())
    std::cerr << "railyard: stopped: what was measured is kept in " << printable(options.journal)
              << "; the same command goes on from there\n";
  return kFoundErrors;
}

int CommandCrew::give_up(const TeamBroken& broken, const Options& options) const {
  return complain({{Severity::error, "RY-SEA-005", broken.why, "start the same command with the same build everywhere", {}}},
                  options);
}

}  // namespace railyard
