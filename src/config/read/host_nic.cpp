#include "config/read/host_nic.h"

#include <algorithm>
#include <cctype>

namespace railyard::host_text {

namespace {

bool has_name(const NicConfig& nic, std::string_view name) {
  return !name.empty() && (nic.name == name || nic.netdev == name ||
                           std::find(nic.aliases.begin(), nic.aliases.end(), name) != nic.aliases.end());
}

bool is_called(const NicConfig& nic, const NicNames& names) {
  return has_name(nic, names.rdma) || has_name(nic, names.netdev) ||
         std::any_of(names.aliases.begin(), names.aliases.end(), [&](const std::string& name) { return has_name(nic, name); });
}

bool has_no_name(const NicConfig& nic) { return nic.name.empty() && nic.netdev.empty() && nic.aliases.empty(); }

/// Names that were only borrowed from an alias give way to those of the RDMA device.
void add_names(NicConfig& nic, const NicNames& names) {
  for (const std::string& alias : names.aliases)
    if (!alias.empty() && !has_name(nic, alias)) nic.aliases.push_back(alias);
  const bool is_borrowed = std::find(nic.aliases.begin(), nic.aliases.end(), nic.name) != nic.aliases.end();
  if (!names.rdma.empty() && (nic.name.empty() || is_borrowed))
    nic.name = names.rdma;
  else if (!names.netdev.empty() && is_borrowed)
    nic.name.clear();
  if (!names.netdev.empty() && nic.netdev.empty()) nic.netdev = names.netdev;
  if (nic.name.empty() && nic.netdev.empty() && !nic.aliases.empty()) nic.name = nic.aliases.front();
}

template<class T>
void take_if_unset(std::optional<T>& to, const std::optional<T>& from) {
  if (!to) to = from;
}
void take_if_unset(std::string& to, const std::string& from) {
  if (to.empty()) to = from;
}

/// What was said of one wins over what was said of neither; what both have stays.
void take_settings(NicConfig& to, const NicConfig& from) {
  const auto take = [&](std::string_view name, auto NicConfig::*member) {
    if (from.said.contains(name) && !to.said.contains(name)) to.*member = from.*member;
    take_if_unset(to.*member, from.*member);
  };
  take("model", &NicConfig::model);
  take("firmware", &NicConfig::firmware);
  take("traffic_class", &NicConfig::traffic_class);
  take("cma_tos", &NicConfig::cma_tos);
  take("cnp_dscp", &NicConfig::cnp_dscp);
  take("cnp_priority", &NicConfig::cnp_priority);
  take("ecn_np", &NicConfig::ecn_np);
  take("ecn_rp", &NicConfig::ecn_rp);
  take("dcbx_willing", &NicConfig::dcbx_willing);
  take("dcbx_firmware", &NicConfig::dcbx_firmware);
  take("pcie_width", &NicConfig::pcie_width);
  take("pcie_width_max", &NicConfig::pcie_width_max);
  take("pcie_speed", &NicConfig::pcie_speed);
  take("pcie_speed_max", &NicConfig::pcie_speed_max);
  take("acs", &NicConfig::acs);
  take("relaxed_ordering", &NicConfig::relaxed_ordering);
  take("adaptive_retransmission", &NicConfig::adaptive_retransmission);
  take("numa", &NicConfig::numa);
  take("mtu", &NicConfig::mtu);
  take("path_mtu", &NicConfig::path_mtu);
  take("speed", &NicConfig::speed);
  to.dcqcn.insert(from.dcqcn.begin(), from.dcqcn.end());
  to.gids.insert(to.gids.end(), from.gids.begin(), from.gids.end());
  to.said.insert(from.said.begin(), from.said.end());
}

/// Makes two NICs one; the first keeps its place. Policies stay one per NIC.
void join(Device& device, std::size_t first, std::size_t second) {
  const NicConfig gone = device.nics[second];
  NicConfig& kept = device.nics[first];
  take_settings(kept, gone);
  NicNames names{gone.name, gone.netdev, gone.aliases};
  const bool was_borrowed = std::find(gone.aliases.begin(), gone.aliases.end(), gone.name) != gone.aliases.end();
  if (was_borrowed) names.rdma.clear();
  add_names(kept, names);
  if (device.policies[kept.policy].said.size() < device.policies[gone.policy].said.size())
    device.policies[kept.policy] = device.policies[gone.policy];
  device.policies.erase(device.policies.begin() + gone.policy);
  device.nics.erase(device.nics.begin() + static_cast<std::ptrdiff_t>(second));
  for (NicConfig& nic : device.nics)
    if (nic.policy > gone.policy) nic.policy--;
}

/// Settings of a NIC that nobody has changed. Sources: NVIDIA's DOCA "DCQCN CC Parameters" and dumps of mlxconfig (trust
/// TRUST_PCP, ROCE_CC_PRIO_MASK 255, CNP_DSCP 48, CNP_802P_PRIO 6), mlnx_qos of a fresh ConnectX (DSCP by eight, no PFC);
/// AMD's guide to Broadcom NICs (RoCE DSCP 26 in priority 3, CNP DSCP 48 in priority 7, 50 : 50, CNP strict); AMD's guide to
/// its AI NIC (CNP DSCP 46; DCQCN is off until a profile is enabled).
void set_defaults(NicConfig& nic, QosPolicy& policy, Dialect vendor) {
  const bool is_told = !policy.said.empty();
  if (vendor == Dialect::mlnx) {
    take_if_unset(nic.cnp_dscp, std::optional<std::uint8_t>(48));
    take_if_unset(nic.cnp_priority, std::optional<std::uint8_t>(6));
    take_if_unset(nic.ecn_np, std::optional<std::uint8_t>(255));
    take_if_unset(nic.ecn_rp, std::optional<std::uint8_t>(255));
    if (is_told) return;
    policy.trust = Trust::pcp;
    policy.class_of_dscp = classes_by_eight();
  } else if (vendor == Dialect::niccli) {
    take_if_unset(nic.cnp_dscp, std::optional<std::uint8_t>(48));
    take_if_unset(nic.cnp_priority, std::optional<std::uint8_t>(7));
    take_if_unset(nic.traffic_class, std::optional<std::uint8_t>(26 << 2 | 2));
    if (is_told) return;
    policy.trust = Trust::dscp;
    policy.class_of_dscp = {};
    policy.class_of_dscp[26] = 3;
    policy.class_of_dscp[48] = 7;
    policy.queue_of_class = policy.queue_of_priority = {0, 0, 0, 1, 0, 0, 0, 2};
    policy.queues[0].weight = policy.queues[1].weight = 50;
    policy.queues[2].strict = true;
  } else if (vendor == Dialect::nicctl) {
    take_if_unset(nic.cnp_dscp, std::optional<std::uint8_t>(46));  // whose priority the map of DSCPs has
    if (!is_told) policy.trust = Trust::dscp;
  } else if (!is_told) {
    policy.trust = Trust::pcp;  // Linux: no DSCP has a priority until an APP entry gives it one
  }
}

void take_link_mtu(Device& device, NicConfig& nic) {
  const auto known = device.link_mtus.find(nic.netdev);
  if (known == device.link_mtus.end() || nic.mtu) return;
  if (const auto mtu = whole_number(known->second.value, 1 << 20)) {
    nic.mtu = Bytes(static_cast<std::int64_t>(*mtu));
    nic.said["mtu"] = known->second.where;
  }
}

std::size_t added_nic(Device& device) {
  constexpr std::size_t kMost = 1024;  // of a host: what is more is no host's output
  if (device.nics.size() >= kMost) return kMost - 1;
  device.nics.emplace_back().policy = static_cast<std::uint32_t>(device.policies.size());
  device.policies.emplace_back();
  return device.nics.size() - 1;
}

/// The NIC that is meant; those that turn out to be the same are joined.
std::size_t found_nic(Device& device, const NicNames& names) {
  if (names.empty()) return device.nics.size() == 1 ? 0 : device.nics.size();
  std::size_t found = device.nics.size();
  for (std::size_t i = 0; i < device.nics.size(); i++) {
    if (!is_called(device.nics[i], names)) continue;
    if (found == device.nics.size())
      found = i;
    else
      join(device, found, i--);
  }
  if (found == device.nics.size() && device.nics.size() == 1 && has_no_name(device.nics[0])) return 0;
  return found;
}

}  // namespace

Dialect vendor_of(std::string_view rdma, Dialect otherwise) {
  if (rdma.starts_with("mlx")) return Dialect::mlnx;
  if (rdma.starts_with("bnxt")) return Dialect::niccli;
  if (rdma.starts_with("ionic")) return Dialect::nicctl;
  return otherwise;
}

std::size_t HostScope::nic(NicNames names, Dialect vendor) {
  if (names.empty()) names = fallback;
  std::size_t index = found_nic(device, names);
  if (index == device.nics.size() && names.empty())
    for (std::size_t i = 0; i < device.nics.size(); i++)
      if (has_no_name(device.nics[i])) index = i;
  const bool is_new = index == device.nics.size();
  if (is_new) index = added_nic(device);
  NicConfig& nic = device.nics[index];
  add_names(nic, names);
  const Dialect maker = vendor_of(nic.name, vendor);
  const bool is_new_maker = maker != Dialect::dcb && !nic.cnp_dscp;  // every maker has a default for that
  if (is_new || is_new_maker) set_defaults(nic, device.policies[nic.policy], maker);
  take_link_mtu(device, nic);
  const std::string& called = nic.name.empty() ? nic.netdev : nic.name;
  if (std::find(spoken_of.begin(), spoken_of.end(), called) == spoken_of.end()) spoken_of.push_back(called);
  return index;
}

void set_nic_pfc(QosPolicy& policy, std::size_t priority, bool on, const SourceSpan& where) {
  if (priority >= kPriorities) return;
  const auto bit = static_cast<std::uint8_t>(1U << priority);
  policy.pfc = static_cast<std::uint8_t>(on ? policy.pfc | bit : policy.pfc & ~bit);
  policy.groups[priority].has_buffer = on;
  policy.said["pfc." + std::to_string(priority)] = where;
}

void set_nic_queue(QosPolicy& policy, std::size_t priority, std::size_t queue, const SourceSpan& where) {
  if (priority >= kPriorities || queue >= kPriorities) return;
  policy.queue_of_class[priority] = policy.queue_of_priority[priority] = static_cast<std::uint8_t>(queue);
  policy.said["class." + std::to_string(priority) + ".queue"] = where;
}

void join_lone_names(HostScope& scope) {
  std::vector<std::size_t> interfaces, devices;
  for (std::size_t i = 0; i < scope.device.nics.size(); i++) {
    const NicConfig& nic = scope.device.nics[i];
    const auto is_this = [&](const std::string& name) { return has_name(nic, name); };
    if (std::none_of(scope.spoken_of.begin(), scope.spoken_of.end(), is_this)) continue;
    if (nic.name.empty() && !nic.netdev.empty())
      interfaces.push_back(i);
    else if (!nic.name.empty() && nic.netdev.empty())
      devices.push_back(i);
    else
      return;
  }
  if (interfaces.size() != 1 || devices.size() != 1) return;
  join(scope.device, std::min(interfaces[0], devices[0]), std::max(interfaces[0], devices[0]));
  for (NicConfig& nic : scope.device.nics) take_link_mtu(scope.device, nic);
}

void set_link_mtu(Device& device, std::string_view netdev, std::uint64_t mtu, const SourceSpan& where) {
  device.link_mtus[std::string(netdev)] = {std::to_string(mtu), where};
  for (NicConfig& nic : device.nics)
    if (nic.netdev == netdev) {
      nic.mtu.reset();
      take_link_mtu(device, nic);
    }
}

NicNames names_in_file_name(std::string_view file) {
  const std::size_t slash = file.find_last_of("/\\");
  std::string_view name = file.substr(slash == std::string_view::npos ? 0 : slash + 1);
  for (const std::string_view device : {"mlx5_", "bnxt_re", "ionic_"}) {
    const std::size_t at = name.find(device);
    if (at == std::string_view::npos) continue;
    std::size_t end = at + device.size();
    while (end < name.size() && std::isdigit(static_cast<unsigned char>(name[end])) != 0) end++;
    if (end > at + device.size()) return {std::string(name.substr(at, end - at)), {}, {}};
  }
  NicNames names;
  std::string part;
  for (const char c : std::string(name) + ".") {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      part += c;
      continue;
    }
    const bool is_interface = starts_with_any(part, {"eth", "ens", "enp", "eno", "ib", "roce", "rdma"}) &&
                              std::isdigit(static_cast<unsigned char>(part.back())) != 0;
    if (is_interface) names.netdev = part;
    part.clear();
  }
  return names;
}

}  // namespace railyard::host_text
