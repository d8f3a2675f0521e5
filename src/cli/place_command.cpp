#include "cli/place_command.h"

#include <fmt/format.h>

#include <iostream>

#include "catalog/catalog.h"
#include "cli/crew_command.h"
#include "cli/output.h"
#include "cli/show_report.h"
#include "tools/place/place.h"

namespace railyard {

namespace {

/// Files for launchers, as far as they were asked for. False (and a sentence on stderr) if one cannot be written.
bool write_files(const Placed& placed, const Options& options) {
  const PlaceRequest& asked = options.place;
  const std::vector<RankSeat> seats = seats_for_launchers(placed);
  const std::vector<std::string>& names = placed.nodes.names;
  if (!asked.seats.empty() && !write_output(write_seats(placed), "--seats", options)) return false;
  if (!asked.hostfile.empty() && !write_output(write_hostfile(names, seats), "--hostfile", options)) return false;
  if (!asked.rankfile.empty() && !write_output(write_rankfile(names, seats), "--rankfile", options)) return false;
  return asked.slurm.empty() || write_output(write_slurm_hosts(names, seats), "--slurm", options);
}

/// A hostfile says how many ranks a node has, not which.
void warn_of_hostfile(const Options& options, Placed& placed) {
  if (options.place.hostfile.empty() || is_consecutive(seats_for_launchers(placed))) return;
  placed.warnings.push_back({Severity::warning,
                             "RY-PLC-020",
                             "ranks of a node do not follow each other, which a hostfile cannot say",
                             "use --rankfile or --slurm instead",
                             {options.place.hostfile, 0, 0}});
}

bool goes_to_stdout(const Options& options) {
  for (const std::string* file :
       {&options.json, &options.place.seats, &options.place.hostfile, &options.place.rankfile, &options.place.slurm})
    if (*file == "-") return true;
  return false;
}

}  // namespace

int place_command(const Options& options) {
  options.outputs->keep({options.place.nodes.begin(), options.place.nodes.end()});
  PlaceRequest request = options.place;
  request.scenario = options.files.front();
  request.overrides = overrides_of(options);
  request.journal = options.journal;
  return answer_with_crew<Placed>(
      options,
      [&](const Scenario&, const Crew& crew, Progress& progress) {
        request.crew = crew;
        return find_placement(request, builtin_catalog(), progress);
      },
      [&](Placed& placed) -> int {
        warn_of_hostfile(options, placed);
        if (!write_results(place_document(placed, request), options) || !write_files(placed, options)) return kFoundErrors;
        return show_report("place", place_report(placed, request), place_bars(placed), goes_to_stdout(options), options);
      });
}

}  // namespace railyard
