#include <fmt/format.h>
#include <fmt/ranges.h>

#include "config/write/commands.h"
#include "config/write/eos_words.h"
#include "config/write/hash_words.h"

namespace railyard {

namespace {

/// Lines of the configuration mode of EOS, each with the mode that it stands in.
struct EosCommands {
  const Device& device;
  const Repair& repair;

  [[nodiscard]] CommandLines in_interface(std::initializer_list<std::string> inside) const {
    CommandLines lines{fmt::format("interface {}", fmt::join(meant_ports(device, repair), ","))};
    for (const std::string& line : inside) lines.push_back("   " + line);
    return lines;
  }

  CommandLines operator()(const SetTrust& c) const { return in_interface({eos_trust(c.trust)}); }
  CommandLines operator()(const MapDscp& c) const {
    return {fmt::format("qos map dscp {} to traffic-class {}", c.dscp, c.traffic_class)};
  }
  CommandLines operator()(const MapClass& c) const {
    return {fmt::format("qos map traffic-class {} to tx-queue {}", c.traffic_class, c.queue)};
  }
  CommandLines operator()(const SetPfc& c) const {
    if (!c.on) return in_interface({fmt::format("priority-flow-control priority {} drop", c.priority)});
    return in_interface({"priority-flow-control on", fmt::format("priority-flow-control priority {} no-drop", c.priority)});
  }
  CommandLines operator()(const SetPfcMode& c) const {
    return in_interface({c.mode == PfcMode::forced ? "no dcbx mode" : "dcbx mode ieee"});
  }
  CommandLines operator()(const SetLinkPause& c) const {
    const std::string state = c.on ? "on" : "off";
    return in_interface({"flowcontrol send " + state, "flowcontrol receive " + state});
  }
  CommandLines operator()(const SetEcn& c) const {
    return in_interface(
        {fmt::format("tx-queue {}", c.queue), "   " + (c.ecn ? eos_ecn(*c.ecn) : std::string("no random-detect ecn"))});
  }
  CommandLines operator()(const SetScheduling& c) const {
    if (c.strict) return in_interface({fmt::format("tx-queue {}", c.queue), "   priority strict"});
    return in_interface(
        {fmt::format("tx-queue {}", c.queue), "   no priority", fmt::format("   bandwidth percent {}", c.weight)});
  }
  CommandLines operator()(const SetGroup& c) const {
    return only_words("!", c,
                      "EOS sets headroom by itself from speed and cable; PFC on the priority gives it a lossless buffer");
  }
  CommandLines operator()(const SetWatchdog& c) const {
    CommandLines lines = in_interface({});
    for (const std::string& line : eos_watchdog(c.policy)) lines.push_back("   " + line);
    return lines;
  }
  CommandLines operator()(const SetMtu& c) const { return in_interface({fmt::format("mtu {}", c.mtu.count())}); }
  CommandLines operator()(const SetHash& c) const {
    CommandLines lines;
    const std::string fields = hash_field_list(c.hash, Dialect::eos);
    if (!fields.empty()) lines.push_back("ip load-sharing trident fields ip" + fields);
    if (c.hash.dynamic) lines.emplace_back("ip hardware fib load-balance distribution dynamic");
    if (c.hash.seed)
      lines.push_back(fmt::format("! seed {}: the command differs by platform; each tier needs its own", *c.hash.seed));
    if (lines.empty()) return only_words("!", c, "name fields");
    return lines;
  }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("!", c, "this is set on hosts, not on a switch");
  }
};

}  // namespace

CommandLines eos_commands(const Device& device, const Repair& repair) {
  return std::visit(EosCommands{device, repair}, repair.change);
}

}  // namespace railyard
