// Rules on the way of a packet: from the job's traffic class over every NIC and switch to the priority that is paused.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

bool reads_dscp(const QosPolicy& policy) { return policy.trust == Trust::dscp || policy.trust == Trust::both; }

/// Policies with PFC that packets of a job meet: at NICs first, then leaf, spine, core.
std::vector<const PolicyUse*> hops_of(const LintView& view) {
  std::vector<const PolicyUse*> hops;
  for (const auto* uses : {&view.nics, &view.switches})
    for (const PolicyUse& use : *uses)
      if (use.policy->pfc != 0 && reads_dscp(*use.policy)) hops.push_back(&use);
  const auto tier = [&](const PolicyUse* use) {
    if (use->device->kind == DeviceKind::host) return 0;
    const Role role = view.role_of(*use->device);
    return role == Role::unknown ? 9 : static_cast<int>(role);
  };
  std::stable_sort(hops.begin(), hops.end(), [&](const PolicyUse* a, const PolicyUse* b) { return tier(a) < tier(b); });
  return hops;
}

/// "class 3, queue 3, group 3, PFC priority 3"
std::string hop_text(const QosPolicy& policy, std::uint8_t dscp) {
  const std::uint8_t c = class_of_mark(policy, dscp);
  const auto priority = policy.pausing_priority(c);
  return fmt::format("class {}, queue {}, group {}, {}", c, policy.queue_of_class[c], policy.group_of_class[c],
                     priority ? fmt::format("PFC priority {}", *priority) : "no PFC");
}

/// The way up to a hop: the first NIC and switch of each tier before it that keep the mark lossless, then itself.
std::string chain_text(const LintView& view, const std::vector<const PolicyUse*>& hops, const SentMark& mark,
                       const PolicyUse& last) {
  std::string text = fmt::format("{} of {} → DSCP {}", mark.said, mark.device->name, mark.dscp);
  const auto tier_of = [&](const PolicyUse& hop) {
    return hop.device->kind == DeviceKind::host ? -1 : static_cast<int>(view.role_of(*hop.device));
  };
  std::set<int> shown;
  for (const PolicyUse* hop : hops) {
    if (hop == &last) break;
    if (hop->device->kind == DeviceKind::host && mark.device->kind == DeviceKind::host && hop->device != mark.device) continue;
    if (!is_lossless(*hop->policy, mark.dscp) || !shown.insert(tier_of(*hop)).second) continue;
    text += fmt::format(" → {} ({})", hop->device->name, hop_text(*hop->policy, mark.dscp));
  }
  return text + fmt::format(" → {} ({}): it breaks here first.", last.device->name, hop_text(*last.policy, mark.dscp));
}

/// The priority that pauses a mark at the first hop where one does.
std::optional<std::uint8_t> priority_of_mark(const std::vector<const PolicyUse*>& hops, std::uint8_t dscp) {
  for (const PolicyUse* hop : hops)
    if (const auto priority = hop->policy->pausing_priority(class_of_mark(*hop->policy, dscp))) return priority;
  return std::nullopt;
}

/// A class of the policy that this priority pauses, else any that is paused.
std::optional<std::uint8_t> paused_class(const QosPolicy& policy, std::optional<std::uint8_t> priority) {
  std::optional<std::uint8_t> any;
  for (std::uint8_t c = 0; c < kPriorities; c++) {
    const auto pausing = policy.pausing_priority(c);
    if (pausing && pausing == priority) return c;
    if (pausing && !any) any = c;
  }
  return any;
}

/// The mark that is lossless at every hop; of several the one that most send.
const SentMark* mark_that_holds(const LintView& view, const std::vector<const PolicyUse*>& hops) {
  const SentMark* best = nullptr;
  for (const SentMark& mark : view.marks) {
    const bool holds =
        std::all_of(hops.begin(), hops.end(), [&](const PolicyUse* hop) { return is_lossless(*hop->policy, mark.dscp); });
    if (holds && (!best || mark.senders.size() > best->senders.size())) best = &mark;
  }
  return best;
}

/// Whether no switch has a mark in a lossless class.
bool is_lost_everywhere(const std::vector<const PolicyUse*>& hops, std::uint8_t dscp) {
  return std::none_of(hops.begin(), hops.end(), [&](const PolicyUse* hop) {
    return hop->device->kind == DeviceKind::network_switch && is_lossless(*hop->policy, dscp);
  });
}

/// Who sends with a mark that no switch knows, where another one holds all the way, is who is wrong.
void blame_senders(const SentMark& mark, const SentMark& right, LintSink& sink) {
  constexpr std::uint8_t kEct0 = 2;  // ECN-capable transport
  const auto tos = static_cast<std::uint8_t>(right.dscp << 2 | kEct0);
  LintFinding* found = nullptr;
  const Device* last = nullptr;
  for (const SentMark::Sender& sender : mark.senders) {
    if (!found || sender.device != last) {
      found = &sink.add(
          *sender.device, sender.where,
          fmt::format("RoCE is sent with DSCP {} ({}), which no switch has in a lossless class", mark.dscp, sender.setting));
      found->detail = fmt::format("DSCP {} ({} of {}) is lossless at every hop: use traffic class {}.", right.dscp, right.said,
                                  right.device->name, tos);
      last = sender.device;
    }
    if (sender.nic.empty()) {
      found->repairs.push_back({{}, SetEnvironment{"NCCL_IB_TC", std::to_string(tos)}});
    } else if (std::find(found->ports.begin(), found->ports.end(), sender.nic) == found->ports.end()) {
      found->ports.push_back(sender.nic);
      found->repairs.push_back({{}, SetNicClass{sender.nic, tos}});
    }
  }
}

void chain_breaks(const LintView& view, LintSink& sink) {
  const std::vector<const PolicyUse*> hops = hops_of(view);
  const SentMark* const right = mark_that_holds(view, hops);
  for (const SentMark& mark : view.marks) {
    if (right && &mark != right && is_lost_everywhere(hops, mark.dscp)) {
      blame_senders(mark, *right, sink);
      continue;
    }
    const auto priority = priority_of_mark(hops, mark.dscp);
    std::map<std::string, std::string> chains;  // to the first hop with each message
    for (const PolicyUse* hop : hops) {
      if (is_lossless(*hop->policy, mark.dscp)) continue;
      const std::string message = fmt::format("DSCP {} ({}) gets {}; lossless here is priority {}", mark.dscp, mark.said,
                                              hop_text(*hop->policy, mark.dscp), bits_text(hop->policy->pfc));
      std::string& chain = chains[message];
      if (chain.empty()) chain = chain_text(view, hops, mark, *hop);
      LintFinding& found =
          sink.add(*hop->device, place_of(*hop->device, *hop->policy, {fmt::format("dscp.{}", mark.dscp), "trust"}), message);
      found.ports = hop->names();
      found.detail = chain;
      if (const auto paused = paused_class(*hop->policy, priority))
        found.repairs.push_back({found.ports, MapDscp{mark.dscp, *paused}});
    }
  }
}

void priority_changes(const LintView& view, LintSink& sink) {
  const std::vector<const PolicyUse*> hops = hops_of(view);
  for (const SentMark& mark : view.marks) {
    const auto first =
        std::find_if(hops.begin(), hops.end(), [&](const PolicyUse* h) { return is_lossless(*h->policy, mark.dscp); });
    if (first == hops.end()) continue;
    const std::uint8_t priority = *(*first)->policy->pausing_priority(class_of_mark(*(*first)->policy, mark.dscp));
    for (const PolicyUse* hop : hops) {
      const auto own = hop->policy->pausing_priority(class_of_mark(*hop->policy, mark.dscp));
      if (!own || *own == priority) continue;
      LintFinding& found = sink.add(
          *hop->device, place_of(*hop->device, *hop->policy, {fmt::format("dscp.{}", mark.dscp)}),
          fmt::format("DSCP {} ({}) is paused by priority {} here, by {} elsewhere", mark.dscp, mark.said, *own, priority));
      found.ports = hop->names();
      found.detail = fmt::format("At {} it is priority {}.", (*first)->device->name, priority);
      if (const auto paused = paused_class(*hop->policy, priority);
          paused && hop->policy->pausing_priority(*paused) == priority)
        found.repairs.push_back({found.ports, MapDscp{mark.dscp, *paused}});
    }
  }
}

void fabric_without_pfc(const LintView& view, LintSink& sink) {
  std::set<const Device*> lossless, others;
  for (const PolicyUse& use : view.switches) (use.policy->pfc != 0 ? lossless : others).insert(use.device);
  if (lossless.empty()) return;
  for (const Device& device : view.estate.devices)
    if (others.contains(&device) && !lossless.contains(&device) && tells_of(device, "pfc") && is_fabric(view.role_of(device))) {
      LintFinding& found = sink.add(device, {},
                                    fmt::format("a {} without PFC, where other switches have it on for priority {}",
                                                name_of(view.role_of(device)), bits_text(view.switch_pfc)));
      for (std::uint8_t p = 0; p < kPriorities; p++)
        if (has_bit(view.switch_pfc, p)) found.repairs.push_back({{}, SetPfc{p, true}});
    }
}

/// Whether a packet can get a class that the priority pauses.
bool is_in_use(const QosPolicy& policy, std::uint8_t priority) {
  for (std::uint8_t c = 0; c < kPriorities; c++)
    if (has_bit(lossless_classes(policy), c) && policy.pausing_priority(c) == priority) return true;
  return false;
}

/// Whether a priority that packets can get is paused at one end alone; what nobody uses is RY-LNT-001's matter.
bool differ_in_use(const QosPolicy& a, const QosPolicy& b) {
  for (std::uint8_t p = 0; p < kPriorities; p++)
    if (a.has_pfc(p) != b.has_pfc(p) && is_in_use(a.has_pfc(p) ? a : b, p)) return true;
  return false;
}

bool is_allowed(const LintView& view, std::uint8_t priority) {
  return has_bit(view.estate.allowed.lossless_priorities.value_or(0xff), priority);
}

void pfc_asymmetric(const LintView& view, LintSink& sink) {
  for (const PatchedCable& cable : view.cables) {
    const QosPolicy *a = cable.a.policy(), *b = cable.b.policy();
    if (!a || !b || !differ_in_use(*a, *b)) continue;
    if (!tells_of(*cable.a.device, "pfc") || !tells_of(*cable.b.device, "pfc")) continue;
    const bool is_host = cable.b.device->kind == DeviceKind::host;
    if (is_host && (b->pfc == 0 || (b->pfc & ~a->pfc) == 0)) continue;  // NIC off: RY-LNT-091; fewer at the NIC: harmless
    const bool a_lacks = std::popcount(a->pfc) < std::popcount(b->pfc) || is_host;
    const CableEnd& lacking = a_lacks ? cable.a : cable.b;
    const QosPolicy &less = a_lacks ? *a : *b, &more = a_lacks ? *b : *a;
    SourceSpan place = place_of(*lacking.device, less, {"pfc"});
    if (place.line == 0 && lacking.port) place = lacking.port->where;
    LintFinding& found = sink.add(*lacking.device, std::move(place),
                                  fmt::format("PFC is on for priority {} at this end of a cable, for {} at the other",
                                              bits_text(less.pfc), bits_text(more.pfc)));
    if (lacking.port) found.ports.push_back(lacking.port->name);
    found.detail = fmt::format("{} is cabled to {}.", cable.a.name(), cable.b.name());
    for (std::uint8_t p = 0; p < kPriorities; p++)
      if (has_bit(more.pfc, p) && !has_bit(less.pfc, p) && is_in_use(more, p) && is_allowed(view, p))
        found.repairs.push_back({found.ports, SetPfc{p, true}});
  }
}

constexpr LintRule kEndToEndRules[] = {
    {"RY-LNT-140", Severity::error, 98, "The class of RoCE breaks on its way",
     "Traffic class, DSCP, class, queue, priority group and PFC priority must agree at every hop. Where they do not, RDMA is "
     "dropped on a network that is lossless everywhere else.",
     "IEEE 802.1Q, 36; RFC 2474; SONiC's default map has DSCP 3 and 4 lossless, not 24 or 26",
     "Map the DSCP to the lossless class at the device that is named, or send with one that is mapped.", chain_breaks},
    {"RY-LNT-141", Severity::error, 93, "The PFC priority of a mark changes on its way",
     "A pause names a priority. If the neighbour has the packets in another, it stops something else.", "IEEE 802.1Q, 36",
     "Use one class and priority for the mark everywhere.", priority_changes},
    {"RY-LNT-142", Severity::error, 90, "A switch of the fabric without PFC", "One lossy hop makes the path lossy.",
     "IEEE 802.1Q, 36; vendors' RoCE designs", "Give it the QoS of its peers.", fabric_without_pfc},
    {"RY-LNT-143", Severity::error, 91, "PFC differs at the two ends of a cable",
     "One end sends pauses that the other does not obey; what arrives then is dropped.", "IEEE 802.1Q, 36 (both ends)",
     "Set the same priorities at both ends.", pfc_asymmetric},
};

}  // namespace

std::span<const LintRule> end_to_end_rules() { return kEndToEndRules; }

}  // namespace railyard
