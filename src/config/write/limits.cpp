#include "config/write/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "config/write/words.h"

namespace railyard {

namespace {

constexpr std::uint32_t bit(Dialect dialect) { return 1U << static_cast<unsigned>(dialect); }
constexpr std::uint32_t kNicTools = bit(Dialect::mlnx) | bit(Dialect::nicctl);
constexpr std::uint32_t kNoSonic =
    bit(Dialect::nvue) | bit(Dialect::eos) | bit(Dialect::nxos) | bit(Dialect::junos) | kNicTools;

template<class Test>
bool any_policy(const Device& device, Test test) {
  return std::any_of(device.policies.begin(), device.policies.end(), test);
}
template<class Test>
bool any_group(const Device& device, Test test) {
  return any_policy(device, [&](const QosPolicy& p) { return std::any_of(p.groups.begin(), p.groups.end(), test); });
}
template<class Test>
bool any_queue(const Device& device, Test test) {
  return any_policy(device, [&](const QosPolicy& p) { return std::any_of(p.queues.begin(), p.queues.end(), test); });
}
template<class Change>
void each_group(Device& device, Change change) {
  for (QosPolicy& p : device.policies)
    for (GroupPolicy& g : p.groups) change(g);
}
template<class Change>
void each_queue(Device& device, Change change) {
  for (QosPolicy& p : device.policies)
    for (QueuePolicy& q : p.queues) change(q);
}
void forget_field(HashConfig& hash, std::string_view field) {
  std::erase_if(hash.fields, [&](const std::string& one) { return one == field; });
}

/// A setting that some dialects have no word for, and how it is left to the device.
struct LimitedField {
  std::string_view name;
  std::string_view why;
  std::uint32_t missing;  // dialects
  bool (*is_said)(const Device&);
  void (*clear)(Device&);  // null: it changes what packets meet, and is never left out
};

constexpr std::string_view kOwnHeadroom = "is set by the device itself, from the speed and the cable";
constexpr std::string_view kOneMap =
    "has no map of its own there: traffic class, priority group and PFC priority are one number";

const std::array kLimitedFields = {
    LimitedField{"groups[].headroom", kOwnHeadroom, kNoSonic,
                 [](const Device& d) { return any_group(d, [](const GroupPolicy& g) { return g.headroom.has_value(); }); },
                 [](Device& d) { each_group(d, [](GroupPolicy& g) { g.headroom.reset(); }); }},
    LimitedField{"groups[].reserve", kOwnHeadroom, kNoSonic,
                 [](const Device& d) { return any_group(d, [](const GroupPolicy& g) { return g.reserve.has_value(); }); },
                 [](Device& d) { each_group(d, [](GroupPolicy& g) { g.reserve.reset(); }); }},
    LimitedField{"groups[].xon", kOwnHeadroom, kNoSonic,
                 [](const Device& d) {
                   return any_group(d, [](const GroupPolicy& g) { return g.xon.has_value() || g.xon_offset.has_value(); });
                 },
                 [](Device& d) {
                   each_group(d, [](GroupPolicy& g) {
                     g.xon.reset();
                     g.xon_offset.reset();
                   });
                 }},
    LimitedField{"groups[].alpha", "is set by the device itself", kNoSonic,
                 [](const Device& d) {
                   return any_group(d, [](const GroupPolicy& g) { return g.alpha.has_value() || g.xoff.has_value(); });
                 },
                 [](Device& d) {
                   each_group(d, [](GroupPolicy& g) {
                     g.alpha.reset();
                     g.xoff.reset();
                   });
                 }},
    LimitedField{
        "queues[].reserve, alpha and limit", "are set by the device itself", kNoSonic,
        [](const Device& d) { return any_queue(d, [](const QueuePolicy& q) { return q.reserve || q.alpha || q.limit; }); },
        [](Device& d) {
          each_queue(d, [](QueuePolicy& q) {
            q.reserve.reset();
            q.alpha.reset();
            q.limit.reset();
          });
        }},
    LimitedField{"queues[].ecn", "is a matter of switches: a NIC marks nothing", kNicTools,
                 [](const Device& d) { return any_queue(d, [](const QueuePolicy& q) { return q.ecn.has_value(); }); },
                 [](Device& d) { each_queue(d, [](QueuePolicy& q) { q.ecn.reset(); }); }},
    LimitedField{"watched", "cannot be chosen there: the watchdog looks after every lossless queue", kNoSonic,
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.watched != 0xff; }); },
                 [](Device& d) {
                   for (QosPolicy& p : d.policies) p.watched = 0xff;
                 }},
    LimitedField{
        "watchdog.restoration", "is the device's own", bit(Dialect::nvue),
        [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.watchdog.restoration.has_value(); }); },
        [](Device& d) {
          for (QosPolicy& p : d.policies) p.watchdog.restoration.reset();
        }},
    LimitedField{"watchdog", "is a matter of switches", kNicTools,
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.watchdog.enabled; }); },
                 [](Device& d) {
                   for (QosPolicy& p : d.policies) p.watchdog = {};
                 }},
    LimitedField{"hash.fields: qpn", "is no field of its hash; the UDP source port stands for queue pairs",
                 bit(Dialect::nvue) | bit(Dialect::eos) | bit(Dialect::nxos) | bit(Dialect::junos),
                 [](const Device& d) { return d.hash.has("qpn"); }, [](Device& d) { forget_field(d.hash, "qpn"); }},
    LimitedField{"hash.fields: in-port", "is no field of its hash", bit(Dialect::nxos) | bit(Dialect::junos),
                 [](const Device& d) { return d.hash.has("in-port"); }, [](Device& d) { forget_field(d.hash, "in-port"); }},
    LimitedField{"hash.fields: flow-label", "is no field of its hash for IPv4",
                 bit(Dialect::eos) | bit(Dialect::nxos) | bit(Dialect::junos),
                 [](const Device& d) { return d.hash.has("flow-label"); },
                 [](Device& d) { forget_field(d.hash, "flow-label"); }},
    LimitedField{"hash.function", "cannot be chosen there", kNoSonic, [](const Device& d) { return !d.hash.function.empty(); },
                 [](Device& d) { d.hash.function.clear(); }},
    LimitedField{"hash.seed", "is set by a command that differs by platform", bit(Dialect::eos),
                 [](const Device& d) { return d.hash.seed.has_value(); }, [](Device& d) { d.hash.seed.reset(); }},
    LimitedField{"hash.seed = 0", "is none: universal-id starts at 1", bit(Dialect::nxos),
                 [](const Device& d) { return d.hash.seed == 0U; }, [](Device& d) { d.hash.seed.reset(); }},
    LimitedField{"link_pause", "cannot be set there", bit(Dialect::sonic) | bit(Dialect::nicctl),
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.link_pause; }); }, nullptr},
    LimitedField{
        "pfc_mode = negotiated", "cannot be set there: PFC is as it is configured",
        bit(Dialect::sonic) | bit(Dialect::nvue) | bit(Dialect::junos) | bit(Dialect::nicctl),
        [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.pfc_mode == PfcMode::negotiated; }); },
        nullptr},
    LimitedField{"trust", "is dscp or pcp on a NIC", kNicTools,
                 [](const Device& d) {
                   return any_policy(d, [](const QosPolicy& p) { return p.trust == Trust::both || p.trust == Trust::port; });
                 },
                 nullptr},
    LimitedField{"trust = both", "cannot be set there: it is DSCP, CoS or none", bit(Dialect::eos),
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.trust == Trust::both; }); },
                 nullptr},
    LimitedField{
        "group_of_class", kOneMap, kNoSonic,
        [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return !is_identity(p.group_of_class); }); },
        nullptr},
    LimitedField{"priority_of_group and queue_of_priority", kOneMap, kNoSonic,
                 [](const Device& d) {
                   return any_policy(d, [](const QosPolicy& p) {
                     return !is_identity(p.priority_of_group) || !is_identity(p.queue_of_priority);
                   });
                 },
                 nullptr},
    LimitedField{
        "queue_of_class", "is fixed there: a class has the queue of its number",
        bit(Dialect::nxos) | bit(Dialect::junos) | bit(Dialect::nicctl),
        [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return !is_identity(p.queue_of_class); }); },
        nullptr},
    LimitedField{"hash.dynamic", "is set by a hardware profile that differs by platform", bit(Dialect::nxos),
                 [](const Device& d) { return d.hash.dynamic; }, [](Device& d) { d.hash.dynamic = false; }},
    LimitedField{"class_of_dscp, class_of_pcp and queue_of_class", "are the same for all ports there", bit(Dialect::eos),
                 [](const Device& d) {
                   return any_policy(d, [&](const QosPolicy& p) {
                     const QosPolicy& first = d.policies.front();
                     return p.class_of_dscp != first.class_of_dscp || p.class_of_pcp != first.class_of_pcp ||
                            p.queue_of_class != first.queue_of_class;
                   });
                 },
                 nullptr},
    LimitedField{"policies", "are one there: a device has a single network QoS policy", bit(Dialect::nxos),
                 [](const Device& d) { return d.policies.size() > 1; }, nullptr},
};

[[nodiscard]] bool is_missing(const LimitedField& field, const Device& device) {
  return (field.missing & bit(device.dialect)) != 0 && field.is_said(device);
}

std::string whose(const Device& device) { return fmt::format("{} in the language '{}'", device.name, name_of(device.dialect)); }

Diagnostic wrong_value(const Device& device, std::string_view field, std::string why) {
  return {Severity::error, "RY-CFG-011", fmt::format("{}: {} {}", whose(device), field, why), "choose another value",
          SourceSpan{device.name, 0, 0}};
}

/// Units that a dialect counts queues in.
bool has_unit(Dialect dialect, ThresholdUnit unit) {
  if (dialect == Dialect::junos) return unit == ThresholdUnit::percent;
  if (dialect == Dialect::eos) return unit != ThresholdUnit::percent;
  return unit == ThresholdUnit::bytes;
}

void check_ecn(const Device& device, const EcnPolicy& ecn, Diagnostics& wrong) {
  for (const Threshold& threshold : {ecn.kmin, ecn.kmax}) {
    if (!has_unit(device.dialect, threshold.unit))
      wrong.push_back(wrong_value(device, "queues[].ecn", "is not counted in a unit of that language"));
    else if (threshold.value != std::floor(threshold.value))
      wrong.push_back(
          wrong_value(device, "queues[].ecn", fmt::format("has a threshold of {}, no whole number", threshold.value)));
  }
  if (std::abs(ecn.pmax * 100 - std::round(ecn.pmax * 100)) > 1e-9)
    wrong.push_back(wrong_value(device, "queues[].ecn.pmax", fmt::format("is {}, no whole per cent", ecn.pmax)));
}

void check_alpha(const Device& device, const std::optional<double>& alpha, std::string_view field, Diagnostics& wrong) {
  if (!alpha || (*alpha > 0 && std::log2(*alpha) == std::round(std::log2(*alpha)))) return;
  wrong.push_back(wrong_value(device, field, fmt::format("is {}, no power of two", *alpha)));
}

/// Polls are counted: what a storm takes is a whole number of them.
void check_watchdog(const Device& device, const WatchdogPolicy& dog, Diagnostics& wrong) {
  if (!dog.enabled) return;
  const bool counts = device.dialect == Dialect::nvue || device.dialect == Dialect::nxos || device.dialect == Dialect::junos;
  const bool whole = dog.poll && dog.poll->count() > 0 && (!dog.detection || dog.detection->count() % dog.poll->count() == 0);
  if (counts && dog.detection && !whole)
    wrong.push_back(wrong_value(device, "watchdog.detection", "is no whole number of polls"));
  if (device.dialect == Dialect::nxos && dog.restoration && dog.poll && dog.restoration->count() % dog.poll->count() != 0)
    wrong.push_back(wrong_value(device, "watchdog.restoration", "is no whole number of polls"));
  const bool acts = device.dialect == Dialect::sonic || dog.action == StormAction::drop ||
                    (dog.action == StormAction::forward && device.dialect == Dialect::junos) ||
                    (dog.action == StormAction::alert && device.dialect == Dialect::eos);
  if (!acts) wrong.push_back(wrong_value(device, "watchdog.action", fmt::format("cannot be '{}' there", name_of(dog.action))));
}

/// What SONiC's tables cannot hold.
void check_sonic(const Device& device, Diagnostics& wrong) {
  if (device.dialect != Dialect::sonic) return;
  if (device.hash.seed && sonic_type_of_seed(*device.hash.seed).empty())
    wrong.push_back(wrong_value(
        device, "hash.seed", fmt::format("is {}; seeds go by the type of the device: 0, 10, 25, 40 or 50", *device.hash.seed)));
  for (const QosPolicy& policy : device.policies)
    if (values_of(policy.priority_of_group).size() != kPriorities)
      wrong.push_back(wrong_value(device, "priority_of_group", "gives one PFC priority to several groups"));
}

}  // namespace

Diagnostics unsayable(const Device& device) {
  Diagnostics wrong;
  for (const LimitedField& field : kLimitedFields)
    if (is_missing(field, device))
      wrong.push_back({Severity::error, "RY-CFG-010", fmt::format("{}: {} {}", whose(device), field.name, field.why),
                       field.clear ? "leave it to the device" : "change it, or write another language",
                       SourceSpan{device.name, 0, 0}});
  for (const QosPolicy& policy : device.policies) {
    for (const QueuePolicy& queue : policy.queues) {
      if (queue.ecn) check_ecn(device, *queue.ecn, wrong);
      check_alpha(device, queue.alpha, "queues[].alpha", wrong);
    }
    for (const GroupPolicy& group : policy.groups) check_alpha(device, group.alpha, "groups[].alpha", wrong);
    check_watchdog(device, policy.watchdog, wrong);
  }
  check_sonic(device, wrong);
  if (device.kind == DeviceKind::network_switch && device.ports.empty() && !device.policies.empty())
    wrong.push_back(wrong_value(device, "ports", "are none that the policy could be given to"));
  return wrong;
}

Device sayable(Device device, std::vector<std::string>& left_out) {
  for (const LimitedField& field : kLimitedFields) {
    if (!field.clear || !is_missing(field, device)) continue;
    field.clear(device);
    left_out.push_back(fmt::format("{} {}", field.name, field.why));
  }
  std::vector<QosPolicy> kept;
  std::vector<std::uint32_t> now(device.policies.size());
  for (std::size_t i = 0; i < device.policies.size(); i++) {
    const auto same =
        std::find_if(kept.begin(), kept.end(), [&](const QosPolicy& p) { return same_effect(p, device.policies[i]); });
    now[i] = static_cast<std::uint32_t>(same - kept.begin());
    if (same == kept.end()) kept.push_back(device.policies[i]);
  }
  device.policies = std::move(kept);
  for (PortConfig& port : device.ports)
    if (port.policy < now.size()) port.policy = now[port.policy];
  for (NicConfig& nic : device.nics)
    if (nic.policy < now.size()) nic.policy = now[nic.policy];
  return device;
}

}  // namespace railyard
