// Rules on which mark of a packet a switch believes.
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

void trusts(const LintView& view, Trust wrong, const char* message, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    if (use.policy->trust != wrong || use.policy->pfc == 0) continue;
    if (!says(*use.policy, "trust") && !tells_of(*use.device, "trust")) continue;
    LintFinding& found = sink.add(*use.device, place_of(*use.device, *use.policy, {"trust"}), message);
    found.ports = use.names();
    found.repairs.push_back({found.ports, SetTrust{Trust::dscp}});
  }
}

void switch_trusts_pcp(const LintView& view, LintSink& sink) {
  trusts(view, Trust::pcp, "ports with PFC trust PCP (802.1p): RoCE v2 that is routed or untagged has none", sink);
}
void switch_trusts_nothing(const LintView& view, LintSink& sink) {
  trusts(view, Trust::port, "ports with PFC trust no mark: every packet gets class 0", sink);
}

constexpr LintRule kTrustRules[] = {
    {"RY-LNT-040", Severity::warning, 84, "A switch trusts PCP where PFC is on",
     "PCP lives in the VLAN tag. Routed and untagged RoCE v2 has no tag, gets the default class and is dropped there.",
     "IBTA RoCE v2 (Annex A17, DSCP); Cisco NX-OS and Dell OS10, trust of dot1p",
     "Trust DSCP, unless frames have a VLAN tag on every hop.", switch_trusts_pcp},
    {"RY-LNT-041", Severity::error, 86, "A switch trusts no mark where PFC is on", "No packet ever gets the lossless class.",
     "RFC 2474; vendors' QoS guides (untrusted ports)", "Trust DSCP.", switch_trusts_nothing},
};

}  // namespace

std::span<const LintRule> trust_rules() { return kTrustRules; }

}  // namespace railyard
