// `railyard cost`: what a cluster costs to buy and to run, what its tokens cost, and what waiting for its network costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "answer/cluster_cost.h"
#include "answer/trial.h"
#include "base/document.h"
#include "base/progress.h"
#include "base/result.h"
#include "catalog/catalog.h"
#include "report/report.h"
#include "report/report_page.h"

namespace railyard {

/// Of the scenario's training step.
struct CostedStep {
  double step_s = 0, tokens_per_s = 0;                // of the whole cluster
  double without_network_s = 0, without_links_s = 0;  // the step, were they free
  std::optional<double> carried_s = {};               // the step that trials are held against
  std::vector<Trial> links = {};                      // links that are slow or lost, one at a time
  std::string why_no_links = {};                      // nothing of it was run

  [[nodiscard]] double network_share() const { return (step_s - without_network_s) / step_s; }
  [[nodiscard]] double scale_up_share() const { return (without_network_s - without_links_s) / step_s; }
};

struct CostAnswer {
  std::string name;
  ClusterCost cluster;
  CostPlan plan;
  std::vector<Input> assumptions;  // keys of [cost], and electricity
  RunningCost running;
  std::optional<CostedStep> step;  // none where the scenario is no training step
  std::optional<Sum> million_tokens = {};

  /// USD a year of a share of the time in which the job runs.
  [[nodiscard]] double per_year(double share) const {
    return running.per_hour().value * kHoursPerYear * plan.utilisation * share;
  }
};

/// What is asked: a scenario by its name, and whether links may fail in it.
struct CostQuestion {
  Question question;
  bool links = false;  // even if that takes long
  bool no_links = false;
};

/// Runs the step, where there is one, and its slow and lost links, where that is quick or asked for.
Result<CostAnswer> find_cost(const Scenario& scenario, const CostQuestion& asked, const Catalog& catalog, unsigned threads,
                             Progress& progress);

/// The answer in sentences.
std::vector<std::string> cost_answer(const CostAnswer& answer);
Report cost_report(const CostAnswer& answer);
/// What parts cost, and what they draw.
std::vector<PageBars> cost_bars(const CostAnswer& answer);
Document cost_document(const CostAnswer& answer);
/// One line for each line of the bill.
std::string cost_csv(const CostAnswer& answer);

}  // namespace railyard
