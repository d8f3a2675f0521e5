// What every pipeline stage does when.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/step/step_run.h"

namespace railyard {

enum class SpanKind : std::uint8_t {
  forward,
  backward,
  input_gradient,
  weight_gradient,
  interleaved,
  gradients,  // that nothing runs beside
  optimizer,
  parameters,  // the same
  host,
  several,  // kinds one after the other, too short to be told apart
};
inline constexpr std::size_t kSpanKinds = 10;
std::string_view name_of(SpanKind kind);

struct StageSpan {
  Picoseconds start, end;
  SpanKind kind = SpanKind::forward;
};

struct StageTimeline {
  struct Stage {
    std::uint32_t stage = 0;
    std::vector<StageSpan> spans;  // in order; what lies between is waiting
  };
  std::vector<Stage> stages;
  std::uint32_t left_out = 0;  // stages
  Picoseconds thinned;         // spans within that are one, where there were too many; else zero
};

/// `most_stages` of them, evenly chosen with the first and the last; fewer, and then coarser, if there were more than
/// `most_spans` together.
StageTimeline stage_timeline(const StepRun& run, std::size_t most_stages, std::size_t most_spans);

/// Neighbours of one kind with nothing between them become one.
std::vector<StageSpan> joined(const std::vector<StageSpan>& spans);
/// All that lie within `window` become one.
std::vector<StageSpan> thinned(const std::vector<StageSpan>& spans, Picoseconds window);

}  // namespace railyard
