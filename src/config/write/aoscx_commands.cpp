#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "config/write/commands.h"
#include "config/write/words.h"

namespace railyard {

namespace {

/// Lines of the configuration mode of AOS-CX. Source: HPE Aruba, AOS-CX 10.17 Quality of Service Guide.
struct AoscxCommands {
  const Device& device;
  const Repair& repair;

  [[nodiscard]] CommandLines in_interface(std::initializer_list<std::string> inside) const {
    CommandLines lines{fmt::format("interface {}", fmt::join(meant_ports(device, repair), ","))};
    for (const std::string& line : inside) lines.push_back("    " + line);
    return lines;
  }
  static std::int64_t kilobytes(const Threshold& threshold) { return std::llround(threshold.value / 1000); }

  CommandLines operator()(const SetTrust& c) const {
    return in_interface({c.trust == Trust::port  ? "qos trust none"
                         : c.trust == Trust::pcp ? "qos trust cos"
                                                 : "qos trust dscp"});
  }
  CommandLines operator()(const MapDscp& c) const {
    return {fmt::format("qos dscp-map {} local-priority {}", c.dscp, c.traffic_class)};
  }
  CommandLines operator()(const MapClass& c) const {
    return {"qos queue-profile ROCE", fmt::format("    map queue {} local-priority {}", c.queue, c.traffic_class)};
  }
  CommandLines operator()(const SetPfc& c) const {
    CommandLines lines;
    if (c.on)
      lines.push_back(
          fmt::format("! the priority must be in a lossless pool: qos pool 1 lossless … priorities {}", c.priority));
    for (const std::string& line :
         in_interface({fmt::format("{}flow-control priority rxtx {}", c.on ? "" : "no ", c.priority)}))
      lines.push_back(line);
    return lines;
  }
  CommandLines operator()(const SetLinkPause& c) const {
    return in_interface({c.on ? "flow-control rxtx" : "no flow-control rxtx"});
  }
  CommandLines operator()(const SetEcn& c) const {
    CommandLines lines{"qos threshold-profile ROCE",
                       c.ecn ? fmt::format("    queue {} action ecn all min-threshold {} kbytes max-threshold {} kbytes",
                                           c.queue, kilobytes(c.ecn->kmin), kilobytes(c.ecn->kmax))
                             : fmt::format("    no queue {}", c.queue)};
    for (const std::string& line : in_interface({"apply qos threshold-profile ROCE"})) lines.push_back(line);
    return lines;
  }
  CommandLines operator()(const SetScheduling& c) const {
    return {"qos schedule-profile ROCE", c.strict ? fmt::format("    strict queue {}", c.queue)
                                                  : fmt::format("    dwrr queue {} weight {}", c.queue, c.weight)};
  }
  CommandLines operator()(const SetGroup& c) const {
    return only_words("!", c, "headroom follows from flow-control buffer cable-length");
  }
  CommandLines operator()(const SetWatchdog& c) const { return only_words("!", c, "its QoS guide has no command for it"); }
  CommandLines operator()(const SetMtu& c) const { return in_interface({fmt::format("mtu {}", c.mtu.count())}); }
  CommandLines operator()(const SetHash& c) const { return only_words("!", c, "look at the load balancing of the platform"); }
  CommandLines operator()(const SetPfcMode& c) const { return only_words("!", c, "PFC is as it is configured"); }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("!", c, "this is set on hosts, not on a switch");
  }
};

}  // namespace

CommandLines aoscx_commands(const Device& device, const Repair& repair) {
  return std::visit(AoscxCommands{device, repair}, repair.change);
}

}  // namespace railyard
