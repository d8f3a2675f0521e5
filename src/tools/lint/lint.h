// `railyard lint`: mistakes in configurations of switches, NICs and jobs, alone and together.
#pragma once

#include <string>
#include <vector>

#include "base/document.h"
#include "report/report.h"
#include "tools/lint/rule.h"

namespace railyard {

struct SuppressedFinding {
  LintFinding finding;
  std::string reason;
};

struct LintResult {
  std::vector<LintFinding> findings;  // errors first, of those the most harmful first
  std::vector<SuppressedFinding> suppressed;
  std::vector<Device::Unread> unread;                       // statements that were not looked at, each once for all devices
  std::vector<std::pair<std::string, std::string>> owners;  // device, and whose it is, where the policy says so
  std::size_t switches = 0, hosts = 0, jobs = 0, ports = 0;
};

/// Looks at everything that was handed in together. Rules whose facts were not read find nothing.
[[nodiscard]] LintResult lint(const Estate& estate);

/// The same mistake at one or more devices.
struct LintEntry {
  const LintRule* rule = nullptr;
  std::string message, detail;
  std::vector<const LintFinding*> at;
};
/// Findings with the same rule and text as one, in the order of the first of each. Points into the result.
[[nodiscard]] std::vector<LintEntry> lint_entries(const LintResult& result);

/// All repairs of an estate in an order in which they can be made, and what it is after them. Where two change the same thing,
/// the repair of the more harmful finding is made, and what is left is looked at again.
struct RepairPlan {
  Estate after;
  struct DeviceRepairs {
    std::string device;
    std::vector<Repair> repairs;
  };
  std::vector<DeviceRepairs> devices;  // in the order of the estate
};
[[nodiscard]] RepairPlan plan_repairs(const Estate& estate);

/// What is told of an estate, the answer first.
[[nodiscard]] Report lint_report(const LintResult& result);
[[nodiscard]] Document lint_document(const LintResult& result);

/// A log of SARIF 2.1.0. `version` is that of the program.
[[nodiscard]] Document sarif_document(const LintResult& result, const std::string& version);

[[nodiscard]] Report lint_rules_report();
[[nodiscard]] Report lint_rule_report(const LintRule& rule);
/// The reference part of docs/lint.md; a test holds the file against this.
[[nodiscard]] std::string lint_rules_markdown();

}  // namespace railyard
