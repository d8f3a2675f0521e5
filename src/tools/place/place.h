// `railyard place`: ranks of a training step onto the nodes that are free, so that a simulated step is shortest.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "answer/trial.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "report/report.h"
#include "report/report_page.h"
#include "scheduler/write_placement.h"
#include "sim/step/reach.h"
#include "tools/place/candidates.h"
#include "tools/place/hosts.h"
#include "tools/place/request.h"
#include "tools/place/tried_seats.h"

namespace railyard {

struct Placed {
  std::string name, scenario;
  std::vector<std::string> overrides;  // those of the request, and what was added to them
  MatchedNodes nodes;
  std::uint32_t ranks = 0, per_node = 1, needed = 0;  // nodes
  std::uint32_t servers = 0;                          // of the fabric
  std::vector<TriedSeats> tried;                      // baselines, then what was found, in the order of trying
  std::size_t scheduler = 0, policy = 0, best = 0;    // indices into it; policy: the best of the built-in ones
  std::vector<std::uint64_t> seeds;                   // of the hash; one or none where nothing is drawn
  bool over_flows = false;                            // the scenario asks for something else
  Diagnostics warnings;

  [[nodiscard]] const TriedSeats& winner() const { return tried[best]; }
};

/// Simulates the scheduler's order, every built-in policy and what a search finds; the shortest step wins, of equals the first.
/// So nothing that was tried is better. Refuses scenarios that are no training step on a fabric, and too few free nodes.
Result<Placed> find_placement(const PlaceRequest& request, const Catalog& catalog, Progress& progress);

/// The same with lists that were read.
Result<Placed> find_placement(const PlaceRequest& request, const ListedNodes& nodes, const Catalog& catalog,
                              Progress& progress);

/// Reads files of nodes; one that cannot be read is RY-PLC-001.
Result<ListedNodes> read_node_files(const std::vector<std::string>& files);

/// Where every rank goes, for those who write files for launchers.
std::vector<RankSeat> seats_for_launchers(const Placed& placed);
/// The GPU of every rank, a line each: what placement.file takes.
std::string write_seats(const Placed& placed);
/// What repeats the winner, given the file that write_seats() went to.
std::string repeat_command(const Placed& placed, const std::string& file);

/// How much shorter a step is than in the scheduler's order, in a sentence or two.
std::string answer_text(const Placed& placed);
Report place_report(const Placed& placed, const PlaceRequest& request);
/// Steps of all that was tried.
std::vector<PageBars> place_bars(const Placed& placed);
Document place_document(const Placed& placed, const PlaceRequest& request);

}  // namespace railyard
