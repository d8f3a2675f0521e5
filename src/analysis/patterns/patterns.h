// What the traffic of a run looks like: how much, in which sizes, when, from whom to whom.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/fabric_map.h"
#include "analysis/map_over_time.h"
#include "analysis/patterns/bursts.h"
#include "analysis/patterns/flow_sizes.h"
#include "analysis/patterns/incast.h"
#include "analysis/patterns/load_spread.h"
#include "analysis/patterns/over_time.h"
#include "analysis/patterns/path_diversity.h"
#include "analysis/patterns/traffic_matrix.h"
#include "analysis/patterns/volumes.h"
#include "analysis/step/stage_timeline.h"
#include "analysis/step/step_results.h"
#include "sim/simulate.h"

namespace railyard {

/// One place of the network over the whole run.
struct PointPattern {
  std::string where, name;  // "NIC", "leaf uplink", "fabric"; "GPU 12 to leaf 1"
  double capacity_gbps = 0;
  std::vector<Burstiness> resolutions = {};  // 10 µs, 100 µs, 1 ms
  OverTime whole = {}, excerpt = {};         // the latter around the fullest moment
};

/// Members are empty where a run does not tell.
struct Patterns {
  std::vector<Volumes> volumes;
  std::vector<FlowSizes> flow_sizes;
  std::vector<PointPattern> points;
  std::optional<StageTimeline> timeline;
  std::optional<TrafficMatrix> matrix;
  std::optional<Incast> incast;
  std::vector<LoadSpread> loads;
  std::optional<FabricMap> fabric_map;
  std::optional<MapOverTime> map_over_time;  // of that
  std::optional<PathDiversity> paths;
};

/// `step`: of a training step, what analyse_step() made of it.
Patterns analyse_patterns(const Scenario& scenario, const Run& run, const StepResults* step);

}  // namespace railyard
