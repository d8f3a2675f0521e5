// Rules on what the organisation's policy file says.
#include <fmt/format.h>

#include <bit>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

void priority_not_allowed(const LintView& view, LintSink& sink) {
  const auto& allowed = view.estate.allowed.lossless_priorities;
  if (!allowed) return;
  for (const auto* uses : {&view.switches, &view.nics})
    for (const PolicyUse& use : *uses) {
      const std::uint8_t beyond = use.policy->pfc & static_cast<std::uint8_t>(~*allowed);
      if (beyond == 0) continue;
      LintFinding& found =
          sink.add(*use.device, place_of(*use.device, *use.policy, {fmt::format("pfc.{}", std::countr_zero(beyond)), "pfc"}),
                   fmt::format("PFC is on for priority {}; the policy allows {}", bits_text(beyond), bits_text(*allowed)));
      found.ports = use.names();
      for (std::uint8_t p = 0; p < kPriorities; p++)
        if (has_bit(beyond, p)) found.repairs.push_back({found.ports, SetPfc{p, false}});
    }
}

void suppression_without_reason(const LintView& view, LintSink& sink) {
  for (const FabricPolicy::Suppression& one : view.estate.allowed.suppressions)
    if (one.reason.find_first_not_of(" \t") == std::string::npos)
      sink.add("policy", one.where, fmt::format("{} is suppressed without a reason: the suppression is refused", one.code));
}

void suppression_of_nothing(const LintView& view, LintSink& sink) {
  for (const FabricPolicy::Suppression& one : view.estate.allowed.suppressions)
    if (!find_lint_rule(one.code))
      sink.add("policy", one.where, fmt::format("{} is suppressed, and no rule has that code", one.code));
}

constexpr LintRule kAllowedRules[] = {
    {"RY-LNT-200", Severity::error, 64, "A lossless priority that the policy does not allow",
     "Each lossless priority is a promise of the fabric to somebody.", "the policy file that was read",
     "Turn PFC off for it, or allow it.", priority_not_allowed},
    {"RY-LNT-201", Severity::error, 50, "A suppression without a reason", "What nobody can explain is found again by nobody.",
     "docs/lint.md, suppressions", "Say why.", suppression_without_reason},
    {"RY-LNT-202", Severity::warning, 20, "A suppression of a rule that does not exist", "It suppresses nothing.",
     "docs/lint.md, suppressions", "Correct the code (railyard lint --rules).", suppression_of_nothing},
};

}  // namespace

std::span<const LintRule> allowed_rules() { return kAllowedRules; }

}  // namespace railyard
