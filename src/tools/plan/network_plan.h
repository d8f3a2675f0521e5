// `railyard plan --network`: which network should carry a job, found by building, pricing and playing every one of a set.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/cluster_cost.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "report/report.h"
#include "report/report_page.h"
#include "search/search_result.h"
#include "tools/plan/job_plan.h"

namespace railyard {

/// One network, as tables show it.
struct NetworkRow {
  std::vector<std::string> values;  // by axis
  double step_s = 0;
  std::optional<double> one_down_s = {};  // with a spine or core down, where it was looked at; infinite: the job stops; 0: none
  double switches = 0, cables = 0, optics = 0;
  Sum network_usd, network_watts;
  Sum token_usd;          // of a million tokens, servers and electricity included
  bool is_known = true;   // that it keeps the limits: no price or power that they ask for is missing
  bool on_front = false;  // nothing is as good in step, switches, cables and power, and better in one
  std::string command;
  std::vector<std::string> set;
};

struct PlannedNetwork {
  std::string name, scenario;
  std::uint32_t gpus = 0;
  Space space;
  SearchResult search;
  std::vector<NetworkRow> rows;       // by step time
  std::size_t chosen = 0;             // of rows: the least hardware among those that lose no more than was allowed
  std::string by;                     // what else it was chosen by
  std::vector<std::string> unpriced;  // parts of the chosen one, as [prices] calls them
  std::optional<NetworkRow> today;
  std::string growth;  // what more GPUs take, where that was asked
};

/// "RoCE, Tomahawk-5, 400 Gb/s, leaf-spine, 1:1"
std::string words_of_network(const NetworkRow& row);

/// RY-PLN-001 as for job plans. RY-PLN-005: no network is within the limits; the sentence names the one that binds. RY-PLN-007:
/// none can be built at all.
Result<PlannedNetwork> find_network_plan(const PlanQuestion& question, const Scenario& scenario, const Catalog& catalog,
                                         Progress& progress);

std::string network_plan_answer(const PlannedNetwork& plan);
Report network_plan_report(const PlannedNetwork& plan);
/// What nothing beats: steps, and switches.
std::vector<PageBars> network_plan_bars(const PlannedNetwork& plan);
Document network_plan_document(const PlannedNetwork& plan);

}  // namespace railyard
