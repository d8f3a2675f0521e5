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

constexpr std::string_view kOwnHeadroom = "is set by the device itself, from the speed and the cable";
constexpr std::string_view kOneMap =
    "has no map of its own there: traffic class, priority group and PFC priority are one number";

/// Buffers and marks, which most devices set by themselves.
const std::array kBufferFields = {
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
};

/// Watchdogs and NICs.
const std::array kWatchdogAndNicFields = {
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
