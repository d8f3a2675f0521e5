// The six phases in which a new fabric is validated, as the RoCE guide has them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/choice.h"

namespace railyard {

enum class ValidationPhase : std::uint8_t { laboratory, baseline, synthetic, ai_workload, failures, operational };
inline constexpr std::size_t kValidationPhases = 6;
template<>
struct ChoiceNames<ValidationPhase> {
  static constexpr std::string_view names[] = {"laboratory", "baseline", "synthetic", "ai-workload", "failures", "operational"};
};

/// What a phase is for, in words.
struct PhaseText {
  std::string_view title, aim, result;
};
[[nodiscard]] inline const PhaseText& text_of(ValidationPhase phase) {
  static constexpr PhaseText kTexts[] = {
      {"Laboratory", "NICs, switches, firmware and operating systems as in production, all alike",
       "a configuration that can be made again"},
      {"Baseline", "rate and latency of every NIC, each server alone, pairs of servers, counters without load",
       "a stable point to compare with"},
      {"Synthetic load", "incast, exchanges of all with all, neighbours that send at once",
       "congestion is met at the thresholds it should be, and nothing is lost"},
      {"AI workload", "collectives at the scales of jobs, and the training step",
       "the network costs the GPUs what was expected, and no more"},
      {"Failures", "links and switches taken away, one at a time", "performance degrades as predicted, and comes back"},
      {"Operational", "counters over days, alerts, runbooks, people who own them", "diagnosis is fast and can be repeated"},
  };
  return kTexts[static_cast<std::size_t>(phase)];
}

[[nodiscard]] inline std::optional<ValidationPhase> phase_named(std::string_view name) {
  for (std::size_t i = 0; i < kValidationPhases; i++)
    if (ChoiceNames<ValidationPhase>::names[i] == name) return static_cast<ValidationPhase>(i);
  return std::nullopt;
}

}  // namespace railyard
