#include "config/write/limited_fields.h"

#include <algorithm>
#include <array>

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
template<class Test>
bool any_nic(const Device& device, Test test) {
  return std::any_of(device.nics.begin(), device.nics.end(), test);
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

/// Whether the device gives this group a lossless buffer. SONiC gives one with PFC, and has one wherever a profile says so;
/// Junos goes by the classes of the device; Cumulus Linux needs a pool for all of them.
bool given_buffer(const Device& device, const QosPolicy& policy, std::size_t group) {
  const bool paused = policy.has_pfc(policy.priority_of_group[group]);
  switch (device.dialect) {
    case Dialect::sonic:
      return policy.groups[group].has_buffer || (paused && !has_sizes(policy.groups[group]));
    case Dialect::nvue:
      return paused && any_group(device, [](const GroupPolicy& g) { return g.has_buffer; });
    case Dialect::junos:
      return device.buffer.lossless_percent != 0 && any_policy(device, [&](const QosPolicy& p) { return p.has_pfc(group); });
    default:
      return paused;
  }
}

bool has_other_buffers(const Device& device) {
  return any_policy(device, [&](const QosPolicy& p) {
    for (std::size_t i = 0; i < kPriorities; i++)
      if (p.groups[i].has_buffer != given_buffer(device, p, i)) return true;
    return false;
  });
}

constexpr std::string_view kOwnHeadroom = "is set by the device itself, from the speed and the cable";
constexpr std::string_view kOneMap =
    "has no map of its own there: traffic class, priority group and PFC priority are one number";

/// Priorities that PFC is on for and that no trusted mark leads to.
std::uint8_t unmarked_pfc(const QosPolicy& policy) {
  std::uint32_t bits = 0;
  for (const std::uint32_t p : bits_of(policy.pfc)) {
    const auto priority = static_cast<std::uint8_t>(p);
    const bool is_marked = policy.trust == Trust::pcp ? !leading_to(policy.class_of_pcp, priority).empty()
                                                      : !leading_to(policy.class_of_dscp, priority).empty();
    if (!is_marked) bits |= 1U << p;
  }
  return static_cast<std::uint8_t>(bits);
}

/// Buffers and marks, which most devices set by themselves.
const std::array kBufferFields = {
    LimitedField{"pfc of priorities that no mark leads to", "cannot be set there, and nothing would be paused",
                 bit(Dialect::junos),
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return unmarked_pfc(p) != 0; }); },
                 [](Device& d) {
                   for (QosPolicy& p : d.policies) p.pfc = static_cast<std::uint8_t>(p.pfc & ~unmarked_pfc(p));
                 }},
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
    LimitedField{"groups[].has_buffer", "comes with PFC there", kNoSonic | bit(Dialect::sonic), has_other_buffers,
                 [](Device& d) {
                   const Device before = d;
                   for (QosPolicy& p : d.policies)
                     for (std::size_t i = 0; i < kPriorities; i++) p.groups[i].has_buffer = given_buffer(before, p, i);
                 }},
    LimitedField{"queues[].weight of a strict queue", "is none there: it is served first",
                 bit(Dialect::nvue) | bit(Dialect::nxos) | kNicTools,
                 [](const Device& d) { return any_queue(d, [](const QueuePolicy& q) { return q.strict && q.weight > 0; }); },
                 [](Device& d) {
                   each_queue(d, [](QueuePolicy& q) {
                     if (q.strict) q.weight = 0;
                   });
                 }},
    LimitedField{"queue_of_priority", "is that of the class of its number there", kNoSonic,
                 [](const Device& d) {
                   return any_policy(d, [](const QosPolicy& p) { return p.queue_of_priority != p.queue_of_class; });
                 },
                 [](Device& d) {
                   for (QosPolicy& p : d.policies) p.queue_of_priority = p.queue_of_class;
                 }},
};

/// Watchdogs and NICs.
const std::array kWatchdogAndNicFields = {
    LimitedField{"watched", "cannot be chosen there: the watchdog looks after every lossless queue", kNoSonic,
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.watched != 0xff; }); },
                 [](Device& d) {
                   for (QosPolicy& p : d.policies) p.watched = 0xff;
                 }},
    LimitedField{"watchdog.restoration", "is one poll there", bit(Dialect::nvue),
                 [](const Device& d) {
                   return any_policy(d, [](const QosPolicy& p) { return p.watchdog.restoration != p.watchdog.poll; });
                 },
                 [](Device& d) {
                   for (QosPolicy& p : d.policies) p.watchdog.restoration = p.watchdog.poll;
                 }},
    LimitedField{"watchdog", "is a matter of switches", kNicTools,
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.watchdog.enabled; }); },
                 [](Device& d) {
                   for (QosPolicy& p : d.policies) p.watchdog = {};
                 }},
    LimitedField{"nics[].traffic_class, cma_tos and cnp_priority", "follow from DSCPs there; jobs set NCCL_IB_TC",
                 bit(Dialect::nicctl),
                 [](const Device& d) {
                   return any_nic(d, [](const NicConfig& n) { return n.traffic_class || n.cma_tos || n.cnp_priority; });
                 },
                 [](Device& d) {
                   for (NicConfig& n : d.nics) {
                     n.traffic_class.reset();
                     n.cma_tos.reset();
                     n.cnp_priority.reset();
                   }
                 }},
    LimitedField{"nics[].ecn_np, ecn_rp, DCBX and relaxed ordering", "are set by other tools", bit(Dialect::nicctl),
                 [](const Device& d) {
                   return any_nic(d, [](const NicConfig& n) {
                     return n.ecn_np || n.ecn_rp || n.dcbx_willing || n.dcbx_firmware || n.relaxed_ordering;
                   });
                 },
                 [](Device& d) {
                   for (NicConfig& n : d.nics) {
                     n.ecn_np.reset();
                     n.ecn_rp.reset();
                     n.dcbx_willing.reset();
                     n.dcbx_firmware.reset();
                     n.relaxed_ordering.reset();
                   }
                 }},
    LimitedField{"nics[].relaxed_ordering = false", "cannot be set there: it is forced, or left to the application",
                 bit(Dialect::mlnx),
                 [](const Device& d) { return any_nic(d, [](const NicConfig& n) { return n.relaxed_ordering == false; }); },
                 [](Device& d) {
                   for (NicConfig& n : d.nics)
                     if (n.relaxed_ordering == false) n.relaxed_ordering.reset();
                 }},
};

/// What is hashed.
const std::array kHashFields = {
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
    LimitedField{"hash.dynamic", "is set by a hardware profile that differs by platform", bit(Dialect::nxos),
                 [](const Device& d) { return d.hash.dynamic; }, [](Device& d) { d.hash.dynamic = false; }},
};

/// What packets meet: never left out.
const std::array kFixedFields = {
    LimitedField{"link_pause", "cannot be set there", bit(Dialect::sonic) | bit(Dialect::nicctl),
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.link_pause; }); }, nullptr},
    LimitedField{
        "pfc_mode = negotiated", "cannot be set there: PFC is as it is configured",
        bit(Dialect::sonic) | bit(Dialect::nvue) | bit(Dialect::eos) | bit(Dialect::junos) | bit(Dialect::nicctl),
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
    LimitedField{
        "priority_of_group", kOneMap, kNoSonic,
        [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return !is_identity(p.priority_of_group); }); },
        nullptr},
    LimitedField{
        "queue_of_class", "is fixed there: a class has the queue of its number",
        bit(Dialect::nxos) | bit(Dialect::junos) | bit(Dialect::nicctl),
        [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return !is_identity(p.queue_of_class); }); },
        nullptr},
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
    LimitedField{"policies", "are one there: its QoS is that of all NICs", bit(Dialect::nicctl),
                 [](const Device& d) { return d.policies.size() > 1; }, nullptr},
    LimitedField{
        "trust = port", "cannot be set there: without a classifier it is that of the device itself", bit(Dialect::junos),
        [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return p.trust == Trust::port; }); }, nullptr},
    LimitedField{"class_of_pcp", "is fixed on a NIC: a PCP is the priority of its number", kNicTools,
                 [](const Device& d) { return any_policy(d, [](const QosPolicy& p) { return !is_identity(p.class_of_pcp); }); },
                 nullptr},
};

}  // namespace

const std::vector<LimitedField>& limited_fields() {
  static const std::vector<LimitedField> all = [] {
    std::vector<LimitedField> out(kBufferFields.begin(), kBufferFields.end());
    out.insert(out.end(), kWatchdogAndNicFields.begin(), kWatchdogAndNicFields.end());
    out.insert(out.end(), kHashFields.begin(), kHashFields.end());
    out.insert(out.end(), kFixedFields.begin(), kFixedFields.end());
    return out;
  }();
  return all;
}

bool is_missing(const LimitedField& field, const Device& device) {
  return (field.missing & bit(device.dialect)) != 0 && field.is_said(device);
}

}  // namespace railyard
