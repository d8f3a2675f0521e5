#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "config/write/commands.h"
#include "config/write/hash_words.h"
#include "config/write/words.h"

namespace railyard {

namespace {

/// Lines of the configuration mode of OS10.
struct Os10Commands {
  const Device& device;
  const Repair& repair;

  [[nodiscard]] CommandLines in_interface(std::initializer_list<std::string> inside) const {
    CommandLines lines{fmt::format("interface range {}", fmt::join(meant_ports(device, repair), ","))};
    for (const std::string& line : inside) lines.push_back(" " + line);
    return lines;
  }
  /// In bytes, as the thresholds of OS10 are in kilobytes.
  static std::int64_t kilobytes(const Threshold& threshold) { return std::llround(threshold.value / 1000); }

  CommandLines operator()(const SetTrust& c) const {
    if (c.trust == Trust::port) return {"system qos", " no trust-map"};
    return {"system qos", c.trust == Trust::pcp ? " trust-map dot1p ROCE" : " trust-map dscp ROCE"};
  }
  CommandLines operator()(const MapDscp& c) const {
    return {"trust dscp-map ROCE", fmt::format(" qos-group {} dscp {}", c.traffic_class, c.dscp)};
  }
  CommandLines operator()(const MapClass& c) const {
    return {"qos-map traffic-class ROCE", fmt::format(" queue {} qos-group {}", c.queue, c.traffic_class)};
  }
  CommandLines operator()(const SetPfc& c) const {
    if (!c.on) return {"policy-map type network-qos ROCE-PFC", fmt::format(" no class PFC-{}", c.priority)};
    CommandLines lines{fmt::format("class-map type network-qos PFC-{}", c.priority),
                       fmt::format(" match qos-group {}", c.priority),
                       "policy-map type network-qos ROCE-PFC",
                       fmt::format(" class PFC-{}", c.priority),
                       "  pause",
                       fmt::format("  pfc-cos {}", c.priority)};
    for (const std::string& line :
         in_interface({"flowcontrol receive off", "flowcontrol transmit off", "priority-flow-control mode on",
                       "service-policy input type network-qos ROCE-PFC"}))
      lines.push_back(line);
    return lines;
  }
  CommandLines operator()(const SetPfcMode& c) const { return {c.mode == PfcMode::forced ? "no dcbx enable" : "dcbx enable"}; }
  CommandLines operator()(const SetLinkPause& c) const {
    const std::string state = c.on ? "on" : "off";
    return in_interface({"flowcontrol receive " + state, "flowcontrol transmit " + state});
  }
  CommandLines operator()(const SetEcn& c) const {
    CommandLines lines;
    if (c.ecn) {
      lines = {"wred ROCE",
               fmt::format(" random-detect color green minimum-threshold {} maximum-threshold {} drop-probability {}",
                           kilobytes(c.ecn->kmin), kilobytes(c.ecn->kmax), whole_percent(c.ecn->pmax))};
      if (c.ecn->marks) lines.emplace_back(" random-detect ecn");
    }
    lines.insert(lines.end(), {"policy-map type queuing ROCE-ETS", fmt::format(" class Q{}", c.queue),
                               c.ecn ? "  random-detect ROCE" : "  no random-detect"});
    return lines;
  }
  CommandLines operator()(const SetScheduling& c) const {
    return {fmt::format("class-map type queuing Q{}", c.queue), fmt::format(" match queue {}", c.queue),
            "policy-map type queuing ROCE-ETS", fmt::format(" class Q{}", c.queue),
            c.strict ? std::string("  priority") : fmt::format("  bandwidth percent {}", c.weight)};
  }
  CommandLines operator()(const SetGroup& c) const {
    if (!c.policy.has_buffer) return only_words("!", c, "a class without pause has none");
    return {"! headroom follows from the platform; a class with pause has a lossless buffer",
            "policy-map type network-qos ROCE-PFC", fmt::format(" class PFC-{}", c.group), "  pause",
            fmt::format("  pfc-cos {}", c.group)};
  }
  CommandLines operator()(const SetWatchdog& c) const {
    return only_words("!", c, "OS10 sets it by platform; see its manual under PFC watchdog");
  }
  CommandLines operator()(const SetMtu& c) const { return in_interface({fmt::format("mtu {}", c.mtu.count())}); }
  CommandLines operator()(const SetHash& c) const {
    CommandLines lines;
    const std::string fields = hash_field_list(c.hash, Dialect::os10);
    if (!fields.empty()) lines.push_back("load-balancing ip-selection" + fields);
    if (c.hash.seed) lines.push_back(fmt::format("hash-algorithm seed {}", *c.hash.seed));
    if (lines.empty()) return only_words("!", c, "name fields or a seed");
    return lines;
  }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("!", c, "this is set on hosts, not on a switch");
  }
};

}  // namespace

CommandLines os10_commands(const Device& device, const Repair& repair) {
  return std::visit(Os10Commands{device, repair}, repair.change);
}

}  // namespace railyard
