// How a training job may be split: the axes of a plan, and what can be told of a point without running it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/scenario.h"
#include "search/problem.h"

namespace railyard {

/// What plans differ in. Degrees that the scenario has are always among the values, so its own plan is a point.
class JobSpace {
 public:
  /// `vary` replaces the axes of the same key, and adds others; with `only` there are no axes beside it.
  /// REQUIRES: the scenario trains a model on a known number of GPUs.
  JobSpace(const Scenario& scenario, const std::vector<Axis>& vary, bool only);

  [[nodiscard]] const Space& space() const { return space_; }
  /// The plan that the scenario has, unless axes were given that leave it out.
  [[nodiscard]] std::optional<PointId> baseline() const { return baseline_; }

  /// The overrides of a point, with those that follow: the schedule, layers of uneven stages.
  [[nodiscard]] std::vector<std::string> overrides(PointId point) const;

  /// Why the degrees cannot be, or how long such a step takes at the very least: arithmetic of the model at the rates of large
  /// kernels, and the bubble of its pipeline.
  [[nodiscard]] Glance glance(PointId point) const;

  /// Data-parallel replicas, of which a plan does not speak.
  [[nodiscard]] std::uint32_t replicas(PointId point) const;

 private:
  struct Degrees {
    std::uint32_t tensor, context, pipeline, chunks, expert, expert_tensor, zero, micro_batch;
    Recompute recompute;
    PipelineSchedule schedule;
  };
  [[nodiscard]] Degrees degrees(PointId point) const;
  [[nodiscard]] std::string wrong_degrees(const Degrees& d) const;
  [[nodiscard]] std::string wrong_experts(const Degrees& d) const;
  [[nodiscard]] std::string wrong_pipeline(const Degrees& d) const;
  [[nodiscard]] double state_bytes(const Degrees& d) const;
  [[nodiscard]] double least_time(const Degrees& d) const;
  [[nodiscard]] std::optional<PointId> find_baseline() const;

  const Scenario& scenario_;
  Space space_;
  bool has_bounds_ = true;                                          // no axis changes what memory and least times are told from
  std::vector<std::vector<std::optional<std::uint32_t>>> numbers_;  // by axis and value, where it is a number
  std::optional<PointId> baseline_;
};

}  // namespace railyard
