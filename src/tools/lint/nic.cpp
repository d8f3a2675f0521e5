// Rules on how NICs mark, map and react.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "tools/lint/majority.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// Calls what with every NIC whose policy was read.
template<class F>
void each_nic_policy(const LintView& view, F what) {
  for (const PolicyUse& use : view.nics)
    for (const NicConfig* nic : use.nics) what(*use.device, *nic, *use.policy);
}

std::vector<std::string> port_of(const NicConfig& nic) { return {nic.netdev.empty() ? nic.name : nic.netdev}; }

void nic_trusts_pcp(const LintView& view, LintSink& sink) {
  const bool is_tagged =
      !view.switches.empty() && std::all_of(view.switches.begin(), view.switches.end(),
                                            [](const PolicyUse& use) { return use.policy->trust == Trust::pcp; });
  if (is_tagged) return;
  each_nic_policy(view, [&](const Device& device, const NicConfig& nic, const QosPolicy& policy) {
    if (policy.trust != Trust::pcp || !says(policy, "trust")) return;
    LintFinding& found = sink.add(device, place_of(device, policy, {"trust"}),
                                  "the NIC trusts PCP: what it sends and receives untagged gets priority 0, whatever its DSCP");
    found.ports.push_back(nic.name);
    found.repairs.push_back({port_of(nic), SetTrust{Trust::dscp}});
  });
}

void nic_without_pfc(const LintView& view, LintSink& sink) {
  const std::uint8_t elsewhere = view.switch_pfc != 0 ? view.switch_pfc : view.nic_pfc;
  if (elsewhere == 0) return;
  const auto first = static_cast<std::uint8_t>(std::countr_zero(elsewhere));
  each_nic_policy(view, [&](const Device& device, const NicConfig& nic, const QosPolicy& policy) {
    if (policy.pfc != 0 || !says(policy, "pfc")) return;
    LintFinding& found = sink.add(device, place_of(device, policy, {fmt::format("pfc.{}", first), "pfc"}),
                                  fmt::format("PFC is off at the NIC, and on for priority {} at {}", bits_text(elsewhere),
                                              view.switch_pfc != 0 ? "switches" : "other NICs"));
    found.ports.push_back(nic.name);
    found.repairs.push_back({port_of(nic), SetPfc{first, true}});
  });
}

void nic_other_priority(const LintView& view, LintSink& sink) {
  if (view.switch_pfc == 0) return;
  each_nic_policy(view, [&](const Device& device, const NicConfig& nic, const QosPolicy& policy) {
    const std::uint8_t alone = policy.pfc & static_cast<std::uint8_t>(~view.switch_pfc);
    if (alone == 0) return;
    LintFinding& found = sink.add(device, place_of(device, policy, {fmt::format("pfc.{}", std::countr_zero(alone)), "pfc"}),
                                  fmt::format("PFC is on for priority {} at the NIC, for {} at switches", bits_text(policy.pfc),
                                              bits_text(view.switch_pfc)));
    found.ports.push_back(nic.name);
    if (std::popcount(view.switch_pfc) != 1) return;
    for (std::uint8_t p = 0; p < kPriorities; p++)
      if (has_bit(policy.pfc ^ view.switch_pfc, p))
        found.repairs.push_back({port_of(nic), SetPfc{p, has_bit(view.switch_pfc, p)}});
  });
}

void dcqcn_off(const LintView& view, LintSink& sink) {
  each_nic_policy(view, [&](const Device& device, const NicConfig& nic, const QosPolicy& policy) {
    if (policy.pfc == 0) return;
    const std::uint8_t priority = [&] {
      for (const SentMark& mark : view.marks)
        if (const auto sent = policy.pausing_priority(class_of_mark(policy, mark.dscp))) return *sent;
      return static_cast<std::uint8_t>(std::countr_zero(policy.pfc));
    }();
    const auto is_off = [&](const std::optional<std::uint8_t>& bits) { return bits && !has_bit(*bits, priority); };
    if (!is_off(nic.ecn_np) && !is_off(nic.ecn_rp)) return;
    LintFinding& found =
        sink.add(device, place_of(device, nic, {is_off(nic.ecn_np) ? "ecn_np" : "ecn_rp"}),
                 fmt::format("DCQCN is off for priority {}: {}", priority,
                             is_off(nic.ecn_np) && is_off(nic.ecn_rp) ? "no CNPs are sent, and none slows the sender"
                             : is_off(nic.ecn_np)                     ? "marks arrive and no CNP is sent (notification point)"
                                                                      : "CNPs arrive and slow nothing (reaction point)"));
    found.ports.push_back(nic.name);
    found.repairs.push_back({{}, SetNicEcn{nic.name, priority, true}});
  });
}

template<class F>
void each_nic_of_hosts(const LintView& view, F what) {
  for (const Device& device : view.estate.devices)
    for (const NicConfig& nic : device.nics) what(device, nic);
}

void cnp_dscp_of_template(const LintView& view, LintSink& sink) {
  each_nic_of_hosts(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.cnp_dscp || *nic.cnp_dscp != 4) return;
    LintFinding& found = sink.add(device, place_of(device, nic, {"cnp_dscp"}),
                                  "CNPs have DSCP 4, as an operator's template sets it: maps by eights put it in priority 0");
    found.ports.push_back(nic.name);
    found.repairs.push_back({{}, SetCnp{nic.name, 48, 6}});
  });
}

void cnp_lossless_at_nic(const LintView& view, LintSink& sink) {
  each_nic_policy(view, [&](const Device& device, const NicConfig& nic, const QosPolicy& policy) {
    if (!nic.cnp_dscp || policy.trust == Trust::pcp || !is_lossless(policy, *nic.cnp_dscp)) return;
    LintFinding& found = sink.add(device, place_of(device, nic, {"cnp_dscp"}),
                                  fmt::format("CNPs have DSCP {}, which the NIC has in lossless priority {}", *nic.cnp_dscp,
                                              class_of_mark(policy, *nic.cnp_dscp)));
    found.ports.push_back(nic.name);
    found.repairs.push_back({{}, SetCnp{nic.name, 48, 6}});
  });
}

void cma_tos_zero(const LintView& view, LintSink& sink) {
  each_nic_policy(view, [&](const Device& device, const NicConfig& nic, const QosPolicy& policy) {
    if (!nic.cma_tos || *nic.cma_tos != 0 || policy.pfc == 0 || is_lossless(policy, 0)) return;
    LintFinding& found = sink.add(device, place_of(device, nic, {"cma_tos"}),
                                  "connections of RDMA-CM have ToS 0: storage and perftest -R go as best effort");
    found.ports.push_back(nic.name);
    if (view.lossless) found.repairs.push_back({{}, SetNicClass{nic.name, static_cast<std::uint8_t>(*view.lossless << 2 | 2)}});
  });
}

/// ToS values of NICs and jobs, each with its name and place.
template<class F>
void each_tos(const LintView& view, F what) {
  each_nic_of_hosts(view, [&](const Device& device, const NicConfig& nic) {
    if (nic.traffic_class)
      what(device, nic.name, "traffic class", *nic.traffic_class, place_of(device, nic, {"traffic_class"}));
    if (nic.cma_tos) what(device, nic.name, "RDMA-CM ToS", *nic.cma_tos, place_of(device, nic, {"cma_tos"}));
  });
  for (const Device& device : view.estate.devices)
    if (const auto tc = number_of(device, "NCCL_IB_TC"); tc && *tc > 0 && *tc < 256)
      what(device, "", "NCCL_IB_TC", static_cast<std::uint8_t>(*tc), variable(device, "NCCL_IB_TC")->where);
}

void odd_bits(const LintView& view, unsigned bits, std::string_view means, LintSink& sink) {
  each_tos(view, [&](const Device& device, const std::string& nic, std::string_view name, std::uint8_t tos, SourceSpan where) {
    if ((tos & 3U) != bits) return;
    LintFinding& found =
        sink.add(device, std::move(where), fmt::format("{} {} is DSCP {} with ECN bits {}", name, tos, tos >> 2, means));
    const auto plain = static_cast<std::uint8_t>((tos & ~3U) | 2U);
    if (nic.empty())
      found.repairs.push_back({{}, SetEnvironment{"NCCL_IB_TC", std::to_string(plain)}});
    else
      found.repairs.push_back({{}, SetNicClass{nic, plain}}), found.ports.push_back(nic);
  });
}

void tos_says_congested(const LintView& view, LintSink& sink) {
  odd_bits(view, 3, "11 (CE): every packet says that it met congestion", sink);
}
void tos_says_ect1(const LintView& view, LintSink& sink) {
  odd_bits(view, 1, "01 (ECT(1)), which L4S means something else by", sink);
}

struct NicOfHost {
  const Device* device;
  const NicConfig* nic;
};
/// NICs that share links as equals: of one maker's tools, and of one speed where that is known.
std::map<std::pair<Dialect, std::optional<BitsPerSecond>>, std::vector<NicOfHost>> equals(const LintView& view) {
  std::map<std::pair<Dialect, std::optional<BitsPerSecond>>, std::vector<NicOfHost>> groups;
  each_nic_of_hosts(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.dcqcn.empty()) groups[{device.dialect, nic.speed}].push_back({&device, &nic});
  });
  return groups;
}

/// What one NIC has otherwise than most.
struct OddSetting {
  std::string name, own, most;
};
std::map<const NicConfig*, std::vector<OddSetting>> odd_settings(const std::vector<NicOfHost>& nics) {
  std::set<std::string> names;
  for (const NicOfHost& one : nics)
    for (const auto& [name, value] : one.nic->dcqcn) names.insert(name);
  std::map<const NicConfig*, std::vector<OddSetting>> odd;
  for (const std::string& name : names) {
    const auto text_of = [&](const NicOfHost& one) {
      const auto found = one.nic->dcqcn.find(name);
      return found == one.nic->dcqcn.end() ? std::string() : std::to_string(found->second);
    };
    for (const auto& one : odd_ones(nics, text_of)) odd[one.value.nic].push_back({name, one.own, one.most});
  }
  return odd;
}

void odd_dcqcn(const LintView& view, LintSink& sink) {
  for (const auto& [key, nics] : equals(view)) {
    const auto odd = odd_settings(nics);
    for (const NicOfHost& one : nics) {
      const auto found = odd.find(one.nic);
      if (found == odd.end()) continue;
      std::vector<std::string> texts;
      for (const OddSetting& setting : found->second)
        texts.push_back(fmt::format("{} {} (most NICs: {})", setting.name, setting.own, setting.most));
      LintFinding& finding = sink.add(*one.device, place_of(*one.device, *one.nic, {found->second.front().name}),
                                      fmt::format("DCQCN is set otherwise than on most NICs: {}", some_of(texts)));
      finding.ports.push_back(one.nic->name);
      for (const OddSetting& setting : found->second)
        finding.repairs.push_back({{}, SetDcqcn{one.nic->name, setting.name, std::stoll(setting.most)}});
    }
  }
}

constexpr std::string_view kMlnx = "NVIDIA, mlnx_qos and mlxconfig (QOS_TRUST_STATE is TRUST_PCP by default)";

constexpr LintRule kNicRules[] = {
    {"RY-LNT-090", Severity::error, 87, "A NIC trusts PCP",
     "By default NICs read the VLAN tag. Untagged RoCE v2 is then priority 0 at the NIC: PFC and DCQCN of its class do not "
     "apply.",
     kMlnx, "mlnx_qos -i IF --trust dscp, and make it last over a reboot.", nic_trusts_pcp},
    {"RY-LNT-091", Severity::error, 91, "PFC off at a NIC beside lossless switches",
     "The switch pauses into a host that goes on sending, and drops. The setting is lost with a reboot or a reset of the NIC.",
     "IEEE 802.1Q, 36 (both ends); NVIDIA, mlnx_qos --pfc", "Turn PFC on for the priority of the switches, and make it last.",
     nic_without_pfc},
    {"RY-LNT-092", Severity::error, 89, "PFC on another priority than at the switches",
     "Pauses name a priority that the other end does not stop.", "IEEE 802.1Q, 36 (both ends)", "Use one priority everywhere.",
     nic_other_priority},
    {"RY-LNT-093", Severity::error, 73, "DCQCN off on the priority of RoCE",
     "Without notification or reaction point, marks slow nobody down, and PFC does all the work.",
     "NVIDIA, DCQCN parameters (ecn/roce_np, ecn/roce_rp enable)", "Turn both on for the priority.", dcqcn_off},
    {"RY-LNT-094", Severity::warning, 61, "CNP DSCP 4 of an operator's template",
     "DSCP 4 is in the default queue of most maps: CNPs wait behind everything, and senders slow down too late.",
     "NVIDIA nic-configuration-operator, roceOptimized (CNP_DSCP 4)", "Use DSCP 48, priority 6.", cnp_dscp_of_template},
    {"RY-LNT-095", Severity::error, 67, "CNPs in the lossless priority at the NIC",
     "A pause of data stops the packets that would end the congestion.", "NVIDIA, CNP_DSCP 48 and CNP_802P_PRIO 6; AMD 46",
     "Use a DSCP of its own for CNPs, in a strict queue.", cnp_lossless_at_nic},
    {"RY-LNT-096", Severity::note, 34, "ToS 0 for RDMA-CM", "What connects over RDMA-CM is not in the class of RoCE.",
     "NVIDIA, cma_roce_tos", "Run cma_roce_tos -d DEV -t TOS.", cma_tos_zero},
    {"RY-LNT-097", Severity::error, 71, "A ToS that says congestion experienced",
     "ECN bits 11 mean that a switch marked the packet: receivers answer every packet with CNPs, and senders crawl.",
     "RFC 3168, section 5 (CE)", "Use ECN bits 10: DSCP × 4 + 2.", tos_says_congested},
    {"RY-LNT-098", Severity::note, 12, "A ToS with ECT(1)", "Switches treat it as ECT(0), or give it to L4S.",
     "RFC 3168; RFC 9331", "Use ECN bits 10: DSCP × 4 + 2.", tos_says_ect1},
    {"RY-LNT-099", Severity::warning, 52, "DCQCN set otherwise than on most NICs",
     "Where two senders share a link, the one that recovers faster, or slows down less, takes the larger share: the slow one "
     "holds up the collective of all. A NIC that sends CNPs less often slows its senders less than others do.",
     "NVIDIA, DCQCN parameters; Zhu et al., SIGCOMM'15, section 5 (fairness needs one set of parameters)",
     "Give all NICs of one maker and speed the same settings.", odd_dcqcn},
};

}  // namespace

std::span<const LintRule> nic_rules() { return kNicRules; }

}  // namespace railyard
