// What `railyard lint` looks for: rules with their reasons, and what they found.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "qos/repair.h"

namespace railyard {

struct LintRule;
struct LintView;

/// One mistake at one device.
struct LintFinding {
  const LintRule* rule = nullptr;
  std::string device;
  std::vector<std::string> ports;  // or NICs; none: all of the device, or nothing of it in particular
  SourceSpan where;
  std::string message;          // with the offending values; devices with the same mistake have the same text
  std::string detail;           // told once for all that share the message
  std::vector<Repair> repairs;  // of this device; none where no setting repairs it
};

/// What rules write into. The rule of a finding is the one that is being looked at.
class LintSink {
 public:
  LintFinding& add(const Device& device, SourceSpan where, std::string message);
  /// About the estate, or about a device that was not read.
  LintFinding& add(std::string device, SourceSpan where, std::string message);

  const LintRule* rule = nullptr;
  std::vector<LintFinding> findings;
};

/// A rule. It finds nothing where what it needs was not read.
struct LintRule {
  std::string_view code;  // stable: RY-LNT-001
  Severity severity;
  int harm;  // 0 to 100: what is told first
  std::string_view title, why, source, fix;
  void (*check)(const LintView&, LintSink&);
};

struct LintRuleGroup {
  std::string_view name;
  std::span<const LintRule> rules;
};

/// All rules, in the order of their codes.
[[nodiscard]] std::span<const LintRuleGroup> lint_rule_groups();
[[nodiscard]] const LintRule* find_lint_rule(std::string_view code);

// One file each.
[[nodiscard]] std::span<const LintRule> pfc_rules();
[[nodiscard]] std::span<const LintRule> ecn_rules();
[[nodiscard]] std::span<const LintRule> buffer_rules();
[[nodiscard]] std::span<const LintRule> map_rules();
[[nodiscard]] std::span<const LintRule> trust_rules();
[[nodiscard]] std::span<const LintRule> scheduling_rules();
[[nodiscard]] std::span<const LintRule> watchdog_rules();
[[nodiscard]] std::span<const LintRule> mtu_rules();
[[nodiscard]] std::span<const LintRule> dcbx_rules();
[[nodiscard]] std::span<const LintRule> nic_rules();
[[nodiscard]] std::span<const LintRule> host_rules();
[[nodiscard]] std::span<const LintRule> job_class_rules();
[[nodiscard]] std::span<const LintRule> job_rules();
[[nodiscard]] std::span<const LintRule> end_to_end_rules();
[[nodiscard]] std::span<const LintRule> cnp_rules();
[[nodiscard]] std::span<const LintRule> hash_rules();
[[nodiscard]] std::span<const LintRule> cabling_rules();
[[nodiscard]] std::span<const LintRule> firmware_rules();
[[nodiscard]] std::span<const LintRule> odd_one_rules();
[[nodiscard]] std::span<const LintRule> allowed_rules();
[[nodiscard]] std::span<const LintRule> pcie_rules();

}  // namespace railyard
