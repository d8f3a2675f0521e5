// Rules on devices of one role, and ports of one device, that are meant to be alike.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/quantity_text.h"
#include "tools/lint/majority.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// The policy that most ports with PFC of each switch have.
std::map<const Device*, const PolicyUse*> main_policies(const LintView& view) {
  std::map<const Device*, const PolicyUse*> main;
  for (const PolicyUse& use : view.switches) {
    if (use.policy->pfc == 0) continue;
    const PolicyUse*& best = main[use.device];
    if (!best || use.ports.size() > best->ports.size()) best = &use;
  }
  return main;
}

/// Switches of the fabric that are meant to be alike: by role, language and model.
std::vector<std::vector<const PolicyUse*>> peer_groups(const LintView& view) {
  const auto main = main_policies(view);
  std::map<std::tuple<Role, Dialect, std::string>, std::vector<const PolicyUse*>> groups;
  for (const Device& device : view.estate.devices)
    if (const auto use = main.find(&device); use != main.end() && is_fabric(view.role_of(device)))
      groups[{view.role_of(device), device.dialect, device.model}].push_back(use->second);
  std::vector<std::vector<const PolicyUse*>> out;
  for (auto& [key, group] : groups) out.push_back(std::move(group));
  return out;
}

/// One aspect of a policy as text, for every lossless queue.
template<class F>
std::string by_queue(const QosPolicy& policy, F text_of) {
  std::string text;
  for (std::uint8_t q = 0; q < kPriorities; q++)
    if (has_bit(lossless_queues(policy), q))
      text += fmt::format("{}queue {}: {}", text.empty() ? "" : "; ", q, text_of(policy.queues[q]));
  return text;
}

std::string threshold_brief(const Threshold& t) {
  static constexpr std::string_view kUnits[] = {"B", "%", "cells", "µs"};
  return fmt::format("{} {}", t.value, kUnits[static_cast<std::size_t>(t.unit)]);
}

std::string ecn_text(const QosPolicy& policy) {
  return by_queue(policy, [](const QueuePolicy& queue) {
    return queue.ecn ? fmt::format("{} to {} at {:g} %", threshold_brief(queue.ecn->kmin), threshold_brief(queue.ecn->kmax),
                                   queue.ecn->pmax * 100)
                     : std::string("no ECN");
  });
}

std::string scheduling_text(const QosPolicy& policy) {
  return by_queue(policy, [](const QueuePolicy& queue) {
    return queue.strict ? std::string("strict") : fmt::format("weight {}", queue.weight);
  });
}

std::string alpha_text(const QosPolicy& policy) {
  std::string text;
  for (std::uint8_t g = 0; g < kPriorities; g++)
    if (const GroupPolicy& group = policy.groups[g]; policy.has_pfc(policy.priority_of_group[g]) && (group.alpha || group.xoff))
      text +=
          fmt::format("{}group {}: {}", text.empty() ? "" : "; ", g,
                      group.xoff ? "pause above " + format(*group.xoff) : fmt::format("{:g} of what is free", *group.alpha));
  return text;
}

std::string watchdog_text(const QosPolicy& policy) {
  const WatchdogPolicy& w = policy.watchdog;
  if (!w.enabled) return {};  // told by itself
  const auto time = [](const std::optional<Picoseconds>& t) { return t ? format(*t) : std::string("default"); };
  return fmt::format("detection {}, restoration {}, {}", time(w.detection), time(w.restoration), name_of(w.action));
}

std::string map_text(const QosPolicy& policy) {
  std::vector<std::string> dscps;
  for (std::size_t d = 0; d < kDscps; d++)
    if (policy.pausing_priority(policy.class_of_dscp[d])) dscps.push_back(std::to_string(d));
  return policy.trust == Trust::dscp || policy.trust == Trust::both ? fmt::format("DSCP {}", fmt::join(dscps, ", ")) : "";
}

std::string pfc_text(const QosPolicy& policy) { return bits_text(policy.pfc); }

/// Finds those that differ from most of their peers in an aspect. `repair` gives changes from one policy to the other.
void differs(const LintView& view, std::string_view what, std::string (*aspect)(const QosPolicy&), std::string place,
             std::vector<Repair> (*repair)(const PolicyUse&, const QosPolicy&), LintSink& sink) {
  for (const auto& group : peer_groups(view)) {
    std::map<std::string, const PolicyUse*> examples;
    const auto odd = odd_ones(group, [&](const PolicyUse* use) {
      std::string text = aspect(*use->policy);
      examples.try_emplace(text, use);
      return text;
    });
    for (const auto& one : odd) {
      LintFinding& found =
          sink.add(*one.value->device, place_of(*one.value->device, *one.value->policy, {place + ".scheduler", place}),
                   fmt::format("{}: {}; most {}s have {}", what, one.own, name_of(view.role_of(*one.value->device)), one.most));
      found.ports = one.value->names();
      found.repairs = repair(*one.value, *examples.at(one.most)->policy);
    }
  }
}

std::vector<Repair> copy_ecn(const PolicyUse& use, const QosPolicy& from) {
  std::vector<Repair> repairs;
  for (std::uint8_t q = 0; q < kPriorities; q++)
    if (has_bit(lossless_queues(from), q) && use.policy->queues[q].ecn != from.queues[q].ecn)
      repairs.push_back({use.names(), SetEcn{q, from.queues[q].ecn}});
  return repairs;
}
std::vector<Repair> copy_groups(const PolicyUse& use, const QosPolicy& from) {
  std::vector<Repair> repairs;
  for (std::uint8_t g = 0; g < kPriorities; g++) {
    GroupPolicy group = use.policy->groups[g];
    if (!from.has_pfc(from.priority_of_group[g]) || (group.alpha == from.groups[g].alpha && group.xoff == from.groups[g].xoff))
      continue;
    group.alpha = from.groups[g].alpha, group.xoff = from.groups[g].xoff;
    repairs.push_back({use.names(), SetGroup{g, group}});
  }
  return repairs;
}
std::vector<Repair> copy_watchdog(const PolicyUse& use, const QosPolicy& from) {
  return {{use.names(), SetWatchdog{from.watchdog}}};
}
std::vector<Repair> copy_scheduling(const PolicyUse& use, const QosPolicy& from) {
  std::vector<Repair> repairs;
  for (std::uint8_t q = 0; q < kPriorities; q++)
    if (const QueuePolicy& own = use.policy->queues[q], &other = from.queues[q];
        own.strict != other.strict || own.weight != other.weight)
      repairs.push_back({use.names(), SetScheduling{q, other.strict, other.weight}});
  return repairs;
}
std::vector<Repair> copy_map(const PolicyUse& use, const QosPolicy& from) {
  std::vector<Repair> repairs;
  for (std::uint8_t d = 0; d < kDscps; d++)
    if (use.policy->class_of_dscp[d] != from.class_of_dscp[d])
      repairs.push_back({use.names(), MapDscp{d, from.class_of_dscp[d]}});
  return repairs;
}
std::vector<Repair> copy_pfc(const PolicyUse& use, const QosPolicy& from) {
  std::vector<Repair> repairs;
  for (std::uint8_t p = 0; p < kPriorities; p++)
    if (use.policy->has_pfc(p) != from.has_pfc(p)) repairs.push_back({use.names(), SetPfc{p, from.has_pfc(p)}});
  return repairs;
}

void odd_ecn(const LintView& view, LintSink& sink) { differs(view, "ECN thresholds", ecn_text, "queue.3.ecn", copy_ecn, sink); }
void odd_threshold(const LintView& view, LintSink& sink) {
  differs(view, "PFC thresholds", alpha_text, "group.3", copy_groups, sink);
}
void odd_watchdog(const LintView& view, LintSink& sink) {
  differs(view, "watchdog", watchdog_text, "watchdog", copy_watchdog, sink);
}
void odd_scheduling(const LintView& view, LintSink& sink) {
  differs(view, "scheduling of lossless queues", scheduling_text, "queue.3", copy_scheduling, sink);
}
void odd_map(const LintView& view, LintSink& sink) { differs(view, "lossless marks", map_text, "dscp.26", copy_map, sink); }
void odd_pfc(const LintView& view, LintSink& sink) { differs(view, "PFC priorities", pfc_text, "pfc", copy_pfc, sink); }

/// Ports of the speed of a fabric; slower ones are for other things. SONiC tells the speed of every port in use.
std::vector<const PortConfig*> fast_ports(const PolicyUse& use) {
  const bool tells_speed = use.device->dialect == Dialect::sonic;
  std::vector<const PortConfig*> ports = use.ports;
  std::erase_if(ports, [&](const PortConfig* port) { return port->speed ? *port->speed < 25_Gbps : tells_speed; });
  return ports;
}

void ports_left_out(const LintView& view, LintSink& sink) {
  struct Count {
    std::size_t with = 0, without = 0;
  };
  std::map<const Device*, Count> counts;
  for (const PolicyUse& use : view.switches)
    (use.policy->pfc != 0 ? counts[use.device].with : counts[use.device].without) += fast_ports(use).size();
  const auto main = main_policies(view);
  for (const PolicyUse& use : view.switches) {
    const Count count = counts[use.device];
    const std::vector<const PortConfig*> ports = fast_ports(use);
    if (use.policy->pfc != 0 || ports.empty() || count.with < 2 * count.without) continue;
    const QosPolicy& usual = *main.at(use.device)->policy;
    LintFinding& found = sink.add(*use.device, ports.front()->where,
                                  fmt::format("ports have no PFC, where {} ports of the device have it on for priority {}",
                                              count.with, bits_text(usual.pfc)));
    for (const PortConfig* port : ports) found.ports.push_back(port->name);
    found.repairs.push_back({found.ports, SetTrust{usual.trust}});
    for (std::uint8_t p = 0; p < kPriorities; p++)
      if (usual.has_pfc(p)) found.repairs.push_back({found.ports, SetPfc{p, true}});
  }
}

constexpr std::string_view kPeers = "vendors' RoCE designs: one configuration per role";
constexpr std::string_view kOddFix = "Set it as its peers have it, or let the policy file say why it differs.";

constexpr LintRule kOddRules[] = {
    {"RY-LNT-190", Severity::warning, 57, "ECN thresholds other than those of its peers",
     "Congestion is told earlier or later on one switch: its flows get less or more than their share.", kPeers, kOddFix,
     odd_ecn},
    {"RY-LNT-191", Severity::warning, 53, "PFC thresholds other than those of its peers",
     "One switch pauses earlier than the rest.", kPeers, kOddFix, odd_threshold},
    {"RY-LNT-192", Severity::note, 23, "A watchdog set otherwise than those of its peers",
     "A storm ends at different times at two switches.", kPeers, kOddFix, odd_watchdog},
    {"RY-LNT-193", Severity::warning, 39, "Scheduling other than that of its peers",
     "RDMA gets another share of links on one switch.", kPeers, kOddFix, odd_scheduling},
    {"RY-LNT-194", Severity::warning, 61, "Lossless marks other than those of its peers",
     "What is lossless elsewhere is lossy here, or the reverse.", kPeers, kOddFix, odd_map},
    {"RY-LNT-195", Severity::error, 79, "PFC priorities other than those of its peers",
     "Pauses of one switch name priorities that others do not stop.", kPeers, kOddFix, odd_pfc},
    {"RY-LNT-196", Severity::warning, 75, "Ports without the QoS of the others",
     "QoS bound per port does not follow a breakout: new ports come up without it.",
     "SONiC, PORT_QOS_MAP and BUFFER_PG per port; Cisco NX-OS, service-policy per interface", "Bind the same QoS to the ports.",
     ports_left_out},
};

}  // namespace

std::span<const LintRule> odd_one_rules() { return kOddRules; }

}  // namespace railyard
