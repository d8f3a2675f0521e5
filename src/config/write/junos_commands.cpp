#include <fmt/format.h>

#include <cmath>

#include "config/write/commands.h"
#include "config/write/words.h"

namespace railyard {

namespace {

/// `set` lines of Junos, to be committed.
struct JunosCommands {
  const Device& device;
  const Repair& repair;

  static constexpr std::string_view kCos = "set class-of-service";

  [[nodiscard]] CommandLines each_port(std::string_view before, std::string_view after) const {
    CommandLines lines;
    for (const std::string& port : meant_ports(device, repair)) lines.push_back(fmt::format("{} {} {}", before, port, after));
    return lines;
  }

  CommandLines operator()(const SetTrust& c) const {
    switch (c.trust) {
      case Trust::dscp:
      case Trust::both:
        return each_port("set class-of-service interfaces", "unit * classifiers dscp ROCE");
      case Trust::pcp:
        return each_port("set class-of-service interfaces", "unit * classifiers ieee-802.1 ROCE");
      case Trust::port:
        return each_port("delete class-of-service interfaces", "unit * classifiers");
    }
    return {};
  }
  CommandLines operator()(const MapDscp& c) const {
    return {fmt::format("{} forwarding-classes class TC{} queue-num {}", kCos, c.traffic_class, c.traffic_class),
            fmt::format("{} classifiers dscp ROCE forwarding-class TC{} loss-priority low code-points {}", kCos,
                        c.traffic_class, binary(c.dscp, 6))};
  }
  CommandLines operator()(const MapClass& c) const {
    return {fmt::format("{} forwarding-classes class TC{} queue-num {}", kCos, c.traffic_class, c.queue)};
  }
  CommandLines operator()(const SetPfc& c) const {
    const QosPolicy policy = policy_after(device, repair);
    const std::string_view verb = c.on ? "set" : "delete";
    CommandLines lines;
    if (c.on)
      lines.push_back(fmt::format("{} forwarding-classes class TC{} queue-num {} no-loss pfc-priority {}", kCos, c.priority,
                                  c.priority, c.priority));
    for (const std::uint32_t dscp : leading_to(policy.class_of_dscp, c.priority))
      lines.push_back(fmt::format("{} class-of-service congestion-notification-profile ROCE input dscp code-point {} pfc", verb,
                                  binary(dscp, 6)));
    lines.push_back(fmt::format(
        "{} class-of-service congestion-notification-profile ROCE output ieee-802.1 code-point {} flow-control-queue {}", verb,
        binary(c.priority, 3), policy.queue_of_priority[c.priority % kPriorities]));
    if (!c.on) return lines;
    for (std::string& line : each_port("set class-of-service interfaces", "congestion-notification-profile ROCE"))
      lines.push_back(std::move(line));
    return lines;
  }
  CommandLines operator()(const SetPfcMode& c) const {
    return each_port(c.mode == PfcMode::forced ? "set protocols dcbx interface" : "delete protocols dcbx interface",
                     "priority-flow-control no-auto-negotiation");
  }
  CommandLines operator()(const SetLinkPause& c) const {
    return each_port("set interfaces", c.on ? "ether-options flow-control" : "ether-options no-flow-control");
  }
  CommandLines operator()(const SetEcn& c) const {
    const std::string scheduler = fmt::format("{} schedulers ROCE-{}", kCos, c.queue);
    if (!c.ecn) return {fmt::format("delete class-of-service schedulers ROCE-{} explicit-congestion-notification", c.queue)};
    const std::string profile = fmt::format("{} drop-profiles ROCE-{} interpolate", kCos, c.queue);
    CommandLines lines;
    if (c.ecn->kmin.unit != ThresholdUnit::percent)
      lines.emplace_back("# Junos counts in per cent of what the queue may take; the levels below are the usual 55 and 90");
    const bool counted = c.ecn->kmin.unit == ThresholdUnit::percent;
    lines.push_back(fmt::format("{} fill-level {}", profile, counted ? std::llround(c.ecn->kmin.value) : 55));
    lines.push_back(fmt::format("{} fill-level {}", profile, counted ? std::llround(c.ecn->kmax.value) : 90));
    lines.push_back(fmt::format("{} drop-probability 0", profile));
    lines.push_back(fmt::format("{} drop-probability {}", profile, whole_percent(c.ecn->pmax)));
    lines.push_back(fmt::format("{} drop-profile-map loss-priority any protocol any drop-profile ROCE-{}", scheduler, c.queue));
    if (c.ecn->marks) lines.push_back(scheduler + " explicit-congestion-notification");
    return lines;
  }
  CommandLines operator()(const SetScheduling& c) const {
    const std::string scheduler = fmt::format("{} schedulers ROCE-{}", kCos, c.queue);
    CommandLines lines{fmt::format("{} priority {}", scheduler, c.strict ? "strict-high" : "low")};
    if (c.weight > 0) lines.push_back(fmt::format("{} transmit-rate percent {}", scheduler, c.weight));
    lines.push_back(fmt::format("{} scheduler-maps ROCE forwarding-class TC{} scheduler ROCE-{}", kCos, c.queue, c.queue));
    return lines;
  }
  CommandLines operator()(const SetGroup& c) const {
    if (!c.policy.has_buffer) return only_words("#", c, "a class without no-loss has none");
    return {"# shares of the buffer; headroom itself follows from the speed and the cable",
            fmt::format("{} shared-buffer ingress buffer-partition lossless percent 66", kCos),
            fmt::format("{} shared-buffer ingress buffer-partition lossless-headroom percent 24", kCos),
            fmt::format("{} shared-buffer ingress buffer-partition lossy percent 10", kCos)};
  }
  CommandLines operator()(const SetWatchdog& c) const {
    const WatchdogPolicy& dog = c.policy;
    const std::string profile = "class-of-service congestion-notification-profile ROCE pfc-watchdog";
    if (!dog.enabled) return {"delete " + profile};
    CommandLines lines{"set " + profile};
    if (dog.poll) lines.push_back(fmt::format("set {} poll-interval {}", profile, milliseconds_in(*dog.poll)));
    if (dog.poll && dog.poll->count() > 0 && dog.detection)
      lines.push_back(fmt::format("set {} detection {}", profile, *dog.detection / *dog.poll));
    if (dog.restoration) lines.push_back(fmt::format("set {} recovery {}", profile, milliseconds_in(*dog.restoration)));
    if (dog.action != StormAction::alert)
      lines.push_back(fmt::format("set {} watchdog-action {}", profile, name_of(dog.action)));
    return lines;
  }
  CommandLines operator()(const SetMtu& c) const { return each_port("set interfaces", fmt::format("mtu {}", c.mtu.count())); }
  CommandLines operator()(const SetHash& c) const {
    CommandLines lines{"set forwarding-options hash-key family inet layer-3"};
    if (c.hash.has("src-port") || c.hash.has("dst-port"))
      lines.emplace_back("set forwarding-options hash-key family inet layer-4");
    if (c.hash.seed) lines.push_back(fmt::format("set forwarding-options enhanced-hash-key hash-seed {}", *c.hash.seed));
    if (c.hash.dynamic) lines.emplace_back("set forwarding-options enhanced-hash-key ecmp-dlb per-packet");
    return lines;
  }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("#", c, "this is set on hosts, not on a switch");
  }
};

}  // namespace

CommandLines junos_commands(const Device& device, const Repair& repair) {
  CommandLines lines = std::visit(JunosCommands{device, repair}, repair.change);
  if (lines.size() > 1 || !lines.front().starts_with('#')) lines.emplace_back("commit");
  return lines;
}

}  // namespace railyard
