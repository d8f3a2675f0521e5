#include <fmt/format.h>

#include "config/write/commands.h"
#include "config/write/nic_words.h"
#include "config/write/words.h"

namespace railyard {

namespace {

/// What every Linux host does in the same way.
struct HostCommands {
  const Device& device;
  const Repair& repair;

  CommandLines operator()(const SetMtu& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair))
      lines.push_back(fmt::format("ip link set dev {} mtu {}", nic.netdev, c.mtu.count()));
    return lines;
  }
  CommandLines operator()(const SetLinkPause& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair))
      lines.push_back(fmt::format("ethtool -A {0} rx {1} tx {1}", nic.netdev, c.on ? "on" : "off"));
    return lines;
  }
  CommandLines operator()(const SetEnvironment& c) const {
    return {c.value.empty() ? fmt::format("unset {}", c.name) : fmt::format("export {}={}", c.name, c.value)};
  }
  /// RDMA-CM of the kernel has a ToS for each device.
  CommandLines operator()(const SetNicClass& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic)) {
      lines.push_back(fmt::format("mkdir -p /sys/kernel/config/rdma_cm/{}", nic.name));
      lines.push_back(fmt::format("echo {} > /sys/kernel/config/rdma_cm/{}/ports/1/default_roce_tos", c.tos, nic.name));
    }
    lines.push_back(fmt::format("export NCCL_IB_TC={}", c.tos));
    return lines;
  }
  CommandLines operator()(const SetDcbx& c) const {
    return only_words("#", c, "stop lldpad, or set willing off in its configuration");
  }
  CommandLines operator()(const SetGroup& c) const { return only_words("#", c, "the NIC sizes its buffers by itself"); }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("#", c, "this is set on switches, not on a NIC");
  }
};

/// "0:0 1:0 …", or with commas.
std::string class_pairs(const QosPolicy& policy, char between) {
  std::string text;
  for (std::size_t i = 0; i < kPriorities; i++)
    text += fmt::format("{}{}:{}", i == 0 ? "" : std::string(1, between), i, policy.queue_of_class[i]);
  return text;
}

/// "0:ets 1:ets 2:strict", or with commas.
std::string service_pairs(const QosPolicy& policy, char between) {
  std::string text;
  for (std::size_t i = 0; i < kPriorities; i++)
    text += fmt::format("{}{}:{}", i == 0 ? "" : std::string(1, between), i, policy.queues[i].strict ? "strict" : "ets");
  return text;
}

/// Broadcom: niccli, and configfs of its driver for congestion control.
struct NiccliCommands : HostCommands {
  using HostCommands::operator();

  [[nodiscard]] CommandLines qos(const std::string& options) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair))
      lines.push_back(fmt::format("niccli --dev {} qos {}", nic.netdev, options));
    return lines;
  }
  /// Writes to the driver's congestion control, which is then told to take it. Numbers are hexadecimal: older drivers take them
  /// all for that, newer ones go by the prefix.
  [[nodiscard]] CommandLines control(const std::string& name, std::initializer_list<std::pair<const char*, int>> values) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, name)) {
      const std::string folder = fmt::format("/sys/kernel/config/bnxt_re/{}", nic.name);
      lines.push_back(fmt::format("mkdir -p {}", folder));
      for (const auto& [file, value] : values)
        lines.push_back(fmt::format("echo {:#x} > {}/ports/1/cc/{}", value, folder, file));
      lines.push_back(fmt::format("echo 0x1 > {}/ports/1/cc/apply", folder));
    }
    return lines;
  }
  [[nodiscard]] CommandLines ets() const {
    const QosPolicy policy = policy_after(device, repair);
    std::string shares;
    for (const QueuePolicy& queue : policy.queues)
      shares += fmt::format("{}{}", shares.empty() ? "" : ",", queue.strict ? 0 : queue.weight);
    return qos(
        fmt::format("--ets --tsa {} --up2tc {} --tcbw {}", service_pairs(policy, ','), class_pairs(policy, ','), shares));
  }

  CommandLines operator()(const SetTrust& c) const {
    if (c.trust != Trust::dscp)
      return only_words("#", c, "remove the DSCP entries: niccli qos --apptlv --del --app PRIORITY,5,DSCP");
    return qos("--apptlv --add --app 3,5,26");
  }
  CommandLines operator()(const MapDscp& c) const {
    return qos(fmt::format("--apptlv --add --app {},5,{}", c.traffic_class, c.dscp));
  }
  CommandLines operator()(const MapClass&) const { return ets(); }
  CommandLines operator()(const SetScheduling&) const { return ets(); }
  CommandLines operator()(const SetPfc&) const {
    const std::string on = bit_list(policy_after(device, repair).pfc);
    return qos(fmt::format("--pfc --enable {}", on.empty() ? "0xFF" : on));  // 0xFF: none
  }
  CommandLines operator()(const SetPfcMode& c) const {
    return only_words("#", c, c.mode == PfcMode::forced ? "stop lldpad: systemctl disable --now lldpad" : "start lldpad");
  }
  CommandLines operator()(const SetCnp& c) const { return control(c.nic, {{"cnp_dscp", c.dscp}, {"cnp_prio", c.priority}}); }
  CommandLines operator()(const SetNicEcn& c) const {
    const int on = c.on ? 1 : 0;
    return control(c.nic, {{"ecn_marking", on}, {"ecn_enable", on}});
  }
  CommandLines operator()(const SetDcqcn& c) const {
    if (c.name != "min_time_between_cnps") return only_words("#", c, "the NIC's own algorithm has no such setting");
    return control(c.nic, {{"min_time_bet_cnp", static_cast<int>(c.value)}});
  }
};

/// iproute2's dcb, for every driver that has DCB.
struct DcbCommands : HostCommands {
  using HostCommands::operator();

  [[nodiscard]] CommandLines dcb(std::string_view what, const std::string& options) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair))
      lines.push_back(fmt::format("dcb {} dev {} {}", what, nic.netdev, options));
    return lines;
  }
  [[nodiscard]] CommandLines ets() const {
    const QosPolicy policy = policy_after(device, repair);
    std::string shares;
    for (std::size_t i = 0; i < kPriorities; i++)
      shares += fmt::format(" {}:{}", i, policy.queues[i].strict ? 0 : policy.queues[i].weight);
    return dcb("ets set",
               fmt::format("tc-tsa {} tc-bw{} prio-tc {}", service_pairs(policy, ' '), shares, class_pairs(policy, ' ')));
  }

  CommandLines operator()(const SetTrust& c) const {
    if (c.trust != Trust::dscp && c.trust != Trust::pcp) return only_words("#", c, "a NIC trusts dscp or pcp");
    return dcb("apptrust set", fmt::format("order {}", name_of(c.trust)));
  }
  CommandLines operator()(const MapDscp& c) const {
    return dcb("app replace", fmt::format("dscp-prio {}:{}", c.dscp, c.traffic_class));
  }
  CommandLines operator()(const MapClass&) const { return ets(); }
  CommandLines operator()(const SetScheduling&) const { return ets(); }
  CommandLines operator()(const SetPfc& c) const {
    return dcb("pfc set", fmt::format("prio-pfc {}:{}", c.priority, c.on ? "on" : "off"));
  }
  CommandLines operator()(const SetPfcMode& c) const {
    return dcb("dcbx set", c.mode == PfcMode::forced ? "host ieee" : "lld-managed ieee");
  }
  CommandLines operator()(const SetDcbx& c) const { return dcb("dcbx set", c.willing ? "lld-managed ieee" : "host ieee"); }
  CommandLines operator()(const SetCnp& c) const { return only_words("#", c, "dcb has no word for it; use the vendor's tool"); }
  CommandLines operator()(const SetNicEcn& c) const {
    return only_words("#", c, "dcb has no word for it; use the vendor's tool");
  }
  CommandLines operator()(const SetDcqcn& c) const {
    return only_words("#", c, "dcb has no word for it; use the vendor's tool");
  }
};

/// AMD: nicctl.
struct NicctlCommands : HostCommands {
  using HostCommands::operator();

  CommandLines operator()(const SetTrust& c) const {
    if (c.trust != Trust::dscp && c.trust != Trust::pcp) return only_words("#", c, "a NIC trusts dscp or pcp");
    return {fmt::format("nicctl update qos --classification-type {}", name_of(c.trust))};
  }
  CommandLines operator()(const MapDscp& c) const {
    return {fmt::format("nicctl update qos dscp-to-priority --dscp {} --priority {}", c.dscp, c.traffic_class)};
  }
  CommandLines operator()(const MapClass& c) const { return only_words("#", c, "a priority has the queue of its number"); }
  CommandLines operator()(const SetPfc& c) const {
    if (!c.on) return {fmt::format("nicctl update qos pfc --priority {} --no-drop disable", c.priority)};
    return {"nicctl update port --all --pause-type pfc --rx-pause enable --tx-pause enable",
            fmt::format("nicctl update qos pfc --priority {} --no-drop enable", c.priority)};
  }
  CommandLines operator()(const SetPfcMode& c) const {
    return only_words("#", c, "PFC is as nicctl sets it; there is nothing to set");
  }
  CommandLines operator()(const SetLinkPause& c) const {
    return {fmt::format("nicctl update port --all --pause-type {}", c.on ? "link" : "pfc")};
  }
  CommandLines operator()(const SetScheduling& c) const {
    const std::string command = nicctl_scheduling(policy_after(device, repair));
    return command.empty() ? only_words("#", c, "give weights to all queues at once") : CommandLines{command};
  }
  CommandLines operator()(const SetCnp& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic))
      lines.push_back(fmt::format("nicctl update dcqcn -r {} -i 1 --cnp-dscp {}", nic.name, c.dscp));
    lines.push_back(fmt::format("nicctl update qos dscp-to-priority --dscp {} --priority {}", c.dscp, c.priority));
    return lines;
  }
  CommandLines operator()(const SetNicEcn& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic))
      lines.push_back(fmt::format("nicctl update dcqcn -r {} -i 1 --admin-state {}", nic.name, c.on ? "enable" : "disable"));
    return lines;
  }
  CommandLines operator()(const SetDcqcn& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic))
      if (const std::string line = nicctl_dcqcn(nic.name, c.name, c.value); !line.empty()) lines.push_back(line);
    return lines.empty() ? only_words("#", c, "the NIC has no such setting") : lines;
  }
};

/// A job: variables alone.
struct EnvironmentCommands {
  CommandLines operator()(const SetEnvironment& c) const {
    return {c.value.empty() ? fmt::format("unset {}", c.name) : fmt::format("export {}={}", c.name, c.value)};
  }
  CommandLines operator()(const SetNicClass& c) const { return {fmt::format("export NCCL_IB_TC={}", c.tos)}; }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("#", c, "this is set on switches or NICs, not by a job");
  }
};

}  // namespace

CommandLines niccli_commands(const Device& device, const Repair& repair) {
  return std::visit(NiccliCommands{{device, repair}}, repair.change);
}
CommandLines dcb_commands(const Device& device, const Repair& repair) {
  return std::visit(DcbCommands{{device, repair}}, repair.change);
}
CommandLines nicctl_commands(const Device& device, const Repair& repair) {
  return std::visit(NicctlCommands{{device, repair}}, repair.change);
}
CommandLines environment_commands(const Device&, const Repair& repair) {
  return std::visit(EnvironmentCommands{}, repair.change);
}

}  // namespace railyard
