// Which network to propose and which ones nothing beats, playing no more of them than it takes to know.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/progress.h"
#include "search/crew.h"
#include "search/journal.h"
#include "search/search_result.h"
#include "tools/plan/network_figures.h"
#include "tools/plan/network_limits.h"
#include "tools/plan/request.h"

namespace railyard {

/// What a search among networks needs to know.
struct NetworkQuestion {
  const Networks& networks;
  const Space& space;
  const PlanRequest& asked;
  const std::vector<NetworkLimit>& limits;
  Crew crew = {};  // the result does not depend on it
};

/// Levels of care, in the order of the problem: built and priced, with a step in closed form; over flows, of which the step
/// alone is told; the same with the slower of a spine and a core down.
enum NetworkLevel : std::size_t { kBuilt, kPlayed, kDown };
Problem problem_of_networks(const NetworkQuestion& question);

struct SoughtNetworks {
  SearchResult search;            // ranked: what was played, by step; effects: around the one that is proposed
  std::optional<PointId> chosen;  // none: nothing was played, or none is as tolerant as was asked
  std::vector<PointId> front;     // nothing is as good in step, switches, cables and power, and better in one
  std::map<PointId, double>
      down;  // steps with a switch down, where they were looked at; infinite: the job stops; 0: there is none
};

/// Deterministic at any number of threads and with any part of it in the journal. Steps that differ by no more than --loss (0.1
/// to 1 %) count as the same; of networks that are the same in all, the first counts.
SoughtNetworks search_networks(const Problem& problem, const NetworkQuestion& question, Journal& journal, Progress& progress);

}  // namespace railyard
