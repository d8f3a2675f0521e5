#include "cli/run_team.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "base/printable.h"
#include "base/program.h"
#include "base/progress.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "engine/team.h"
#include "sim/team.h"
#include "sweep/mpi/load_link.h"

namespace railyard {

namespace {

/// Of what was read; a scenario that all of them may have read alike.
Diagnostics not_played(const Loaded& loaded, const Options& options) {
  const auto refused = [](const std::string& what, const std::string& hint) {
    return Diagnostics{{Severity::error, "RY-RUN-089", "several processes do not play " + what, hint, {}}};
  };
  if (options.files.front() == "-") return refused("a scenario from standard input", "write it to a file that all of them see");
  if (!options.pcap.file.empty()) return refused("a run whose frames are captured", "leave --pcap out, or mpirun");
  if (!loaded.scenario) return refused("several jobs", "leave mpirun out");
  if (loaded.scenario->workload.serving) return refused("serving", "leave mpirun out");
  return not_over_processes(*loaded.scenario);
}

constexpr char kRead = 'r', kRefused = 'x';  // what the message of a process begins with

}  // namespace

Result<std::unique_ptr<RunTeam>> RunTeam::join() {
  const std::optional<TeamPlace> place = team_place();
  if (!place || place->size < 2) return std::unique_ptr<RunTeam>();
  const Result<const RailyardTeamLink*> link = load_team_link();
  if (!link) return link.error();
  return std::unique_ptr<RunTeam>(new RunTeam(**link));
}

Diagnostics RunTeam::refuse(const Result<Loaded>& loaded, const ScenarioText& text, const Options& options) {
  const Diagnostics own = loaded ? not_played(*loaded, options) : loaded.error();
  std::string message(1, own.empty() ? kRead : kRefused);
  if (own.empty())
    message += fmt::format("{}\n{}\n{}", program_name(), fmt::join(overrides_of(options), "\n"), text.fingerprint());
  else
    message += fmt::format("{}: {}", own.front().code, own.front().message);
  for (unsigned to = 0; to < post_.size(); to++) post_.outbox(to) = message;
  post_.swap();
  return own.empty() ? compare(message) : own;
}

Diagnostics RunTeam::compare(const std::string& own) const {
  for (unsigned from = 0; from < post_.size(); from++) {
    const std::string_view other = post_.inbox(from);
    if (from == post_.rank() || other == own) continue;
    if (other.front() == kRefused)
      return {{Severity::error,
               "RY-RUN-090",
               fmt::format("process {} cannot go on: {}", from, other.substr(1)),
               "put program and files where all machines see them",
               {}}};
    return {{Severity::error,
             "RY-RUN-090",
             fmt::format("process {} has another scenario, other settings or another build of the program than process {}",
                         std::max(from, post_.rank()), std::min(from, post_.rank())),
             "start the same command with the same build everywhere, in a folder that all machines share",
             {}}};
  }
  return {};
}

int RunTeam::assist(const Scenario& scenario, const RunOptions& options) {
  try {
    Progress unseen;
    if (const Result<Run> run = simulate_together(scenario, options, post_, unseen); !run) {
      for (const Diagnostic& one : run.error())
        if (one.severity == Severity::error)
          fmt::print(stderr, "process {}: {}: {}\n", post_.rank(), one.code, printable(one.message));
      return kFoundErrors;
    }
  } catch (const TeamDone&) {
  }
  leave();
  return kFine;
}

void RunTeam::leave() { link_.finish(link_.self); }

}  // namespace railyard
