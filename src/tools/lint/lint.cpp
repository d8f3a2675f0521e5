#include "tools/lint/lint.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "tools/lint/view.h"

namespace railyard {

namespace {

/// Whether a suppression that has a reason is meant for a finding. No device, or *, means all.
bool is_meant(const FabricPolicy::Suppression& one, const LintFinding& finding) {
  const bool has_reason = one.reason.find_first_not_of(" \t") != std::string::npos;
  return has_reason && one.code == finding.rule->code &&
         (one.device.empty() || one.device == "*" || one.device == finding.device);
}

void suppress(const FabricPolicy& policy, LintResult& result) {
  if (policy.suppressions.empty()) return;
  std::vector<LintFinding> left;
  for (LintFinding& finding : result.findings) {
    const auto by = std::find_if(policy.suppressions.begin(), policy.suppressions.end(),
                                 [&](const FabricPolicy::Suppression& one) { return is_meant(one, finding); });
    if (by == policy.suppressions.end())
      left.push_back(std::move(finding));
    else
      result.suppressed.push_back({std::move(finding), by->reason});
  }
  result.findings = std::move(left);
}

void count_devices(const Estate& estate, LintResult& result) {
  std::map<std::string, std::size_t> unread;
  for (const Device& device : estate.devices) {
    (device.kind == DeviceKind::network_switch ? result.switches
     : device.kind == DeviceKind::host         ? result.hosts
                                               : result.jobs)++;
    result.ports += device.ports.size();
    if (const auto owner = estate.allowed.owners.find(device.name); owner != estate.allowed.owners.end())
      result.owners.emplace_back(device.name, owner->second);
    for (const Device::Unread& one : device.unread) {
      const auto [known, is_new] = unread.try_emplace(one.statement, result.unread.size());
      if (is_new)
        result.unread.push_back(one);
      else
        result.unread[known->second].times += one.times;
    }
  }
}

}  // namespace

LintResult lint(const Estate& estate) {
  const LintView view(estate);
  LintSink sink;
  for (const LintRuleGroup& group : lint_rule_groups())
    for (const LintRule& rule : group.rules) {
      sink.rule = &rule;
      rule.check(view, sink);
    }
  LintResult result;
  result.findings = std::move(sink.findings);
  for (LintFinding& finding : result.findings) std::erase(finding.ports, "");  // a NIC that only its host names
  std::stable_sort(result.findings.begin(), result.findings.end(), [](const LintFinding& a, const LintFinding& b) {
    return std::tuple(b.rule->severity, b.rule->harm, a.rule->code) < std::tuple(a.rule->severity, a.rule->harm, b.rule->code);
  });
  suppress(estate.allowed, result);
  count_devices(estate, result);
  return result;
}

std::vector<LintEntry> lint_entries(const LintResult& result) {
  std::vector<LintEntry> entries;
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
  for (const LintFinding& finding : result.findings) {
    const auto [entry, is_new] = known.try_emplace({finding.rule->code, finding.message}, entries.size());
    if (is_new) entries.push_back({finding.rule, finding.message, finding.detail, {}});
    entries[entry->second].at.push_back(&finding);
  }
  return entries;
}

}  // namespace railyard
