#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/write/commands.h"
#include "config/write/nxos_words.h"

namespace railyard {

namespace {

/// "c-out-8q-q3": the queuing class of a queue.
std::string nxos_queue(std::uint8_t queue) {
  return fmt::format("c-out-8q-q{}", queue == 0 ? "-default" : std::to_string(queue));
}

/// Lines of the configuration mode of NX-OS. Policies have the names that files written here have.
struct NxosCommands {
  const Device& device;
  const Repair& repair;

  [[nodiscard]] CommandLines in_interface(std::initializer_list<std::string> inside) const {
    CommandLines lines{fmt::format("interface {}", fmt::join(meant_ports(device, repair), ", "))};
    for (const std::string& line : inside) lines.push_back("  " + line);
    return lines;
  }

  CommandLines operator()(const SetTrust& c) const {
    switch (c.trust) {
      case Trust::port:
        return in_interface({"no service-policy type qos input ROCE-IN"});
      case Trust::pcp:
        return {"class-map type qos match-any CLASS-3", "  match cos 3", "policy-map type qos ROCE-IN", "  class CLASS-3",
                "    set qos-group 3"};
      case Trust::dscp:
      case Trust::both:
        break;
    }
    CommandLines lines{"! classes must match dscp, not cos: see the class maps of ROCE-IN"};
    for (const std::string& line : in_interface({"service-policy type qos input ROCE-IN"})) lines.push_back(line);
    return lines;
  }
  CommandLines operator()(const MapDscp& c) const {
    return {fmt::format("class-map type qos match-any CLASS-{}", c.traffic_class), fmt::format("  match dscp {}", c.dscp),
            "policy-map type qos ROCE-IN", fmt::format("  class CLASS-{}", c.traffic_class),
            fmt::format("    set qos-group {}", c.traffic_class)};
  }
  CommandLines operator()(const MapClass& c) const {
    return only_words("!", c, "a group of NX-OS has the queue of its number; map the DSCP to another group instead");
  }
  CommandLines operator()(const SetPfc& c) const {
    CommandLines lines{"policy-map type network-qos ROCE-NETWORK",
                       fmt::format("  class type network-qos c-8q-nq{}", c.priority),
                       fmt::format("    {}pause pfc-cos {}", c.on ? "" : "no ", c.priority)};
    if (!c.on) return lines;
    lines.insert(lines.end(), {"    mtu 9216", "system qos", "  service-policy type network-qos ROCE-NETWORK"});
    for (const std::string& line : in_interface({"priority-flow-control mode on"})) lines.push_back(line);
    return lines;
  }
  CommandLines operator()(const SetPfcMode& c) const {
    return in_interface({fmt::format("priority-flow-control mode {}", c.mode == PfcMode::forced ? "on" : "auto")});
  }
  CommandLines operator()(const SetLinkPause& c) const {
    const std::string state = c.on ? "on" : "off";
    return in_interface({"flowcontrol receive " + state, "flowcontrol send " + state});
  }
  CommandLines operator()(const SetEcn& c) const {
    return {"policy-map type queuing ROCE-OUT", fmt::format("  class type queuing {}", nxos_queue(c.queue)),
            "    " + (c.ecn ? nxos_ecn(*c.ecn) : std::string("no random-detect"))};
  }
  CommandLines operator()(const SetScheduling& c) const {
    return {"policy-map type queuing ROCE-OUT", fmt::format("  class type queuing {}", nxos_queue(c.queue)),
            c.strict ? "    priority level 1" : fmt::format("    bandwidth remaining percent {}", c.weight)};
  }
  CommandLines operator()(const SetGroup& c) const {
    return only_words("!", c, "NX-OS sets headroom by itself; a class with pause pfc-cos has a lossless buffer");
  }
  CommandLines operator()(const SetWatchdog& c) const {
    CommandLines lines = nxos_watchdog(c.policy);
    for (const std::string& line : in_interface({nxos_port_watchdog(c.policy)})) lines.push_back(line);
    return lines;
  }
  CommandLines operator()(const SetMtu& c) const {
    CommandLines lines{"policy-map type network-qos ROCE-NETWORK", "  class type network-qos c-8q-nq-default",
                       fmt::format("    mtu {}", c.mtu.count())};
    for (const std::string& line : in_interface({fmt::format("mtu {}", c.mtu.count())})) lines.push_back(line);
    return lines;
  }
  CommandLines operator()(const SetHash& c) const {
    CommandLines lines{nxos_hash(c.hash)};
    if (c.hash.seed == 0U) lines.emplace_back("! seed 0 is none: universal-id starts at 1");
    return lines;
  }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("!", c, "this is set on hosts, not on a switch");
  }
};

}  // namespace

CommandLines nxos_commands(const Device& device, const Repair& repair) {
  return std::visit(NxosCommands{device, repair}, repair.change);
}

}  // namespace railyard
