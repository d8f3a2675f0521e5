// Plays a training step: passes in their order, collectives beside and between them, stages waiting for each other.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "engine/engine.h"
#include "fabric/live.h"
#include "sim/flow_record.h"
#include "sim/step/jitter.h"
#include "sim/step/pass_cost.h"
#include "sim/step/reach.h"
#include "sim/step/step_traffic.h"
#include "workload/step.h"

namespace railyard {

class CircuitEngine;

/// Where the time of a stage goes; the parts sum to the step.
struct StageTime {
  Picoseconds compute, optimizer, host, bubble;
  Picoseconds contention;  // what compute loses to communication beside it
  GroupTimes exposed;      // collectives nothing ran beside, by kind of group
  GroupTimes hidden;       // and those that something did; not part of the sum
};

/// One pass as it happened.
struct PassTime {
  Slot slot;
  Picoseconds start, end;
};

/// When a stage is through with each part of the step.
struct StageEnds {
  Picoseconds passes, gradients, waited, optimizer, gathered;  // waited: for the gradients of all stages
};

/// One kind of op that used the network, summed over all stages.
struct OpTimes {
  std::string_view name;
  GroupKind kind = GroupKind::tensor;
  std::uint64_t calls = 0;
  double seconds = 0, ideal = 0;  // as it was, and on an idle network without bottlenecks, of all calls together
  double longest = 0;             // of one call
  double exposed = 0;             // of `seconds`: what nothing ran beside
};

/// What [jitter] did to the step.
struct JitterRun {
  /// One kind of collective that was delayed.
  struct Row {
    CallKind what;
    DelayedCalls calls;
    Picoseconds time;  // of the step, had nothing else been delayed
  };
  Picoseconds without;            // the step, had nothing been delayed
  std::vector<StageTime> stages;  // the same by stage
  std::vector<Row> rows;
  Picoseconds most;  // that was added to one stage
};

/// The same step over links that cost nothing (docs/models.md, what the network costs).
struct StepWithoutLinks {
  Picoseconds without_network;  // what stays inside a scale-up domain takes its time
  std::vector<StageTime> stages_without_network;
  Picoseconds time;               // nothing that is sent takes any
  std::vector<StageTime> stages;  // of the latter
};

/// What circuits that change between phases do to the step.
struct CircuitRun {
  /// What pods sent each other in a phase of the step.
  struct Phase {
    double sent = 0;                // bytes that left a pod for another
    double crossed = 0, fixed = 0;  // circuits on their way, on average: of the phase, and fixed for the step
  };
  Picoseconds reconfiguration;
  std::uint32_t changes = 0;         // in a step
  std::uint32_t moved = 0, all = 0;  // circuits of all spines that a change moves, and those there are
  std::vector<Phase> phases;
  Picoseconds fixed;    // the step over circuits that the whole of it wants
  Picoseconds instant;  // the step, did changes take no time
};

struct StepRun {
  Step step = {};
  ClusterLinks links = {};
  Picoseconds time = {};
  std::vector<StageTime> stages = {};
  std::vector<std::vector<PassTime>> passes = {};  // by stage
  std::vector<StageEnds> ends = {};                // the same; without what the host takes
  Picoseconds last_backward = {};                  // when the last stage has nothing left to compute but the optimizer
  // Played over a network:
  bool exact = false;                                             // every completion was an event
  Picoseconds alone = {};                                         // the step, had every collective the network to itself
  std::vector<OpTimes> ops = {};                                  // in the order of their names
  std::optional<std::array<GroupReach, kGroupKinds>> reach = {};  // where a fabric is described
  TierRates tier_rates = {};                                      // the same
  std::vector<std::vector<std::uint32_t>> calls = {};             // of what a Jitter watches, by kind and stage
  std::optional<JitterRun> jitter = {};
  std::optional<CircuitRun> circuits = {};  // where they may change
  StepWithoutLinks free = {};
  Bytes memory = {};  // that the run was expected to need at most, without what packets of a slice need
  std::string fingerprint = {};
  std::uint64_t fingerprint_value = 0;  // the same as a number
};

/// Adds what the host takes to a step that was played, finds the bubbles, and holds the step against physics.
void finish_step(const Scenario& scenario, const Step& step, StepRun& run);

/// On an idle network without bottlenecks: every collective takes its closed form, and what `jitter` adds to it.
StepRun run_step(const Scenario& scenario, const Step& step, const Jitter* jitter = nullptr);

/// In closed form, twice: without a network, and without any link. Delays of collectives ([jitter]) are not in it.
StepWithoutLinks run_without_links(const Scenario& scenario, const Step& step);

/// What a step is played over.
struct StepNetwork {
  const Fabric& fabric;
  StepTraffic& traffic;
  Engine& engine;
  const LivePorts& live;  // once all failures have happened
  FlowSink on_flow = {};
  const Jitter* jitter = nullptr;
  CircuitEngine* circuits = nullptr;  // that the step tells where it is
};

/// Collectives between scale-up domains take what the network lets them. Where something never arrives, the error says what
/// waits for it.
Result<StepRun> run_step(const Scenario& scenario, const Step& step, const StepNetwork& network, Progress& progress);

}  // namespace railyard
