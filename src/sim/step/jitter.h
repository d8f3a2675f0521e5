// Delays of single collectives of a training step: [jitter].
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/scenario.h"
#include "workload/step.h"

namespace railyard {

/// Collectives of a step that have the same name in the same kind of group.
struct CallKind {
  GroupKind group = GroupKind::tensor;
  std::string_view name;

  friend auto operator<=>(const CallKind&, const CallKind&) = default;
};

/// All that a step calls, in the order of groups and names.
std::vector<CallKind> call_kinds(const Step& step);

/// How many calls of one kind are delayed, and by how much.
struct DelayedCalls {
  std::uint64_t calls = 0, delayed = 0;  // of all stages
  Picoseconds sum, longest;
  std::vector<Picoseconds> by_stage;  // the sum of each
};

/// Who is delayed, and by how much: a function of the seed, the kind of call, the stage and the number of the call there, in
/// the order of the stage's program. What else is delayed, and when anything happens, plays no part.
class Jitter {
 public:
  /// REQUIRES: the scenario has a [jitter]. Refuses names and ranks that the step does not have.
  static Result<Jitter> make(const Scenario& scenario, const Step& step);

  [[nodiscard]] const std::vector<CallKind>& kinds() const { return kinds_; }  // those that are chosen
  /// The number of a kind that is chosen, from 1; 0 if it is not.
  [[nodiscard]] std::uint32_t watched(GroupKind group, std::string_view name) const;

  /// The same calls with no delay at all, or with those of one kind alone.
  [[nodiscard]] Jitter silent() const;
  [[nodiscard]] Jitter only(std::uint32_t watched) const;

  /// How often each kind is called at each stage, which a silent run tells. Refuses numbers of calls that no stage has, a
  /// choice that holds none, and delays of more than a day.
  [[nodiscard]] Diagnostics count(const Scenario& scenario, std::vector<std::vector<std::uint32_t>> calls);

  /// REQUIRES: calls were counted, or this is silent.
  [[nodiscard]] Picoseconds delay(std::uint32_t watched, std::uint32_t stage, std::uint32_t call) const;

  /// Over all calls. REQUIRES: calls were counted.
  [[nodiscard]] DelayedCalls sum(std::uint32_t watched) const;

 private:
  explicit Jitter(const JitterSpec& spec, std::uint64_t seed) : spec_(spec), seed_(seed) {}
  [[nodiscard]] std::size_t most_chosen(std::uint32_t calls) const;
  [[nodiscard]] bool is_chosen(std::uint32_t watched, std::uint32_t stage, std::uint32_t call) const;

  JitterSpec spec_;
  std::uint64_t seed_;
  Picoseconds least_, most_;
  std::vector<CallKind> kinds_;
  std::vector<std::uint64_t> streams_;             // by kind: its number among all of the step
  std::vector<bool> loud_;                         // by kind
  std::vector<bool> hit_;                          // by stage
  std::vector<std::vector<std::uint32_t>> calls_;  // by kind and stage
};

}  // namespace railyard
