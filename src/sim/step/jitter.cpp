#include "sim/step/jitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "base/nearest.h"
#include "base/quantity_text.h"
#include "base/rng.h"
#include "base/schema.h"

namespace railyard {

namespace {

Diagnostic refuse(const Scenario& scenario, const std::string& key, std::string what, std::string hint) {
  return {Severity::error, "RY-RUN-060", std::move(what), std::move(hint),
          scenario.keys.where(scenario.keys.given(key) ? key : "jitter")};
}

/// Every name that chooses something: of collectives, and of kinds of groups.
std::vector<std::string> names_of(const std::vector<CallKind>& kinds) {
  std::set<std::string> all;
  for (const CallKind& kind : kinds) all.insert({std::string(kind.name), std::string(name_of(kind.group))});
  return {all.begin(), all.end()};
}

std::optional<Diagnostic> unknown_name(const Scenario& scenario, const std::vector<CallKind>& kinds) {
  const std::vector<std::string> known = names_of(kinds);
  for (const std::string& name : scenario.workload.jitter->collectives) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string guess = nearest(name, known);
    return refuse(
        scenario, "jitter.collective", fmt::format("this step has no collective \"{}\"", printable(name)),
        guess.empty() ? fmt::format("it has {}", schema::join(known, ", ")) : fmt::format("did you mean \"{}\"?", guess));
  }
  return std::nullopt;
}

}  // namespace

std::vector<CallKind> call_kinds(const Step& step) {
  std::set<CallKind> all;
  const auto add = [&](const std::vector<Op>& ops) {
    for (const Op& op : ops)
      if (op.kind == OpKind::collective && op.group.size > 1) all.insert({op.group.kind, op.name});
  };
  for (const VirtualStageWork& work : step.works)
    for (const auto* segments : {&work.forward, &work.backward})
      for (const Segment& segment : *segments) add(segment.ops);
  for (const StageWork& stage : step.stages)
    for (const auto* chunks : {&stage.gradients, &stage.gathers})
      for (const std::vector<Op>& ops : *chunks) add(ops);
  if (step.pipeline.stages > 1) all.insert({GroupKind::pipeline, "boundary"});
  return {all.begin(), all.end()};
}

Result<Jitter> Jitter::make(const Scenario& scenario, const Step& step) {
  const JitterSpec& spec = *scenario.workload.jitter;
  const std::vector<CallKind> all = call_kinds(step);
  if (all.empty()) return refuse(scenario, "jitter", "this step has no collectives", "use more GPUs");
  if (auto unknown = unknown_name(scenario, all)) return *unknown;
  Jitter jitter(spec, scenario.engine.seed);
  jitter.least_ = spec.delay.value_or(spec.min.value_or(Picoseconds::zero()));
  jitter.most_ = spec.delay.value_or(spec.max.value_or(Picoseconds::zero()));
  for (std::size_t i = 0; i < all.size(); i++) {
    const auto names = [&](const std::string& name) { return name == all[i].name || name == name_of(all[i].group); };
    if (!spec.collectives.empty() && std::none_of(spec.collectives.begin(), spec.collectives.end(), names)) continue;
    jitter.kinds_.push_back(all[i]);
    jitter.streams_.push_back(i);
  }
  jitter.loud_.assign(jitter.kinds_.size(), true);
  jitter.hit_.assign(step.pipeline.stages, spec.ranks.empty());
  for (const std::uint32_t rank : spec.ranks) {
    if (rank >= step.layout.ranks())
      return refuse(scenario, "jitter.ranks", fmt::format("there is no rank {}", rank),
                    fmt::format("use 0 to {}", step.layout.ranks() - 1));
    jitter.hit_[step.layout.position(rank).pipeline] = true;
  }
  return jitter;
}

std::uint32_t Jitter::watched(GroupKind group, std::string_view name) const {
  const auto found = std::find(kinds_.begin(), kinds_.end(), CallKind{group, name});
  return found == kinds_.end() ? 0 : static_cast<std::uint32_t>(found - kinds_.begin()) + 1;
}

Jitter Jitter::silent() const {
  Jitter other = *this;
  other.loud_.assign(kinds_.size(), false);
  return other;
}

Jitter Jitter::only(std::uint32_t watched) const {
  Jitter other = silent();
  other.loud_[watched - 1] = true;
  return other;
}

Diagnostics Jitter::count(const Scenario& scenario, std::vector<std::vector<std::uint32_t>> calls) {
  constexpr double kLongest = 1e17;  // picoseconds: more than a day
  calls_ = std::move(calls);
  std::uint32_t most = 0;
  double longest = 0;
  for (const auto& by_stage : calls_)
    for (std::size_t stage = 0; stage < by_stage.size(); stage++) {
      if (!hit_[stage]) continue;
      most = std::max(most, by_stage[stage]);
      longest += static_cast<double>(most_chosen(by_stage[stage])) * static_cast<double>(most_.count());
    }
  if (most == 0)
    return {refuse(scenario, "jitter.ranks", "no stage of these ranks calls what is to be delayed",
                   "use other ranks, or another collective")};
  for (const std::uint32_t call : spec_.calls)
    if (call >= most)
      return {refuse(scenario, "jitter.calls", fmt::format("there is no call {}: no stage has more than {}", call, most),
                     fmt::format("use 0 to {}", most - 1))};
  if (longest < kLongest) return {};
  return {{Severity::error, "RY-RUN-013", "delays add up to more than a day", "use shorter ones, or fewer",
           scenario.keys.where("jitter")}};
}

/// Of so many calls of a stage, at most so many are.
std::size_t Jitter::most_chosen(std::uint32_t calls) const {
  if (!spec_.calls.empty()) return std::min<std::size_t>(calls, spec_.calls.size());
  return spec_.which == JitterCalls::every ? calls : std::min(calls, 1U);
}

bool Jitter::is_chosen(std::uint32_t watched, std::uint32_t stage, std::uint32_t call) const {
  if (!loud_[watched - 1] || !hit_[stage]) return false;
  if (!spec_.calls.empty()) return std::find(spec_.calls.begin(), spec_.calls.end(), call) != spec_.calls.end();
  switch (spec_.which) {
    case JitterCalls::every:
      return true;
    case JitterCalls::first:
      return call == 0;
    case JitterCalls::last:
      return call + 1 == calls_[watched - 1][stage];
  }
  return false;
}

Picoseconds Jitter::delay(std::uint32_t watched, std::uint32_t stage, std::uint32_t call) const {
  if (!is_chosen(watched, stage, call)) return Picoseconds::zero();
  Rng random(seed_, "jitter", streams_[watched - 1] << 56 | std::uint64_t{stage} << 32 | call);
  if (random.unit() >= spec_.share) return Picoseconds::zero();
  const double part = random.unit() * static_cast<double>((most_ - least_).count() + 1);
  return least_ + Picoseconds(static_cast<std::int64_t>(part));
}

DelayedCalls Jitter::sum(std::uint32_t watched) const {
  DelayedCalls all;
  const std::vector<std::uint32_t>& calls = calls_[watched - 1];
  all.by_stage.assign(calls.size(), Picoseconds::zero());
  for (std::uint32_t stage = 0; stage < calls.size(); stage++)
    for (std::uint32_t call = 0; call < calls[stage]; call++) {
      const Picoseconds one = delay(watched, stage, call);
      all.calls++;
      if (one > Picoseconds::zero()) all.delayed++;
      all.by_stage[stage] += one;
      all.longest = std::max(all.longest, one);
    }
  all.sum = std::accumulate(all.by_stage.begin(), all.by_stage.end(), Picoseconds::zero());
  return all;
}

}  // namespace railyard
