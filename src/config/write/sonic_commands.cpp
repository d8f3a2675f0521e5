#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "config/write/commands.h"
#include "config/write/hash_words.h"
#include "config/write/words.h"

namespace railyard {

namespace {

/// Commands of sonic-utilities; what they have none for goes to CONFIG_DB itself.
struct SonicCommands {
  const Device& device;
  const Repair& repair;

  static constexpr std::string_view kSet = "sonic-db-cli CONFIG_DB hset";

  [[nodiscard]] CommandLines each_port(const std::string& form) const {
    CommandLines lines;
    for (const std::string& port : meant_ports(device, repair)) lines.push_back(fmt::format(fmt::runtime(form), port));
    return lines;
  }
  [[nodiscard]] std::string map_name() const {
    const std::string name = policy_after(device, repair).name;
    return name.empty() || name.find_first_of(" |'") != std::string::npos ? "AZURE" : name;
  }

  CommandLines operator()(const SetTrust& c) const {
    CommandLines lines;
    for (const std::string& port : meant_ports(device, repair)) {
      const bool by_dscp = c.trust == Trust::dscp || c.trust == Trust::both;
      const bool by_pcp = c.trust == Trust::pcp || c.trust == Trust::both;
      const std::string key = fmt::format("'PORT_QOS_MAP|{}'", port);
      lines.push_back(by_dscp ? fmt::format("{} {} dscp_to_tc_map {}", kSet, key, map_name())
                              : fmt::format("sonic-db-cli CONFIG_DB hdel {} dscp_to_tc_map", key));
      lines.push_back(by_pcp ? fmt::format("{} {} dot1p_to_tc_map {}", kSet, key, map_name())
                             : fmt::format("sonic-db-cli CONFIG_DB hdel {} dot1p_to_tc_map", key));
    }
    return lines;
  }
  CommandLines operator()(const MapDscp& c) const {
    return {fmt::format("{} 'DSCP_TO_TC_MAP|{}' {} {}", kSet, map_name(), c.dscp, c.traffic_class)};
  }
  CommandLines operator()(const MapClass& c) const {
    return {fmt::format("{} 'TC_TO_QUEUE_MAP|{}' {} {}", kSet, map_name(), c.traffic_class, c.queue),
            fmt::format("{} 'TC_TO_PRIORITY_GROUP_MAP|{}' {} {}", kSet, map_name(), c.traffic_class, c.group)};
  }
  CommandLines operator()(const SetPfc& c) const {
    return each_port(fmt::format("config interface pfc priority {{}} {} {}", c.priority, c.on ? "on" : "off"));
  }
  CommandLines operator()(const SetEcn& c) const {
    if (!c.ecn) return {fmt::format("ecnconfig -q {} off", c.queue)};
    const std::string profile = c.ecn->marks ? "AZURE_LOSSLESS" : "AZURE_LOSSY";
    std::string set = fmt::format("ecnconfig -p {}", profile);
    for (const char colour : {'g', 'y', 'r'})
      set += fmt::format(" -{0}min {1} -{0}max {2} -{0}drop {3}", colour, std::llround(c.ecn->kmin.value),
                         std::llround(c.ecn->kmax.value), whole_percent(c.ecn->pmax));
    CommandLines lines{set};
    for (const std::string& port : meant_ports(device, repair))
      lines.push_back(fmt::format("{} 'QUEUE|{}|{}' wred_profile {}", kSet, port, c.queue, profile));
    return lines;
  }
  CommandLines operator()(const SetScheduling& c) const {
    const std::string name = fmt::format("scheduler.q{}", c.queue);
    CommandLines lines{c.strict ? fmt::format("{} 'SCHEDULER|{}' type STRICT", kSet, name)
                                : fmt::format("{} 'SCHEDULER|{}' type DWRR weight {}", kSet, name, c.weight)};
    for (const std::string& port : meant_ports(device, repair))
      lines.push_back(fmt::format("{} 'QUEUE|{}|{}' scheduler {}", kSet, port, c.queue, name));
    return lines;
  }
  CommandLines operator()(const SetGroup& c) const {
    const GroupPolicy& group = c.policy;
    if (!group.has_buffer) return each_port(fmt::format("sonic-db-cli CONFIG_DB del 'BUFFER_PG|{{}}|{}'", c.group));
    const std::string name = fmt::format("pg_lossless_{}_profile", c.group);
    std::string set = fmt::format("{} 'BUFFER_PROFILE|{}' pool ingress_lossless_pool", kSet, name);
    const Bytes size = group.reserve.value_or(Bytes::zero()) + group.headroom.value_or(Bytes::zero());
    if (size > Bytes::zero()) set += fmt::format(" size {}", size.count());
    if (group.xon) set += fmt::format(" xon {}", group.xon->count());
    if (group.xon_offset) set += fmt::format(" xon_offset {}", group.xon_offset->count());
    if (group.headroom) set += fmt::format(" xoff {}", group.headroom->count());
    if (group.alpha) set += fmt::format(" dynamic_th {}", std::llround(std::log2(*group.alpha)));
    if (group.xoff) set += fmt::format(" static_th {}", group.xoff->count());
    CommandLines lines{set};
    for (const std::string& port : meant_ports(device, repair))
      lines.push_back(fmt::format("{} 'BUFFER_PG|{}|{}' profile {}", kSet, port, c.group, name));
    return lines;
  }
  CommandLines operator()(const SetWatchdog& c) const {
    const WatchdogPolicy& dog = c.policy;
    if (!dog.enabled) return each_port("pfcwd stop {}");
    CommandLines lines;
    if (dog.poll) lines.push_back(fmt::format("pfcwd interval {}", milliseconds_in(*dog.poll)));
    std::string start = fmt::format("pfcwd start --action {}", name_of(dog.action));
    if (dog.restoration) start += fmt::format(" --restoration-time {}", milliseconds_in(*dog.restoration));
    constexpr std::int64_t kUsualDetection = 200;
    lines.push_back(fmt::format("{} {} {}", start,
                                repair.ports.empty() ? "all" : fmt::format("{}", fmt::join(repair.ports, " ")),
                                dog.detection ? milliseconds_in(*dog.detection) : kUsualDetection));
    return lines;
  }
  CommandLines operator()(const SetMtu& c) const {
    return each_port(fmt::format("config interface mtu {{}} {}", c.mtu.count()));
  }
  CommandLines operator()(const SetHash& c) const {
    CommandLines lines;
    std::string fields;
    for (const auto& [field, word] : hash_words(Dialect::sonic))
      if (c.hash.has(field) && field != "qpn") fields += fmt::format("{}'{}'", fields.empty() ? "" : " ", word);
    if (!fields.empty()) lines.push_back(fmt::format("config switch-hash global ecmp-hash {}", fields));
    if (c.hash.has("qpn"))
      lines.emplace_back("config switch-hash global ecmp-hash packet-type ipv4-rdma add SRC_IP DST_IP RDMA_BTH_DEST_QP");
    if (!c.hash.function.empty())
      lines.push_back(fmt::format("config switch-hash global ecmp-hash-algorithm {}", c.hash.function));
    if (c.hash.seed) {
      const std::string_view type = sonic_type_of_seed(*c.hash.seed);
      lines.push_back(type.empty()
                          ? fmt::format("# seed {}: seeds go by the type of the device: 0, 10, 25, 40 or 50", *c.hash.seed)
                          : fmt::format("{} 'DEVICE_METADATA|localhost' type {}", kSet, type));
    }
    if (c.hash.dynamic) {
      lines.emplace_back("sonic-db-cli CONFIG_DB hset 'ARS_OBJECT|default' assign_mode per_packet_quality");
      lines.emplace_back(
          "sonic-db-cli CONFIG_DB hset 'ARS_PROFILE|default' algorithm ewma ars_nhg_path_selector_mode global "
          "default_ars_object default");
    }
    if (lines.empty()) return only_words("#", c, "name fields, a seed or a function");
    return lines;
  }
  CommandLines operator()(const SetPfcMode& c) const { return only_words("#", c, "SONiC forces PFC; there is nothing to set"); }
  CommandLines operator()(const SetLinkPause& c) const {
    return only_words("#", c, "SONiC has no command for it; set it on the neighbour");
  }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("#", c, "this is set on hosts, not on a switch");
  }
};

}  // namespace

CommandLines sonic_commands(const Device& device, const Repair& repair) {
  CommandLines lines = std::visit(SonicCommands{device, repair}, repair.change);
  if (!lines.front().starts_with('#')) lines.emplace_back("config save -y");
  return lines;
}

}  // namespace railyard
