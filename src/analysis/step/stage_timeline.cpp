#include "analysis/step/stage_timeline.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr std::size_t kFewestStages = 4;

SpanKind kind_of(PassKind kind) {
  switch (kind) {
    case PassKind::forward:
      return SpanKind::forward;
    case PassKind::backward:
      return SpanKind::backward;
    case PassKind::input_gradient:
      return SpanKind::input_gradient;
    case PassKind::weight_gradient:
      return SpanKind::weight_gradient;
  }
  return SpanKind::forward;
}

std::vector<StageSpan> spans_of(const StepRun& run, std::uint32_t stage) {
  std::vector<StageSpan> spans;
  const std::vector<PassTime>& passes = run.passes[stage];
  for (std::size_t i = 0; i < passes.size(); i++) {
    const bool pair = passes[i].slot.with_next;
    spans.push_back({passes[i].start, passes[i].end, pair ? SpanKind::interleaved : kind_of(passes[i].slot.kind)});
    if (pair) i++;  // its partner takes the same time
  }
  const StageEnds& ends = run.ends[stage];
  spans.push_back({ends.passes, ends.gradients, SpanKind::gradients});
  spans.push_back({ends.waited, ends.optimizer, SpanKind::optimizer});
  spans.push_back({ends.optimizer, ends.gathered, SpanKind::parameters});
  spans.push_back({run.time - run.stages[stage].host, run.time, SpanKind::host});
  std::erase_if(spans, [](const StageSpan& span) { return span.end <= span.start; });
  return spans;
}

}  // namespace

std::string_view name_of(SpanKind kind) {
  constexpr std::string_view kNames[] = {"forward",     "backward",  "input gradient", "weight gradient",
                                         "interleaved", "gradients", "optimizer",      "parameters",
                                         "host",        "several"};
  static_assert(std::size(kNames) == kSpanKinds);
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<StageSpan> joined(const std::vector<StageSpan>& spans) {
  std::vector<StageSpan> result;
  for (const StageSpan& span : spans) {
    if (!result.empty() && result.back().kind == span.kind && span.start <= result.back().end)
      result.back().end = span.end;
    else
      result.push_back(span);
  }
  return result;
}

std::vector<StageSpan> thinned(const std::vector<StageSpan>& spans, Picoseconds window) {
  std::vector<StageSpan> result;
  for (const StageSpan& span : spans) {
    if (result.empty() || span.end - result.back().start > window) {
      result.push_back(span);
      continue;
    }
    if (result.back().kind != span.kind) result.back().kind = SpanKind::several;
    result.back().end = span.end;
  }
  return result;
}

StageTimeline stage_timeline(const StepRun& run, std::size_t most_stages, std::size_t most_spans) {
  StageTimeline timeline;
  const std::size_t stages = run.passes.size();
  std::size_t count = 0;
  for (std::size_t shown = std::min(stages, most_stages);; shown /= 2) {
    timeline.stages.clear();
    count = 0;
    for (std::size_t i = 0; i < shown; i++) {
      const std::size_t stage = shown == 1 ? 0 : i * (stages - 1) / (shown - 1);
      timeline.stages.push_back({static_cast<std::uint32_t>(stage), joined(spans_of(run, static_cast<std::uint32_t>(stage)))});
      count += timeline.stages.back().spans.size();
    }
    timeline.left_out = static_cast<std::uint32_t>(stages - shown);
    if (count <= most_spans || shown <= kFewestStages) break;
  }
  if (count <= most_spans) return timeline;
  timeline.thinned = run.time / static_cast<std::int64_t>(most_spans / timeline.stages.size() / 2);
  for (StageTimeline::Stage& stage : timeline.stages) stage.spans = thinned(stage.spans, timeline.thinned);
  return timeline;
}

}  // namespace railyard
