#include <fmt/format.h>

#include "config/write/commands.h"
#include "config/write/nic_words.h"
#include "config/write/words.h"

namespace railyard {

namespace {

/// Commands of MLNX_OFED and DOCA. Most settings are lost at a reboot; mlxconfig's stay.
struct MlnxCommands {
  const Device& device;
  const Repair& repair;

  /// `options` of mlnx_qos for every NIC that is meant.
  [[nodiscard]] CommandLines qos(const std::string& options) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair))
      lines.push_back(fmt::format("mlnx_qos -i {} {}", nic.netdev, options));
    return lines;
  }

  CommandLines operator()(const SetTrust& c) const {
    if (c.trust == Trust::both || c.trust == Trust::port) return only_words("#", c, "a NIC trusts dscp or pcp");
    return qos(fmt::format("--trust {}", name_of(c.trust)));
  }
  CommandLines operator()(const MapDscp& c) const { return qos(fmt::format("--dscp2prio set,{},{}", c.dscp, c.traffic_class)); }
  CommandLines operator()(const MapClass&) const { return qos("--prio_tc " + mlnx_classes(policy_after(device, repair))); }
  CommandLines operator()(const SetPfc&) const { return qos("--pfc " + bit_row(policy_after(device, repair).pfc)); }
  CommandLines operator()(const SetPfcMode& c) const { return qos(c.mode == PfcMode::forced ? "--dcbx os" : "--dcbx fw"); }
  CommandLines operator()(const SetLinkPause& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair))
      lines.push_back(fmt::format("ethtool -A {0} rx {1} tx {1}", nic.netdev, c.on ? "on" : "off"));
    return lines;
  }
  CommandLines operator()(const SetScheduling&) const { return qos(mlnx_scheduling(policy_after(device, repair))); }
  CommandLines operator()(const SetGroup& c) const {
    return only_words("#", c, "the NIC sizes its buffers by itself; mlnx_qos --buffer_size and --prio2buffer set them by hand");
  }
  CommandLines operator()(const SetMtu& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair))
      lines.push_back(fmt::format("ip link set dev {} mtu {}", nic.netdev, c.mtu.count()));
    return lines;
  }
  CommandLines operator()(const SetEnvironment& c) const {
    return {c.value.empty() ? fmt::format("unset {}", c.name) : fmt::format("export {}={}", c.name, c.value)};
  }
  CommandLines operator()(const SetNicClass& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic)) {
      lines.push_back(fmt::format("echo {} > /sys/class/infiniband/{}/tc/1/traffic_class", c.tos, nic.name));
      lines.push_back(fmt::format("cma_roce_tos -d {} -t {}", nic.name, c.tos));
    }
    return lines;
  }
  CommandLines operator()(const SetCnp& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic)) {
      lines.push_back(fmt::format("echo {} > /sys/class/net/{}/ecn/roce_np/cnp_dscp", c.dscp, nic.netdev));
      lines.push_back(fmt::format("echo {} > /sys/class/net/{}/ecn/roce_np/cnp_802p_prio", c.priority, nic.netdev));
    }
    return lines;
  }
  CommandLines operator()(const SetNicEcn& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic))
      for (const char* point : {"roce_np", "roce_rp"})
        lines.push_back(
            fmt::format("echo {} > /sys/class/net/{}/ecn/{}/enable/{}", c.on ? 1 : 0, nic.netdev, point, c.priority));
    return lines;
  }
  CommandLines operator()(const SetDcqcn& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic)) lines.push_back(mlnx_dcqcn(nic.netdev, c.name, c.value));
    return lines;
  }
  CommandLines operator()(const SetDcbx& c) const {
    CommandLines lines;
    for (const NicConfig& nic : meant_nics(device, repair, c.nic)) lines.push_back(mlnx_willing(nic.name, c.willing));
    lines.emplace_back("# takes effect after a reset: mlxfwreset -d DEVICE reset, or a reboot");
    return lines;
  }
  template<class Other>
  CommandLines operator()(const Other& c) const {
    return only_words("#", c, "this is set on switches, not on a NIC");
  }
};

}  // namespace

CommandLines mlnx_commands(const Device& device, const Repair& repair) {
  return std::visit(MlnxCommands{device, repair}, repair.change);
}

}  // namespace railyard
