// What tools print on a host: QoS and congestion control of NICs that the project does not write, and what all hosts have.
#include <fmt/format.h>

#include "config/write/words.h"
#include "lint/languages.h"

namespace railyard {

namespace {

std::string pci_of(std::size_t nic) { return fmt::format("0000:{:02x}:00.0", 0x17 + 0x10 * nic); }

ConfigText host_file(const Device& host, std::string_view name, std::string text) {
  return {fmt::format("{}/{}", host.name, name), host.name, std::move(text)};
}

/// What lspci calls a NIC of this model.
std::string maker_of(std::string_view model) {
  if (model.starts_with("ConnectX")) return fmt::format("Mellanox Technologies MT2910 Family [{}]", model);
  if (model.starts_with("BCM")) return fmt::format("Broadcom Inc. and subsidiaries {}", model);
  if (model.starts_with("DSC")) return fmt::format("AMD Pensando Systems [{}]", model);
  return fmt::format("Intel Corporation Ethernet Controller [{}]", model);
}

std::string lspci(const Device& host) {
  std::string out;
  for (std::size_t i = 0; i < host.nics.size(); i++) {
    const NicConfig& nic = host.nics[i];
    const std::string flag = nic.acs.value_or(false) ? "+" : "-";
    out += fmt::format("{} Ethernet controller: {}\n", pci_of(i), maker_of(nic.model));
    out += fmt::format("\tDevCtl:\tCorrErr+ RlxdOrd{} ExtTag+\n", nic.relaxed_ordering.value_or(true) ? "+" : "-");
    out += fmt::format("\tLnkCap:\tPort #0, Speed {:g}GT/s, Width x{}\n", *nic.pcie_speed_max, *nic.pcie_width_max);
    out += fmt::format("\tLnkSta:\tSpeed {:g}GT/s, Width x{}\n", *nic.pcie_speed, *nic.pcie_width);
    out += fmt::format("\tACSCtl:\tSrcValid{0} ReqRedir{0} CmpltRedir{0}\n", flag);
  }
  return out;
}

/// ethtool -i of every interface, and how fast its link is.
std::string drivers(const Device& host) {
  std::string out;
  for (std::size_t i = 0; i < host.nics.size(); i++)
    out += fmt::format("$ ethtool -i {0}\nfirmware-version: {1}\nbus-info: {2}\n", host.nics[i].netdev, host.nics[i].firmware,
                       pci_of(i));
  for (const NicConfig& nic : host.nics)
    if (nic.speed) out += fmt::format("$ cat /sys/class/net/{}/speed\n{}\n", nic.netdev, nic.speed->count() / 1'000'000);
  return out;
}

std::string links(const Device& host) {
  std::string out;
  for (std::size_t i = 0; i < host.nics.size(); i++)
    out += fmt::format("{}: {}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu {} qdisc mq state UP\n", i + 2, host.nics[i].netdev,
                       host.nics[i].mtu->count());
  return out;
}

std::string gids(const Device& host) {
  std::string out = "DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4\t\tVER\tDEV\n---\t----\t-----\t---\t\t\t\t\t----\t\t---\t---\n";
  for (const NicConfig& nic : host.nics)
    for (const Gid& gid : nic.gids)
      out += gid.roce_version == 1 ? fmt::format("{}\t1\t{}\tfe80:0000:0000:0000:0000:0000:0000:0001\t\tv1\t{}\n", nic.name,
                                                 gid.index, nic.netdev)
                                   : fmt::format("{}\t1\t{}\t0000:0000:0000:0000:0000:ffff:0a00:0001\t10.0.0.1\tv2\t{}\n",
                                                 nic.name, gid.index, nic.netdev);
  return out + "n_gids_found=6\n";
}

std::string devices(const Device& host) {
  std::string out;
  for (const NicConfig& nic : host.nics)
    out += fmt::format("hca_id:\t{}\n\tfw_ver:\t\t{}\n\t\tport:\t1\n\t\t\tactive_mtu:\t\t{} (5)\n", nic.name, nic.firmware,
                       nic.path_mtu->count());
  return out;
}

/// nvidia-smi topo -m, of GPUs and NICs that the model has distances of; what it has none of is far.
std::string topology(const Device& host) {
  std::vector<std::string> gpus, nics;
  const auto once = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const GpuNicDistance& one : host.distances) once(gpus, one.gpu), once(nics, one.nic);
  std::string head = "\t", rows, legend = "\nNIC Legend:\n\n";
  for (const std::string& gpu : gpus) head += gpu + "\t";
  for (std::size_t n = 0; n < nics.size(); n++)
    head += fmt::format("NIC{}\t", n), legend += fmt::format("  NIC{}: {}\n", n, nics[n]);
  for (const std::string& gpu : gpus) {
    rows += gpu;
    for (const std::string& other : gpus) rows += gpu == other ? "\tX" : "\tNV18";
    for (const std::string& nic : nics) {
      std::string distance = "SYS";
      for (const GpuNicDistance& one : host.distances)
        if (one.gpu == gpu && one.nic == nic) distance = one.distance;
      rows += "\t" + distance;
    }
    rows += "\t0-55\t0\n";
  }
  return head + "CPU Affinity\tNUMA Affinity\n" + rows + legend;
}

/// Which RDMA device is which interface.
std::string names(const Device& host) {
  std::string out;
  for (std::size_t i = 0; i < host.nics.size(); i++)
    out += fmt::format("{} {} (MT4129 - X) fw {} port 1 (ACTIVE) ==> {} (Up)\n", pci_of(i), host.nics[i].name,
                       host.nics[i].firmware, host.nics[i].netdev);
  return out;
}

std::string weights_text(const QosPolicy& policy, std::string_view form) {
  std::string out;
  for (std::size_t q = 0; q < kPriorities; q++) out += fmt::format(fmt::runtime(form), q, policy.queues[q].weight);
  return out;
}

std::string kinds_text(const QosPolicy& policy) {
  std::string out;
  for (std::size_t q = 0; q < kPriorities; q++) out += fmt::format(" {}:{}", q, policy.queues[q].strict ? "strict" : "ets");
  return out;
}

std::string getqos(const QosPolicy& policy) {
  std::string queues, marks;
  for (std::size_t p = 0; p < kPriorities; p++) queues += fmt::format(" {}:{}", p, policy.queue_of_class[p]);
  std::size_t entries = 0;
  for (std::size_t d = 0; d < kDscps; d++)
    if (policy.class_of_dscp[d] != 0)
      marks += fmt::format("\t APP#{}:\n\t  Priority: {}\n\t  Sel: 5\n\t  DSCP: {}\n", entries++, policy.class_of_dscp[d], d);
  return fmt::format(
      "IEEE 8021QAZ ETS Configuration TLV:\n\t PRIO_MAP:{}\n\t TC Bandwidth:{}\n\t TSA_MAP:{}\nIEEE 8021QAZ PFC TLV:\n\t PFC "
      "enabled: {}\nIEEE 8021QAZ APP TLV:\n{}",
      queues, weights_text(policy, " {1}%"), kinds_text(policy), policy.pfc == 0 ? "none" : bit_list(policy.pfc), marks);
}

std::string broadcom_files(const NicConfig& nic) {
  const std::string folder = fmt::format("/sys/kernel/config/bnxt_re/{}/ports/1/cc", nic.name);
  std::string out;
  if (nic.traffic_class)
    out += fmt::format("{}/roce_dscp:{}\n{}/tos_ecn:{}\n", folder, *nic.traffic_class >> 2, folder, *nic.traffic_class & 3);
  if (nic.cnp_dscp) out += fmt::format("{}/cnp_dscp:{}\n", folder, *nic.cnp_dscp);
  if (nic.cnp_priority) out += fmt::format("{}/cnp_prio:{}\n", folder, *nic.cnp_priority);
  if (const auto time = nic.dcqcn.find("min_time_between_cnps"); time != nic.dcqcn.end())
    out += fmt::format("{}/min_time_bet_cnp:{:#x}\n", folder, time->second);
  if (nic.ecn_np) out += fmt::format("{}/ecn_enable:{}\n", folder, *nic.ecn_np != 0 && *nic.ecn_rp != 0 ? 1 : 0);
  return out;
}

}  // namespace

std::vector<ConfigText> host_facts(const Device& host) {
  return {host_file(host, "ibdev2netdev.txt", names(host)), host_file(host, "lspci.txt", lspci(host)),
          host_file(host, "show_gids.txt", gids(host)),     host_file(host, "ibv_devinfo.txt", devices(host)),
          host_file(host, "topo.txt", topology(host)),      host_file(host, "drivers.txt", drivers(host))};
}

std::vector<ConfigText> nicctl_facts(const Device& host) {
  std::vector<ConfigText> files = host_facts(host);
  std::string dcqcn;
  for (std::size_t i = 0; i < host.nics.size(); i++) {
    const NicConfig& nic = host.nics[i];
    dcqcn += fmt::format("NIC : 4242-0{} ({})\n  ROCE device : {}\n    Status : {}\n    DSCP value used for CNP : {}\n", i,
                         pci_of(i), nic.name, *nic.ecn_np != 0 && *nic.ecn_rp != 0 ? "Enabled" : "Disabled", *nic.cnp_dscp);
  }
  files.push_back(host_file(host, "dcqcn.txt", "$ nicctl show dcqcn\n" + dcqcn));
  return files;
}

std::vector<ConfigText> niccli_texts(const Device& host) {
  std::string list = "$ niccli --list_devices\n", qos, congestion;
  for (std::size_t i = 0; i < host.nics.size(); i++) {
    const NicConfig& nic = host.nics[i];
    list += fmt::format(
        "{}) Broadcom {} 1x400G QSFP-DD PCIe Ethernet NIC (Adp#{} Port#1)\n    Device Interface : {}\n    RDMA Device : {}\n   "
        " PCI "
        "Address : {}\n    Firmware Version : {}\n",
        i + 1, nic.model, i + 1, nic.netdev, nic.name, pci_of(i), nic.firmware);
    qos += fmt::format("$ niccli -dev {} getqos\n{}", nic.netdev, getqos(host.policies[nic.policy]));
    congestion += broadcom_files(nic);
  }
  std::vector<ConfigText> files = {host_file(host, "niccli.txt", list), host_file(host, "getqos.txt", qos),
                                   host_file(host, "cc.txt", congestion), host_file(host, "links.txt", links(host))};
  for (ConfigText& file : host_facts(host)) files.push_back(std::move(file));
  return files;
}

std::vector<ConfigText> dcb_texts(const Device& host) {
  std::string qos;
  for (const NicConfig& nic : host.nics) {
    const QosPolicy& policy = host.policies[nic.policy];
    std::string pfc, marks, queues;
    for (std::size_t p = 0; p < kPriorities; p++) pfc += fmt::format(" {}:{}", p, policy.has_pfc(p) ? "on" : "off");
    for (std::size_t p = 0; p < kPriorities; p++) queues += fmt::format(" {}:{}", p, policy.queue_of_class[p]);
    for (std::size_t d = 0; d < kDscps && policy.trust == Trust::dscp; d++)
      if (policy.class_of_dscp[d] != 0) marks += fmt::format(" {}:{}", d, policy.class_of_dscp[d]);
    qos += fmt::format("$ dcb pfc show dev {}\npfc-cap 8 macsec-bypass off delay 0\nprio-pfc{}\n", nic.netdev, pfc);
    qos += fmt::format("$ dcb ets show dev {}\nwilling {} ets-cap 8 cbs off\ntc-tsa{}\ntc-bw{}\nprio-tc{}\n", nic.netdev,
                       nic.dcbx_willing.value_or(false) ? "on" : "off", kinds_text(policy), weights_text(policy, " {0}:{1}"),
                       queues);
    if (!marks.empty()) qos += fmt::format("$ dcb app show dev {}\ndscp-prio{}\n", nic.netdev, marks);
  }
  std::vector<ConfigText> files = {host_file(host, "dcb.txt", qos), host_file(host, "links.txt", links(host))};
  for (ConfigText& file : host_facts(host)) files.push_back(std::move(file));
  return files;
}

}  // namespace railyard
