#include <fmt/format.h>

#include <algorithm>

#include "config/write/nic_words.h"
#include "config/write/words.h"
#include "config/write/writers.h"

namespace railyard {

namespace {

/// What NVIDIA's NICs start with: DSCP 8n to 8n + 7 have priority n.
std::vector<std::string> changed_marks(const QosPolicy& policy, const std::string& netdev) {
  std::vector<std::string> lines;
  const std::array<std::uint8_t, kDscps> usual = classes_by_eight();
  for (std::uint32_t dscp = 0; dscp < kDscps; dscp++)
    if (policy.class_of_dscp[dscp] != usual[dscp])
      lines.push_back(fmt::format("mlnx_qos -i {} --dscp2prio set,{},{}", netdev, dscp, policy.class_of_dscp[dscp]));
  return lines;
}

/// Commands for one NIC of NVIDIA.
class MlnxScript {
 public:
  MlnxScript(const Device& device, std::string& out) : device_(device), out_(out) {}

  void nic(const NicConfig& nic) {
    say("\n# {} ({})", nic.name, nic.netdev);
    dcbx(nic);
    if (nic.policy < device_.policies.size()) policy(nic, device_.policies[nic.policy]);
    marks(nic);
    congestion(nic);
    if (nic.mtu) {
      say("# A RoCE packet of 4096 bytes and its headers must fit into one frame");
      say("ip link set dev {} mtu {}", nic.netdev, nic.mtu->count());
    }
    if (nic.relaxed_ordering) {
      say("# Writes to memory of GPUs may pass each other on PCIe; needs a reset of the NIC");
      say("mlxconfig -y -d {} set PCI_WR_ORDERING={}", nic.name, *nic.relaxed_ordering ? 1 : 0);
    }
  }

 private:
  template<class... Args>
  void say(fmt::format_string<Args...> form, Args&&... args) {
    out_ += fmt::format(form, std::forward<Args>(args)...) + "\n";
  }

  void dcbx(const NicConfig& nic) {
    if (!nic.dcbx_willing && !nic.dcbx_firmware) return;
    say("# Settings are made here and not taken from a neighbour over DCBX");
    if (nic.dcbx_firmware) say("mlnx_qos -i {} --dcbx {}", nic.netdev, *nic.dcbx_firmware ? "fw" : "os");
    if (nic.dcbx_willing) say("{}", mlnx_willing(nic.name, *nic.dcbx_willing));
  }

  void policy(const NicConfig& nic, const QosPolicy& policy) {
    const std::string tool = fmt::format("mlnx_qos -i {}", nic.netdev);
    say("# Packets get their priority by DSCP, as switches see it; PCP is lost where frames are not tagged");
    say("{} --trust {}", tool, name_of(policy.trust));
    if (policy.trust == Trust::dscp)
      for (const std::string& line : changed_marks(policy, nic.netdev)) say("{}", line);
    if (!is_identity(policy.queue_of_class)) say("{} --prio_tc {}", tool, mlnx_classes(policy));
    if (mlnx_has_scheduling(policy)) {
      say("# CNPs first, since a late one slows nobody down; the rest by weight");
      say("{} {}", tool, mlnx_scheduling(policy));
    }
    say("# PFC: the NIC obeys and sends pauses of these priorities alone");
    say("{} --pfc {}", tool, bit_row(policy.pfc));
    if (policy.link_pause) say("ethtool -A {} rx on tx on", nic.netdev);
  }

  void marks(const NicConfig& nic) {
    if (!nic.traffic_class && !nic.cma_tos) return;
    say("# ToS of RoCE, whatever an application asks for: DSCP × 4, and 2 for ECN-capable transport");
    if (nic.traffic_class) say("echo {} > /sys/class/infiniband/{}/tc/1/traffic_class", *nic.traffic_class, nic.name);
    if (nic.cma_tos) say("cma_roce_tos -d {} -t {}", nic.name, *nic.cma_tos);
  }

  void congestion(const NicConfig& nic) {
    if (nic.cnp_dscp || nic.cnp_priority) say("# CNPs have a class of their own, which switches serve first");
    const std::string folder = fmt::format("/sys/class/net/{}/ecn", nic.netdev);
    if (nic.cnp_dscp) say("echo {} > {}/roce_np/cnp_dscp", *nic.cnp_dscp, folder);
    if (nic.cnp_priority) say("echo {} > {}/roce_np/cnp_802p_prio", *nic.cnp_priority, folder);
    if (nic.ecn_np || nic.ecn_rp) say("# DCQCN: receivers answer marks with CNPs (np), senders slow down (rp)");
    for (std::uint32_t p = 0; p < kPriorities; p++) {
      if (nic.ecn_np) say("echo {} > {}/roce_np/enable/{}", *nic.ecn_np >> p & 1, folder, p);
      if (nic.ecn_rp) say("echo {} > {}/roce_rp/enable/{}", *nic.ecn_rp >> p & 1, folder, p);
    }
    for (const auto& [name, value] : nic.dcqcn) say("{}", mlnx_dcqcn(nic.netdev, name, value));
  }

  const Device& device_;
  std::string& out_;
};

/// Commands for one NIC of AMD.
class NicctlScript {
 public:
  NicctlScript(const Device& device, std::string& out) : device_(device), out_(out) {}

  /// QoS is that of all NICs; congestion control and MTU go by the NIC.
  void run() {
    for (const NicConfig& nic : device_.nics) say("# {} ({})", nic.name, nic.netdev);
    if (!device_.policies.empty()) policy(device_.policies.front());
    if (std::any_of(device_.nics.begin(), device_.nics.end(), [](const NicConfig& nic) { return nic.cnp_dscp.has_value(); }))
      say("# CNPs have a class of their own, which switches serve first");
    for (const NicConfig& nic : device_.nics)
      if (nic.cnp_dscp) say("nicctl update dcqcn -r {} -i 1 --cnp-dscp {}", nic.name, *nic.cnp_dscp);
    for (const NicConfig& nic : device_.nics)
      for (const auto& [name, value] : nic.dcqcn)
        if (const std::string line = nicctl_dcqcn(nic.name, name, value); !line.empty()) say("{}", line);
    for (const NicConfig& nic : device_.nics)
      if (nic.mtu) say("ip link set dev {} mtu {}", nic.netdev, nic.mtu->count());
  }

 private:
  template<class... Args>
  void say(fmt::format_string<Args...> form, Args&&... args) {
    out_ += fmt::format(form, std::forward<Args>(args)...) + "\n";
  }

  void policy(const QosPolicy& policy) {
    if (policy.pfc != 0) say("nicctl update port --all --pause-type pfc --rx-pause enable --tx-pause enable");
    say("# Packets get their priority by DSCP, as switches see it");
    say("nicctl update qos --classification-type {}", name_of(policy.trust));
    for (const std::uint8_t c : values_of(policy.class_of_dscp))
      if (policy.trust == Trust::dscp)
        say("nicctl update qos dscp-to-priority --dscp {} --priority {}", ranges(leading_to(policy.class_of_dscp, c)), c);
    say("# PFC: the NIC obeys and sends pauses of these priorities alone");
    for (std::uint32_t p = 0; p < kPriorities; p++)
      say("nicctl update qos pfc --priority {} --no-drop {}", p, policy.has_pfc(p) ? "enable" : "disable");
    const std::string scheduling = nicctl_scheduling(policy);
    if (!scheduling.empty()) say("# CNPs first, since a late one slows nobody down; the rest by weight\n{}", scheduling);
  }

  const Device& device_;
  std::string& out_;
};

}  // namespace

std::string write_mlnx(const Device& device) {
  std::string out =
      fmt::format("#!/bin/sh\n# {}: QoS of NVIDIA's NICs for RoCE. Most of it is lost at a reboot: run this at every start.\n",
                  device.name);
  MlnxScript script(device, out);
  for (const NicConfig& nic : device.nics) script.nic(nic);
  return out;
}

std::string write_nicctl(const Device& device) {
  std::string out = fmt::format(
      "#!/bin/sh\n# {}: QoS of AMD's NICs for RoCE. Most of it is lost at a reboot: run this at every start.\n", device.name);
  NicctlScript(device, out).run();
  return out;
}

}  // namespace railyard
