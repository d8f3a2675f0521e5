#include "cli/run_team.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/progress.h"
#include "base/version.h"
#include "cli/commands.h"
#include "engine/team.h"
#include "sim/team.h"
#include "sweep/mpi/load_link.h"

namespace railyard {

namespace {

/// What a process has to say the first says, too.
void fall_silent() {
  for (std::FILE* const stream : {stdout, stderr})
    if (std::freopen("/dev/null", "w", stream) == nullptr) std::fclose(stream);
}

}  // namespace

Result<std::unique_ptr<RunTeam>> RunTeam::join() {
  const std::optional<TeamPlace> place = team_place();
  if (!place || place->size < 2) return std::unique_ptr<RunTeam>();
  if (place->rank > 0) fall_silent();
  const Result<const RailyardTeamLink*> link = load_team_link();
  if (!link) return link.error();
  return std::unique_ptr<RunTeam>(new RunTeam(**link));
}

Diagnostics RunTeam::refuse(const Loaded& loaded, const std::string& text, const Options& options) {
  const auto refused = [](const std::string& what, const std::string& hint) {
    return Diagnostics{{Severity::error, "RY-RUN-089", "several processes do not play " + what, hint, {}}};
  };
  if (options.files.front() == "-") return refused("a scenario from standard input", "write it to a file that all of them see");
  if (!options.pcap.file.empty()) return refused("a run whose frames are captured", "leave --pcap out, or mpirun");
  if (!loaded.scenario) return refused("several jobs", "leave mpirun out");
  const Scenario& scenario = *loaded.scenario;
  if (scenario.workload.serving) return refused("serving", "leave mpirun out");
  if (Diagnostics found = not_over_processes(scenario); !found.empty()) return found;
  const std::string read = std::string(kVersion) + '\n' + text;
  for (unsigned to = 0; to < post_.size(); to++) post_.outbox(to) = read;
  post_.swap();
  for (unsigned from = 0; from < post_.size(); from++)
    if (from != post_.rank() && post_.inbox(from) != read)
      return {{Severity::error,
               "RY-RUN-090",
               fmt::format("process {} has another scenario or version of the program than process {}",
                           std::max(from, post_.rank()), std::min(from, post_.rank())),
               "start the same version everywhere, in a folder that all machines share",
               {}}};
  return {};
}

int RunTeam::assist(const Scenario& scenario, const RunOptions& options) {
  try {
    Progress unseen;
    if (!simulate_together(scenario, options, post_, unseen)) return kFoundErrors;
  } catch (const TeamDone&) {
  }
  leave();
  return kFine;
}

void RunTeam::leave() { link_.finish(link_.self); }

}  // namespace railyard
