// In which order a pipeline stage does its passes, for every schedule. The order is fixed before anything runs; how long it
// takes is for the simulator to find out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plan/choices.h"

namespace railyard {

/// A backward pass is one piece, or two: gradients of the input, which the stage before waits for, and of the weights, which
/// nobody waits for.
enum class PassKind : std::uint8_t { forward, backward, input_gradient, weight_gradient };

/// One pass of one micro-batch through one chunk of a stage.
struct Slot {
  std::uint32_t micro_batch_index = 0;
  std::uint16_t chunk = 0;
  PassKind kind = PassKind::forward;
  bool with_next = false;  // this pass and the next one run interleaved: one computes while the other communicates
};

struct Seat {
  std::uint32_t stage = 0;
  std::uint16_t chunk = 0;
};

/// Who does what in which order, and where activations go.
struct PipelinePlan {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  std::uint32_t stages = 1, micro_batches = 1;
  std::uint16_t chunks = 1;              // per stage
  std::uint32_t virtual_stages = 1;      // the model is cut in so many
  std::vector<std::vector<Slot>> order;  // by stage

  /// Which part of the model sits there: dual pipes run through the model from both ends.
  [[nodiscard]] std::uint32_t virtual_stage(Seat seat) const;
  /// Where a part's activations go to, and its gradients come from.
  [[nodiscard]] std::optional<Seat> after(Seat seat) const;
  [[nodiscard]] std::optional<Seat> before(Seat seat) const;
};

/// Parts the model is cut in: stages x chunks, but a dual pipe holds each of `stages` parts twice.
std::uint32_t virtual_stages_of(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t chunks_per_stage);

/// REQUIRES: the schedule's own rules hold (docs/models.md, pipeline schedules): interleaved stages take micro-batches in
/// groups of as many as there are stages; dual pipes have an even number of stages and at least twice as many micro-batches,
/// half of them from either end.
/// `pairs`: in the steady part of 1f1b and interleaved schedules a backward pass runs with the forward pass of a later
/// micro-batch. REQUIRES with it: one stage, or an interleaved schedule.
PipelinePlan plan_pipeline(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t chunks_per_stage,
                           std::uint32_t micro_batches, bool pairs = false);

}  // namespace railyard
