// Rules on where switches put congestion notification packets, whose DSCP NICs tell.
#include <fmt/format.h>

#include <algorithm>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// Where a switch puts CNPs.
struct CnpPlace {
  const PolicyUse& use;
  const SentMark& mark;
  std::uint8_t traffic_class, queue;
  bool in_lossless, in_best_effort;
};

/// Whether the NICs that send CNPs with a mark have it in a lossless priority themselves: then they are wrong, and not switches
/// that have it there, too (RY-LNT-095).
bool is_mistake_of_nics(const SentMark& mark) {
  return std::all_of(mark.senders.begin(), mark.senders.end(), [&](const SentMark::Sender& sender) {
    return std::any_of(sender.device->nics.begin(), sender.device->nics.end(), [&](const NicConfig& nic) {
      if (nic.name != sender.nic || nic.policy >= sender.device->policies.size()) return false;
      const QosPolicy& policy = sender.device->policies[nic.policy];
      return policy.trust != Trust::pcp && is_lossless(policy, mark.dscp);
    });
  });
}

template<class F>
void each_cnp(const LintView& view, F what) {
  std::vector<const SentMark*> marks;
  for (const SentMark& mark : view.cnps)
    if (!is_mistake_of_nics(mark)) marks.push_back(&mark);
  for (const PolicyUse& use : view.switches) {
    const QosPolicy& policy = *use.policy;
    if (policy.pfc == 0 || (policy.trust != Trust::dscp && policy.trust != Trust::both)) continue;
    const std::uint8_t lossless = lossless_queues(policy);
    for (const SentMark* mark : marks) {
      const std::uint8_t c = class_of_mark(policy, mark->dscp), queue = policy.queue_of_class[c];
      what(CnpPlace{use, *mark, c, queue, has_bit(lossless, queue), queue == policy.queue_of_class[policy.class_of_dscp[0]]});
    }
  }
}

LintFinding& add_cnp(const CnpPlace& at, std::string message, LintSink& sink) {
  LintFinding& found =
      sink.add(*at.use.device, place_of(*at.use.device, *at.use.policy, {fmt::format("dscp.{}", at.mark.dscp), "trust"}),
               std::move(message));
  found.ports = at.use.names();
  found.detail = fmt::format("{} on {}.", at.mark.said, at.mark.device->name);
  return found;
}

/// Proposes a class whose queue is strict and lossy, if there is one.
void propose_strict(const CnpPlace& at, LintFinding& found) {
  const QosPolicy& policy = *at.use.policy;
  const std::uint8_t lossless = lossless_queues(policy);
  for (std::uint8_t c = kPriorities; c-- > 0;)
    if (const std::uint8_t queue = policy.queue_of_class[c]; policy.queues[queue].strict && !has_bit(lossless, queue)) {
      found.repairs.push_back({found.ports, MapDscp{at.mark.dscp, c}});
      return;
    }
}

void cnp_in_lossless_queue(const LintView& view, LintSink& sink) {
  each_cnp(view, [&](const CnpPlace& at) {
    if (!at.in_lossless) return;
    propose_strict(at, add_cnp(at, fmt::format("CNPs (DSCP {}) are in lossless queue {}", at.mark.dscp, at.queue), sink));
  });
}

void cnp_in_best_effort(const LintView& view, LintSink& sink) {
  each_cnp(view, [&](const CnpPlace& at) {
    if (at.in_lossless || !at.in_best_effort || at.use.policy->queues[at.queue].strict) return;
    propose_strict(at,
                   add_cnp(at, fmt::format("CNPs (DSCP {}) share queue {} with best effort", at.mark.dscp, at.queue), sink));
  });
}

void cnp_not_strict(const LintView& view, LintSink& sink) {
  each_cnp(view, [&](const CnpPlace& at) {
    if (at.in_lossless || at.in_best_effort || at.use.policy->queues[at.queue].strict) return;
    LintFinding& found = add_cnp(at, fmt::format("queue {} of CNPs (DSCP {}) is not strict", at.queue, at.mark.dscp), sink);
    found.repairs.push_back({found.ports, SetScheduling{at.queue, true, 0}});
  });
}

void cnp_marked(const LintView& view, LintSink& sink) {
  each_cnp(view, [&](const CnpPlace& at) {
    const auto& ecn = at.use.policy->queues[at.queue].ecn;
    if (at.in_lossless || at.in_best_effort || !ecn) return;
    LintFinding& found = add_cnp(
        at, fmt::format("queue {} of CNPs (DSCP {}) {} them", at.queue, at.mark.dscp, ecn->marks ? "marks" : "drops some of"),
        sink);
    found.repairs.push_back({found.ports, SetEcn{at.queue, std::nullopt}});
  });
}

constexpr std::string_view kCnpSource = "NVIDIA (CNP DSCP 48, priority 6, strict), Broadcom (48, 7), AMD (46, 6)";

constexpr LintRule kCnpRules[] = {
    {"RY-LNT-150", Severity::error, 81, "CNPs in the lossless queue of a switch",
     "They wait behind the congestion that they report, and a pause stops them.", kCnpSource,
     "Map their DSCP to a strict queue of its own.", cnp_in_lossless_queue},
    {"RY-LNT-151", Severity::warning, 67, "CNPs in the queue of best effort",
     "They wait behind, and are dropped with, everything that is not marked: senders slow down late.", kCnpSource,
     "Map their DSCP to a strict queue of its own.", cnp_in_best_effort},
    {"RY-LNT-152", Severity::note, 29, "A queue of CNPs that is not strict",
     "CNPs are few and small; what delays them is congestion.", kCnpSource, "Serve it strictly.", cnp_not_strict},
    {"RY-LNT-153", Severity::note, 14, "ECN or WRED on CNPs", "Nobody reacts to a mark on a CNP, and a dropped one is missed.",
     kCnpSource, "Turn it off for that queue.", cnp_marked},
};

}  // namespace

std::span<const LintRule> cnp_rules() { return kCnpRules; }

}  // namespace railyard
