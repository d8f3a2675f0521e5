// A network that could carry a job: what it is made of, what it costs and draws, how long a step takes on it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "plan/scenario.h"
#include "search/problem.h"
#include "tools/plan/job_plan.h"

namespace railyard {

/// What is measured of a network, in the order of an outcome's values.
enum NetworkFigure : std::size_t {
  kStep,
  kSwitches,
  kCables,
  kOptics,
  kUsd,
  kUsdMissing,
  kWatts,
  kWattsMissing,
  kReach,
  kRadix,
  kTokenUsd,
  kTokenUsdMissing,
  kNetworkFigures
};
const std::vector<Measure>& network_measures();

/// Networks of a space, built, priced and played. All it is given must outlive it.
class Networks {
 public:
  Networks(const PlanQuestion& question, const Scenario& scenario, const Space& space, const Catalog& catalog);

  /// The scenario's, with its own network taken away and that of the point put there.
  [[nodiscard]] std::vector<std::string> overrides(PointId point) const;

  /// What it is made of, and the step on it without queues.
  [[nodiscard]] Outcome built(PointId point) const;
  /// The step over flows alone.
  [[nodiscard]] Outcome played(PointId point) const;
  /// The figures of a network that was built and played: of a million tokens what they cost in such a step.
  [[nodiscard]] std::vector<double> figures_of(const std::vector<double>& built, double step_s) const;
  [[nodiscard]] Outcome played(const Scenario& scenario) const;

  /// The slowest of what one switch less above the leaves does; 0 where there is none, infinite where the job stops.
  [[nodiscard]] double one_down(const std::vector<std::string>& set) const;
  /// The same as a step; refused where there is none.
  [[nodiscard]] Outcome one_down(PointId point) const;

  /// Parts of the network that have no price, as [prices] calls them.
  [[nodiscard]] std::vector<std::string> unpriced(const std::vector<std::string>& set) const;

  /// What the same parts cost and draw, wired for more GPUs: built, without a job.
  [[nodiscard]] Outcome grown(const std::vector<std::string>& set, std::uint32_t gpus) const;

 private:
  [[nodiscard]] Result<Scenario> load(const std::vector<std::string>& set, bool workload = true) const;
  [[nodiscard]] Outcome built(const Scenario& scenario) const;
  [[nodiscard]] Outcome parts_of(const Scenario& scenario) const;

  const PlanQuestion& question_;
  const Space& space_;
  const Catalog& catalog_;
  const std::vector<std::string> without_network_, without_job_;
  const double tokens_;  // of a step
};

}  // namespace railyard
