#include "tools/lint/rule.h"

#include <array>

namespace railyard {

LintFinding& LintSink::add(std::string device, SourceSpan where, std::string message) {
  LintFinding& finding = findings.emplace_back();
  finding.rule = rule;
  finding.device = std::move(device);
  finding.where = std::move(where);
  finding.message = std::move(message);
  return finding;
}

LintFinding& LintSink::add(const Device& device, SourceSpan where, std::string message) {
  if (where.file.empty() && !device.files.empty()) where = device.files.front();
  return add(device.name, std::move(where), std::move(message));
}

std::span<const LintRuleGroup> lint_rule_groups() {
  static const std::array groups = {LintRuleGroup{"Priority flow control", pfc_rules()},
                                    LintRuleGroup{"Explicit congestion notification", ecn_rules()},
                                    LintRuleGroup{"Buffers", buffer_rules()},
                                    LintRuleGroup{"Maps of marks, classes and queues", map_rules()},
                                    LintRuleGroup{"Trust", trust_rules()},
                                    LintRuleGroup{"Scheduling", scheduling_rules()},
                                    LintRuleGroup{"Watchdog", watchdog_rules()},
                                    LintRuleGroup{"MTU", mtu_rules()},
                                    LintRuleGroup{"DCBX", dcbx_rules()},
                                    LintRuleGroup{"NICs", nic_rules()},
                                    LintRuleGroup{"Hosts", host_rules()},
                                    LintRuleGroup{"The class of a job", job_class_rules()},
                                    LintRuleGroup{"Variables of a job", job_rules()},
                                    LintRuleGroup{"End to end", end_to_end_rules()},
                                    LintRuleGroup{"Congestion notification packets", cnp_rules()},
                                    LintRuleGroup{"Hashing", hash_rules()},
                                    LintRuleGroup{"Cabling", cabling_rules()},
                                    LintRuleGroup{"Versions", firmware_rules()},
                                    LintRuleGroup{"One that differs from its peers", odd_one_rules()},
                                    LintRuleGroup{"What the organisation allows", allowed_rules()},
                                    LintRuleGroup{"PCIe of hosts", pcie_rules()}};
  return groups;
}

const LintRule* find_lint_rule(std::string_view code) {
  for (const LintRuleGroup& group : lint_rule_groups())
    for (const LintRule& rule : group.rules)
      if (rule.code == code) return &rule;
  return nullptr;
}

}  // namespace railyard
