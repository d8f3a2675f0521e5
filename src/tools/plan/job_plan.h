// `railyard plan`: how a training job should be split over its GPUs, found by timing every plan that may be best.
#pragma once

#include <string>
#include <vector>

#include "analysis/step/step_results.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "report/report.h"
#include "search/ladder.h"
#include "tools/plan/request.h"

namespace railyard {

struct PlanQuestion {
  std::string scenario;  // a preset or a file
  std::vector<std::string> overrides;
  PlanRequest request;
  Crew crew = {};  // the result does not depend on it
};

/// One plan, as tables show it.
struct PlanRow {
  std::vector<std::string> values;  // by axis
  std::uint32_t replicas = 1;
  double step_s = 0, closed_form_s = 0;
  double memory_share = 0;  // of the fullest GPU
  std::string command;      // that runs it
};

/// A plan with where its time goes.
struct PlanDetail {
  PlanRow row;
  StepResults step;
};

struct PlannedJob {
  std::string name, scenario;
  std::uint32_t gpus = 0;
  std::string gpu, level;  // what plans run on, and what the last level is called
  Space space;
  SearchResult search;
  std::vector<PlanRow> best;  // the first is the best
  std::optional<PlanRow> today;
  std::optional<PlanDetail> best_detail, today_detail;
  std::string refused_today;  // why the scenario's own plan cannot be run, if so
  std::string why_none;       // where there is no plan: what stands in the way most often
};

/// RY-PLN-001: nothing is trained there. RY-PLN-002: there are more plans than can be looked at. RY-PLN-003: none fits.
Result<PlannedJob> find_job_plan(const PlanQuestion& question, const Scenario& scenario, const Catalog& catalog,
                                 Progress& progress);

Report job_plan_report(const PlannedJob& plan);
Document job_plan_document(const PlannedJob& plan);

/// The answer in a sentence or two.
std::string job_plan_answer(const PlannedJob& plan);

}  // namespace railyard
