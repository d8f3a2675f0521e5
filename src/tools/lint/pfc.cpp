// Rules on priority flow control of one switch.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>

#include "base/quantity_text.h"
#include "tools/lint/headroom_need.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// Priorities with PFC whose group some class fills that a packet can get.
std::uint8_t reachable_priorities(const QosPolicy& policy) {
  const std::uint8_t classes = lossless_classes(policy);
  std::uint8_t bits = 0;
  for (std::uint8_t c = 0; c < kPriorities; c++)
    if (has_bit(classes, c)) bits = static_cast<std::uint8_t>(bits | 1U << *policy.pausing_priority(c));
  return bits;
}

/// Priorities that marks of data lead to.
std::uint8_t sent_priorities(const LintView& view, const QosPolicy& policy) {
  std::uint8_t bits = 0;
  for (const SentMark& mark : view.marks)
    if (const auto priority = policy.pausing_priority(class_of_mark(policy, mark.dscp)))
      bits = static_cast<std::uint8_t>(bits | 1U << *priority);
  return bits;
}

/// ", which keeps 8.1 MB of headroom on 64 ports"; empty where neither a figure nor a speed is known.
std::string headroom_text(const PolicyUse& use, std::uint8_t priority) {
  const Bytes kept = kept_headroom(use, priority);
  return kept == Bytes::zero() ? ""
                               : fmt::format(", which keeps {} of headroom on {} port{}", format(kept), use.ports.size(),
                                             use.ports.size() == 1 ? "" : "s");
}

void add_surplus(const PolicyUse& use, std::uint8_t priorities, std::string_view why, bool is_certain, LintSink& sink) {
  for (std::uint8_t p = 0; p < kPriorities; p++) {
    if (!has_bit(priorities, p)) continue;
    LintFinding& found = sink.add(*use.device, place_of(*use.device, *use.policy, {fmt::format("pfc.{}", p), "pfc"}),
                                  fmt::format("PFC is on for priority {}, {}{}", p, why, headroom_text(use, p)));
    found.ports = use.names();
    if (is_certain) found.repairs.push_back({found.ports, SetPfc{p, false}});
  }
}

void unreachable_priority(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches)
    if (use.policy->trust != Trust::port)  // that is told by itself
      add_surplus(use, use.policy->pfc & static_cast<std::uint8_t>(~reachable_priorities(*use.policy)),
                  "which no packet can get", true, sink);
}

void unused_priority(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const std::uint8_t sent = sent_priorities(view, *use.policy);
    if (sent == 0) continue;  // the class of the job is wrong: that is told elsewhere
    add_surplus(use, reachable_priorities(*use.policy) & static_cast<std::uint8_t>(~sent),
                "which no job or NIC that was read sends on", false, sink);
  }
}

void many_priorities(const LintView& view, LintSink& sink) {
  if (!view.marks.empty()) return;
  for (const PolicyUse& use : view.switches) {
    const std::uint8_t reachable = reachable_priorities(*use.policy);
    if (std::popcount(reachable) <= 2) continue;
    const auto first = static_cast<std::uint8_t>(std::countr_zero(reachable));
    sink.add(*use.device, place_of(*use.device, *use.policy, {fmt::format("pfc.{}", first), "pfc"}),
             fmt::format("PFC is on for {} priorities ({}){}", std::popcount(reachable), bits_text(reachable),
                         kept_headroom(use, first) == Bytes::zero() ? "" : "; each" + headroom_text(use, first).substr(1)))
        .ports = use.names();
  }
}

/// Whether the files of a device say anything of its buffers.
bool tells_of_buffers(const Device& device) {
  if (device.buffer.size || device.buffer.lossless_percent) return true;
  return std::any_of(device.policies.begin(), device.policies.end(), [](const QosPolicy& policy) {
    return says(policy, "group") ||
           std::any_of(policy.groups.begin(), policy.groups.end(), [](const GroupPolicy& g) { return g.has_buffer; });
  });
}

std::uint8_t lossless_groups(const QosPolicy& policy) {
  std::uint8_t bits = 0;
  for (std::size_t g = 0; g < kPriorities; g++)
    if (policy.groups[g].has_buffer) bits = static_cast<std::uint8_t>(bits | 1U << g);
  return bits;
}

void pfc_without_buffer(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    if (use.device->dialect != Dialect::sonic || !tells_of_buffers(*use.device)) continue;  // others give it by themselves
    const QosPolicy& policy = *use.policy;
    const std::uint8_t classes = lossless_classes(policy), groups = lossless_groups(policy);
    for (std::uint8_t c = 0; c < kPriorities; c++) {
      const std::uint8_t group = policy.group_of_class[c];
      if (!has_bit(classes, c) || has_bit(groups, group)) continue;
      sink.add(*use.device, place_of(*use.device, policy, {fmt::format("group.{}", group), "pfc"}),
               fmt::format("PFC is on for priority {}, and priority group {} has no lossless buffer profile",
                           *policy.pausing_priority(c), group))
          .ports = use.names();
    }
  }
}

/// Whether a packet can get a class that fills the group.
bool is_filled(const QosPolicy& policy, std::uint8_t group) {
  for (std::uint8_t c = 0; c < kPriorities; c++)
    if (policy.group_of_class[c] == group && has_bit(reachable_classes(policy), c)) return true;
  return false;
}

/// Classes of Junos and NX-OS, and with them their buffers, are those of the device: ports without PFC have them from the
/// others.
bool has_buffer_of_others(const PolicyUse& use, std::uint8_t priority) {
  const auto& all = use.device->policies;
  const bool is_shared = use.device->dialect == Dialect::junos || use.device->dialect == Dialect::nxos;
  return is_shared && use.policy->pfc == 0 &&
         std::any_of(all.begin(), all.end(), [&](const QosPolicy& p) { return p.has_pfc(priority); });
}

void buffer_without_pfc(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    if (std::none_of(use.device->policies.begin(), use.device->policies.end(),
                     [](const QosPolicy& p) { return says(p, "pfc"); }))
      continue;  // buffers alone
    const QosPolicy& policy = *use.policy;
    for (std::uint8_t g = 0; g < kPriorities; g++) {
      const std::uint8_t priority = policy.priority_of_group[g];
      if (!policy.groups[g].has_buffer || policy.has_pfc(priority) || has_buffer_of_others(use, priority)) continue;
      LintFinding& found = sink.add(
          *use.device, place_of(*use.device, policy, {fmt::format("group.{}", g), "pfc"}),
          fmt::format("priority group {} has a lossless buffer, and PFC is off for priority {}: it never pauses anyone", g,
                      priority));
      found.ports = use.names();
      if (is_filled(policy, g)) found.repairs.push_back({found.ports, SetPfc{priority, true}});
    }
  }
}

void pfc_without_priority(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const QosPolicy& policy = *use.policy;
    if (policy.pfc != 0 || !policy.said.contains("pfc.on")) continue;
    const auto names_priority = [](const auto& said) {
      return said.first.size() == 5 && said.first.starts_with("pfc.") &&
             std::isdigit(static_cast<unsigned char>(said.first[4]));
    };
    if (std::any_of(policy.said.begin(), policy.said.end(), names_priority)) continue;
    LintFinding& found = sink.add(*use.device, place_of(*use.device, *use.policy, {"pfc.on"}),
                                  "PFC is on at the port, and no priority is no-drop: nothing is ever paused");
    found.ports = use.names();
    if (view.nic_pfc == 0) continue;
    found.repairs.push_back({found.ports, SetPfc{static_cast<std::uint8_t>(std::countr_zero(view.nic_pfc)), true}});
  }
}

void pause_stops_other_queue(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    const QosPolicy& policy = *use.policy;
    const std::uint8_t classes = lossless_classes(policy);
    for (std::uint8_t c = 0; c < kPriorities; c++) {
      if (!has_bit(classes, c)) continue;
      const std::uint8_t priority = *policy.pausing_priority(c), queue = policy.queue_of_class[c];
      if (policy.queue_of_priority[priority] == queue) continue;
      LintFinding& found = sink.add(
          *use.device, place_of(*use.device, policy, {fmt::format("class.{}.queue", c), fmt::format("class.{}.group", c)}),
          fmt::format("class {} waits in queue {} and fills priority group {}; the pause for it names priority {}, "
                      "which stops queue {}",
                      c, queue, policy.group_of_class[c], priority, policy.queue_of_priority[priority]));
      found.ports = use.names();
      found.repairs.push_back({found.ports, MapClass{c, policy.queue_of_priority[priority], policy.group_of_class[c]}});
    }
  }
}

void link_pause_beside_pfc(const LintView& view, LintSink& sink) {
  for (const auto* uses : {&view.switches, &view.nics})
    for (const PolicyUse& use : *uses) {
      if (!use.policy->link_pause || use.policy->pfc == 0) continue;
      LintFinding& found =
          sink.add(*use.device, place_of(*use.device, *use.policy, {"link_pause", "pfc"}),
                   fmt::format("pause of the whole link is on beside PFC (priorities {})", bits_text(use.policy->pfc)));
      found.ports = use.names();
      found.repairs.push_back({found.ports, SetLinkPause{false}});
    }
}

constexpr LintRule kPfcRules[] = {
    {"RY-LNT-001", Severity::warning, 45, "PFC on a priority that no packet can get",
     "Every lossless priority keeps headroom on every port, used or not. What it keeps is taken from the shared buffer that "
     "absorbs bursts of all others.",
     "IEEE 802.1Q, Annex O (buffer of a lossless priority); SONiC, BUFFER_PG",
     "Turn PFC off for the priority, or map the DSCPs that are meant to it.", unreachable_priority},
    {"RY-LNT-002", Severity::note, 30, "PFC on a priority that nothing read here sends on",
     "The headroom of an idle lossless priority is lost to the others, and one more priority can spread a pause storm.",
     "IEEE 802.1Q, Annex O; SONiC's default pfc_enable 3,4",
     "Turn PFC off for the priority, unless something that was not handed in uses it.", unused_priority},
    {"RY-LNT-003", Severity::warning, 40, "PFC on more than two priorities",
     "Each lossless priority costs headroom on every port and can stop senders; one for RoCE, at most one more, is what "
     "vendors' designs use.",
     "NVIDIA Cumulus Linux, RDMA over Converged Ethernet; SONiC default (3,4)", "Keep PFC on for the priority of RoCE alone.",
     many_priorities},
    {"RY-LNT-004", Severity::error, 90, "PFC without a lossless buffer behind it",
     "Without a profile with headroom the priority group drops what arrives after the pause, or never sends one: packets are "
     "lost on a class that believes it is lossless.",
     "SONiC, BUFFER_PG and BUFFER_PROFILE; SAI, priority group buffer profile",
     "Bind a lossless profile (with xoff) to the priority group.", pfc_without_buffer},
    {"RY-LNT-005", Severity::warning, 55, "A lossless buffer whose priority has no PFC",
     "The buffer is set aside, but no pause is sent: when it is full, packets are dropped.",
     "SONiC, PORT_QOS_MAP pfc_enable and BUFFER_PG", "Turn PFC on for the priority, or bind a lossy profile.",
     buffer_without_pfc},
    {"RY-LNT-006", Severity::error, 80, "PFC on with no no-drop priority",
     "`priority-flow-control on` alone pauses nothing: each no-drop priority must be named.",
     "Arista EOS, priority-flow-control priority N no-drop", "Name the no-drop priority.", pfc_without_priority},
    {"RY-LNT-007", Severity::error, 85, "A pause stops another queue than the one that fills the group",
     "The neighbour goes on sending what overflows the buffer, and traffic that harms nobody is stopped.",
     "IEEE 802.1Q, 36.1 (PFC operates per priority); SONiC, MAP_PFC_PRIORITY_TO_QUEUE",
     "Let queue, priority group and PFC priority of a lossless class have the same number.", pause_stops_other_queue},
    {"RY-LNT-008", Severity::error, 70, "Pause of the whole link beside PFC",
     "IEEE 802.3 pause stops every class, CNPs and control traffic too, and the two must not be on together.",
     "IEEE 802.1Q, 36.1.1 (not both on one port); IEEE 802.3, Annex 31B", "Turn link-level flow control off.",
     link_pause_beside_pfc},
};

}  // namespace

std::span<const LintRule> pfc_rules() { return kPfcRules; }

}  // namespace railyard
