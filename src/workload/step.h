// One training step of a job: what every pipeline stage computes and communicates, in which order, and what waits for what.
// Collapsed: one program per stage stands for all its ranks, one list of ops for all micro-batches and equal blocks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/given_keys.h"
#include "plan/workload_plan.h"
#include "workload/block.h"
#include "workload/layout.h"
#include "workload/memory.h"
#include "workload/ops.h"
#include "workload/pipeline.h"
#include "workload/transformer.h"

namespace railyard {

/// What one part of the model consists of. Parts that are equal share their passes.
struct VirtualStageShape {
  std::uint32_t dense = 0, moe = 0, mtp = 0;
  bool encoder = false, embedding = false, head = false;

  friend bool operator==(const VirtualStageShape&, const VirtualStageShape&) = default;
};

/// What one rank does for one micro-batch in one part of the model.
struct VirtualStageWork {
  VirtualStageShape shape;
  std::vector<Segment> forward, backward;
  HeldParameters held, largest;  // of all blocks, and of the one that holds most
  Bytes kept;                    // from forward to backward
  Bytes working;                 // what one of its blocks needs beyond that while it computes
};

/// What happens once per step at one stage.
struct StageWork {
  HeldParameters held;
  MemoryPlan memory;
  std::vector<std::vector<Op>> gradients;  // by chunk: reduced once its last backward pass is done
  std::vector<std::vector<Op>> gathers;    // by chunk: sharded parameters, before its first forward pass
  std::vector<Op> optimizer;
};

struct Step {
  ModelPlan model;
  Layout layout;
  Sharding sharding;
  PipelinePlan pipeline;
  Routing routing;
  std::vector<VirtualStageShape> virtual_stages;    // the model, cut in parts
  std::vector<VirtualStageWork> works;              // distinct ones
  std::vector<std::vector<std::uint32_t>> work_of;  // by stage and chunk: index into works
  std::vector<StageWork> stages;
  Bytes boundary;  // activations one rank hands to the next stage, per micro-batch
  std::optional<Op>
      boundary_gather;       // without sequence parallelism tensor ranks send a part each, and receivers put the whole together
  std::uint64_t tokens = 0;  // of the whole step
  FlopsPerToken flops;       // of the model
  double hardware_flops = 0;  // what all GPUs compute in the step, recomputation included

  [[nodiscard]] const VirtualStageWork& work(Seat seat) const { return works[work_of[seat.stage][seat.chunk]]; }
};

/// Whether an op of a backward list belongs to this kind of pass.
bool takes_part(const Op& op, PassKind kind);

/// REQUIRES: the scenario has a model and was checked. Refuses plans that do not fit into memory, and steps that are absurdly
/// long; what would fit instead is looked for only where somebody reads it.
Result<Step> build_step(const WorkloadPlan& workload, const GivenKeys& keys, bool with_remedies = true);

}  // namespace railyard
