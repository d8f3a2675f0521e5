// NICs of a host while its files are read: which of its names are one NIC, and what a vendor's NIC does unless told.
#pragma once

#include <string>
#include <vector>

#include "config/read/host_text.h"

namespace railyard::host_text {

/// What one command calls a NIC. All empty: it printed no name.
struct NicNames {
  std::string rdma, netdev;          // mlx5_0; eth4
  std::vector<std::string> aliases;  // PCI address and the like

  [[nodiscard]] bool empty() const { return rdma.empty() && netdev.empty() && aliases.empty(); }
};

/// What one block of text is read into.
struct HostScope {
  Device& device;
  Block& block;
  const std::string& file;
  NicNames fallback;                    // that the file's name suggests, for output without names
  std::vector<std::string>& spoken_of;  // NICs that this file spoke of, by name

  [[nodiscard]] SourceSpan at(std::uint32_t line) const { return {file, line, 0}; }
  [[nodiscard]] SourceSpan at(const Line& line) const { return at(line.number); }

  /// The index of the NIC of these names, added with the vendor's defaults if there is none, and its own policy with it.
  /// Names that were known of two NICs make them one. Without any name it is the only NIC of the host.
  std::size_t nic(NicNames names, Dialect vendor);
  NicConfig& config(std::size_t nic) { return device.nics[nic]; }
  QosPolicy& policy(std::size_t nic) { return device.policies[device.nics[nic].policy]; }
  void say(std::size_t nic, std::string_view member, std::uint32_t line) { config(nic).said[std::string(member)] = at(line); }
};

/// Sets PFC of one priority. A NIC gives a priority a buffer of its own with it.
void set_nic_pfc(QosPolicy& policy, std::size_t priority, bool on, const SourceSpan& where);

/// Sets the queue that a priority is sent from and that its pause stops.
void set_nic_queue(QosPolicy& policy, std::size_t priority, std::size_t queue, const SourceSpan& where);

/// An interface's and an RDMA device's NIC that one file spoke of, and no others, are one NIC.
void join_lone_names(HostScope& scope);

/// Notes the MTU of an interface; NICs take it from there.
void set_link_mtu(Device& device, std::string_view netdev, std::uint64_t mtu, const SourceSpan& where);

/// Names in a file's name: "eth4" of mlnx_qos_eth4.txt, "mlx5_0" of mlxconfig-mlx5_0.txt.
[[nodiscard]] NicNames names_in_file_name(std::string_view file);

/// Whose NIC it is by the name of its RDMA device; `otherwise` where the name does not say.
[[nodiscard]] Dialect vendor_of(std::string_view rdma, Dialect otherwise);

// Each reads what it knows of a block: lines that it knew are marked as taken.
void read_mlnx_qos(HostScope& scope);
void read_mlxconfig(HostScope& scope);
void read_rdma_tools(HostScope& scope);  // show_gids, ibdev2netdev, ibv_devinfo, cma_roce_tos, rdma link
void read_link_tools(HostScope& scope);  // ip link, ethtool -i
void read_sysfs(HostScope& scope);
void read_niccli(HostScope& scope);
void read_nicctl(HostScope& scope);
void read_dcb(HostScope& scope);
void read_lspci(HostScope& scope);
void read_gpu_topology(HostScope& scope);

/// One parameter of mlxconfig, by its name without the port: also where a template or a command sets it.
bool set_mlxconfig(HostScope& scope, std::size_t nic, std::string_view name, std::string_view value, std::uint32_t line);

/// A setting of DCQCN of one of NVIDIA's NICs, by the name that any of its tools has; false where it is none, or has no such
/// value.
bool set_dcqcn(HostScope& scope, std::size_t nic, std::string_view name, std::string_view value, std::uint32_t line);

/// A value that a file of /sys has; false where the path is none of those that are known.
bool set_sysfs(HostScope& scope, std::string_view path, std::string_view value, std::uint32_t line);

/// What the text of a terminal says of hosts, whatever tools printed it. REQUIRES: a recogniser knew some of it.
Diagnostics read_host_text(const ConfigText& text, Estate& estate, Dialect dialect);

/// Whether a text has output or commands of that family, by marks that other families do not have.
[[nodiscard]] bool has_mlnx_marks(std::string_view text);
[[nodiscard]] bool has_other_nic_marks(std::string_view text);
[[nodiscard]] bool has_platform_marks(std::string_view text);

}  // namespace railyard::host_text
