#include <fmt/format.h>

#include <map>
#include <tuple>

#include "analysis/step/stage_timeline.h"
#include "export/timeline_parts.h"

namespace railyard {

namespace {

using Track = TraceEvents::Track;

constexpr std::string_view kPassNames[] = {"forward", "backward", "input gradient", "weight gradient"};  // by PassKind

std::string_view name_of_pass(PassKind kind) { return kPassNames[static_cast<std::size_t>(kind)]; }

/// Which pass of a stage: chunk, micro-batch, forward or not.
using PassKey = std::tuple<std::uint32_t, std::uint16_t, std::uint32_t, bool>;

/// Draws all stages; passes are remembered until all are drawn, since arrows go both ways.
class StageTracks {
 public:
  StageTracks(const StepRun& run, TraceEvents& events) : run_(run), events_(events) {}

  void draw() {
    const std::uint32_t process = events_.add_process("stages");
    for (std::uint32_t stage = 0; stage < run_.passes.size(); stage++)
      tracks_.push_back(events_.add_track(process, fmt::format("stage {}", stage)));
    for (std::uint32_t stage = 0; stage < run_.passes.size(); stage++) {
      draw_passes(stage);
      draw_end(stage);
    }
    draw_arrows();
  }

 private:
  void draw_passes(std::uint32_t stage) {
    const std::vector<PassTime>& passes = run_.passes[stage];
    for (std::size_t i = 0; i < passes.size(); i++) {
      const PassTime& pass = passes[i];
      remember(stage, pass);
      std::string name = fmt::format("{} {}", name_of_pass(pass.slot.kind), pass.slot.micro_batch_index);
      TraceDetails details;
      details.whole("micro-batch", pass.slot.micro_batch_index).whole("chunk", pass.slot.chunk);
      details.whole("part of the model", run_.step.pipeline.virtual_stage({stage, pass.slot.chunk}));
      if (pass.slot.with_next && i + 1 < passes.size()) {  // its partner takes the same time
        const PassTime& partner = passes[++i];
        remember(stage, partner);
        name += fmt::format(" + {} {}", name_of_pass(partner.slot.kind), partner.slot.micro_batch_index);
      }
      events_.slice(tracks_[stage], name, name_of_pass(pass.slot.kind), pass.start, pass.end, details);
    }
  }

  void draw_end(std::uint32_t stage) {
    const StageEnds& ends = run_.ends[stage];
    const Picoseconds host = run_.time - run_.stages[stage].host;
    const std::tuple<SpanKind, Picoseconds, Picoseconds> spans[] = {{SpanKind::gradients, ends.passes, ends.gradients},
                                                                    {SpanKind::optimizer, ends.waited, ends.optimizer},
                                                                    {SpanKind::parameters, ends.optimizer, ends.gathered},
                                                                    {SpanKind::host, host, run_.time}};
    for (const auto& [kind, start, end] : spans)
      if (end > start) events_.slice(tracks_[stage], name_of(kind), name_of(kind), start, end);
  }

  void remember(std::uint32_t stage, const PassTime& pass) {
    if (pass.slot.kind == PassKind::weight_gradient) return;  // nobody waits for it
    seen_[{stage, pass.slot.chunk, pass.slot.micro_batch_index, pass.slot.kind == PassKind::forward}] = pass;
  }

  /// Activations go on to the next part of the model, gradients back to the one before.
  void draw_arrows() {
    constexpr Picoseconds kInside(1000);  // an arrow leaves a slice just before its end, so that it is still there
    for (const auto& [key, pass] : seen_) {
      const auto& [stage, chunk, micro_batch, forward] = key;
      const auto seat = forward ? run_.step.pipeline.after({stage, chunk}) : run_.step.pipeline.before({stage, chunk});
      if (!seat || seat->stage == stage) continue;
      const auto next = seen_.find({seat->stage, seat->chunk, micro_batch, forward});
      if (next == seen_.end()) continue;
      events_.arrow(forward ? "activations" : "gradients of activations", tracks_[stage],
                    std::max(pass.start, pass.end - kInside), tracks_[seat->stage], next->second.start);
    }
  }

  const StepRun& run_;
  TraceEvents& events_;
  std::vector<Track> tracks_;
  std::map<PassKey, PassTime> seen_;
};

}  // namespace

void add_stages(const StepRun& run, TraceEvents& events) { StageTracks(run, events).draw(); }

}  // namespace railyard
