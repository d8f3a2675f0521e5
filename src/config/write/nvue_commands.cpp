#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "config/write/commands.h"
#include "config/write/hash_words.h"
#include "config/write/words.h"

namespace railyard {

namespace {

/// `nv set` lines. Ports that are not named all have the profile default-global.
struct NvueCommands {
  const Device& device;
  const Repair& repair;

  [[nodiscard]] std::string profile() const { return repair.ports.empty() ? "default-global" : "roce"; }
  [[nodiscard]] std::string ports() const { return fmt::format("{}", fmt::join(meant_ports(device, repair), ",")); }

  /// Lines, and the profile bound to the ports where only some are meant.
  [[nodiscard]] CommandLines bound(CommandLines lines, std::string_view part) const {
    if (!repair.ports.empty()) lines.push_back(fmt::format("nv set interface {} qos {} profile {}", ports(), part, profile()));
    return lines;
  }

  CommandLines operator()(const SetTrust& c) const {
    constexpr std::string_view kNames[] = {"l3", "l2", "both", "port"};
    return bound({fmt::format("nv set qos mapping {} trust {}", profile(), kNames[static_cast<std::size_t>(c.trust)])},
                 "mapping");
  }
  CommandLines operator()(const MapDscp& c) const {
    return bound({fmt::format("nv set qos mapping {} dscp {} switch-priority {}", profile(), c.dscp, c.traffic_class)},
                 "mapping");
  }
  CommandLines operator()(const MapClass& c) const {
    return bound({fmt::format("nv set qos egress-queue-mapping {} switch-priority {} traffic-class {}", profile(),
                              c.traffic_class, c.queue)},
                 "egress-queue-mapping");
  }
  CommandLines operator()(const SetPfc& c) const {
    if (!c.on) return {fmt::format("nv unset qos pfc {} switch-priority {}", profile(), c.priority)};
    return bound({fmt::format("nv set qos pfc {} switch-priority {}", profile(), c.priority),
                  fmt::format("nv set qos pfc {} rx enable", profile()), fmt::format("nv set qos pfc {} tx enable", profile())},
                 "pfc");
  }
  CommandLines operator()(const SetPfcMode& c) const {
    return only_words("#", c, "Cumulus Linux forces PFC; it only tells its neighbour (lldp dcbx-pfc-tlv)");
  }
  CommandLines operator()(const SetLinkPause& c) const {
    if (!c.on) return {fmt::format("nv unset interface {} qos link-pause", ports())};
    return {"nv set qos link-pause pause rx enable", "nv set qos link-pause pause tx enable",
            fmt::format("nv set interface {} qos link-pause profile pause", ports())};
  }
  CommandLines operator()(const SetEcn& c) const {
    const std::string queue = fmt::format("nv set qos congestion-control {} traffic-class {}", profile(), c.queue);
    if (!c.ecn) return bound({fmt::format("{} ecn disable", queue)}, "congestion-control");
    return bound({fmt::format("{} ecn {}", queue, c.ecn->marks ? "enable" : "disable"),
                  fmt::format("{} red {}", queue, c.ecn->marks ? "disable" : "enable"),
                  fmt::format("{} min-threshold {}", queue, std::llround(c.ecn->kmin.value)),
                  fmt::format("{} max-threshold {}", queue, std::llround(c.ecn->kmax.value)),
                  fmt::format("{} probability {}", queue, whole_percent(c.ecn->pmax))},
                 "congestion-control");
  }
  CommandLines operator()(const SetScheduling& c) const {
    const std::string queue = fmt::format("nv set qos egress-scheduler {} traffic-class {}", profile(), c.queue);
    if (c.strict) return bound({queue + " mode strict"}, "egress-scheduler");
    return bound({queue + " mode dwrr", fmt::format("{} bw-percent {}", queue, c.weight)}, "egress-scheduler");
  }
  CommandLines operator()(const SetGroup& c) const {
    if (!c.policy.has_buffer)
      return only_words("#", c, "Cumulus Linux gives it a buffer as long as PFC is on for its priority");
    CommandLines lines{"nv set qos traffic-pool default-lossless memory-percent 50",
                       "nv set qos traffic-pool default-lossy memory-percent 50"};
    Millimetres longest;
    for (const PortConfig& port : device.ports) longest = std::max(longest, port.cable.value_or(Millimetres::zero()));
    if (longest > Millimetres::zero())
      lines.push_back(fmt::format("nv set qos pfc {} cable-length {}", profile(), (longest.count() + 999) / 1000));
    else
      lines.emplace_back("# headroom follows from the cable: nv set qos pfc PROFILE cable-length METRES");
    return lines;
  }
  CommandLines operator()(const SetWatchdog& c) const {
    CommandLines lines{
        fmt::format("nv set interface {} qos pfc-watchdog state {}", ports(), c.policy.enabled ? "enabled" : "disabled")};
    const WatchdogPolicy& dog = c.policy;
    if (!dog.enabled || !dog.poll || dog.poll->count() == 0) return lines;
    lines.push_back(fmt::format("nv set qos pfc-watchdog polling-interval {}", milliseconds_in(*dog.poll)));
    if (dog.detection) lines.push_back(fmt::format("nv set qos pfc-watchdog robustness {}", *dog.detection / *dog.poll));
    return lines;
  }
  CommandLines operator()(const SetMtu& c) const {
    return {fmt::format("nv set interface {} link mtu {}", ports(), c.mtu.count())};
  }
  CommandLines operator()(const SetHash& c) const {
    CommandLines lines;
    for (const auto& [field, word] : hash_words(Dialect::nvue))
      if (c.hash.has(field)) lines.push_back(fmt::format("nv set system forwarding ecmp-hash {} enabled", word));
    if (c.hash.seed) lines.push_back(fmt::format("nv set system forwarding hash-seed {}", *c.hash.seed));
    if (c.hash.dynamic) lines.emplace_back("nv set router adaptive-routing state enabled");
    if (lines.empty()) return only_words("#", c, "name fields or a seed");
    return lines;
  }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("#", c, "this is set on hosts, not on a switch");
  }
};

}  // namespace

CommandLines nvue_commands(const Device& device, const Repair& repair) {
  CommandLines lines = std::visit(NvueCommands{device, repair}, repair.change);
  if (!lines.front().starts_with('#')) lines.emplace_back("nv config apply");
  return lines;
}

}  // namespace railyard
