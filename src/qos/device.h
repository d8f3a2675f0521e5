// A device as its configuration describes it, and all devices that were described together.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "qos/policy.h"

namespace railyard {

enum class DeviceKind : std::uint8_t { network_switch, host, job };
enum class Role : std::uint8_t { unknown, host, leaf, spine, core };
template<>
struct ChoiceNames<Role> {
  static constexpr std::string_view names[] = {"unknown", "host", "leaf", "spine", "core"};
};

/// Whose language a file is in.
enum class Dialect : std::uint8_t {
  sonic,        // config_db.json, nested or flat; qos and buffers JSON
  nvue,         // nv set lines, nv config show, nv show qos roce
  eos,          // Arista
  nxos,         // Cisco
  junos,        // Juniper, set lines and curly braces
  os10,         // Dell
  mlnx,         // mlnx_qos, mlxconfig, show_gids, cma_roce_tos, sysfs and the like of NVIDIA's NICs
  niccli,       // Broadcom
  nicctl,       // AMD
  dcb,          // iproute2
  environment,  // NCCL and RCCL variables: env files, nccl.conf, sbatch scripts, Kubernetes YAML
  aoscx,        // HPE Aruba
};
template<>
struct ChoiceNames<Dialect> {
  static constexpr std::string_view names[] = {"sonic", "nvue",   "eos",    "nxos", "junos",       "os10",
                                               "mlnx",  "niccli", "nicctl", "dcb",  "environment", "aoscx"};
};

struct PortConfig {
  std::string name;
  std::uint32_t policy = 0;  // of the device's policies
  std::optional<BitsPerSecond> speed;
  std::optional<Millimetres> cable;
  std::optional<Bytes> mtu;  // of the largest frame's payload of Ethernet, as `ip link` and switches count it
  bool enabled = true;
  std::string neighbour, neighbour_port;  // as LLDP, a description or an inventory has them; empty: nobody knows
  SourceSpan where;
};

/// What next hops are chosen by.
struct HashConfig {
  std::vector<std::string> fields;  // "src-ip", "dst-ip", "protocol", "src-port", "dst-port", "qpn", "in-port", "flow-label"
  std::string function;             // as the device names it; empty: not said
  std::optional<std::uint64_t> seed;
  bool dynamic = false;  // by load: DLB, ARS, adaptive routing
  SourceSpan where;

  [[nodiscard]] bool has(std::string_view field) const;
};

struct BufferConfig {
  std::optional<Bytes> size;                                                // of the whole chip, or of the lossless pool
  std::optional<Bytes> headroom_pool;                                       // shared headroom; none: each group has its own
  std::optional<double> lossless_percent, headroom_percent, lossy_percent;  // where a vendor gives shares
  SourceSpan where;
};

/// What a switch gives a lossless priority group of a port by itself, by the port's speed and cable; pg_profile_lookup.ini of
/// SONiC.
struct LosslessProfile {
  BitsPerSecond speed;
  Millimetres cable;
  GroupPolicy group;
  SourceSpan where;
};

struct Gid {
  std::uint32_t index = 0;
  std::string address;
  std::uint8_t roce_version = 0;  // 1 or 2; 0: not said
  std::string interface;
  SourceSpan where;
};

/// What is set on a NIC beside its QosPolicy. One per function.
struct NicConfig {
  std::string name;                  // mlx5_0, bnxt_re0, …
  std::string netdev;                // its interface
  std::vector<std::string> aliases;  // what else tools call it: its PCI address, the identifier of nicctl, …
  std::string model, firmware;
  std::optional<std::uint8_t> traffic_class;  // ToS forced on what kernel verbs make: DSCP << 2 | ECN
  std::optional<std::uint8_t> cma_tos;        // ToS of what RDMA-CM makes
  std::optional<std::uint8_t> cnp_dscp, cnp_priority;
  std::optional<std::uint8_t> ecn_np, ecn_rp;  // priorities that notification and reaction point are on for, as bits
  /// Settings of DCQCN by the name that NVIDIA gives them, whoever made the NIC: microseconds, Mb/s, bytes for rpg_byte_reset.
  std::map<std::string, std::int64_t, std::less<>> dcqcn;
  std::optional<bool> dcbx_willing, dcbx_firmware;
  std::optional<std::uint32_t> pcie_width, pcie_width_max;
  std::optional<double> pcie_speed, pcie_speed_max;  // GT/s
  std::optional<bool> acs, relaxed_ordering, adaptive_retransmission;
  std::optional<std::int32_t> numa;
  std::optional<Bytes> mtu, path_mtu;
  std::optional<BitsPerSecond> speed;
  std::vector<Gid> gids;
  std::uint32_t policy = 0;                             // of the device's policies
  std::map<std::string, SourceSpan, std::less<>> said;  // by the name of the member
};

struct Setting {
  std::string value;
  SourceSpan where;
};

/// How far a GPU and a NIC of a host are apart, as nvidia-smi and rocm-smi print it: PIX, PXB, PHB, NODE, SYS.
struct GpuNicDistance {
  std::string gpu, nic, distance;
  SourceSpan where;
};

struct Device {
  std::string name;
  DeviceKind kind = DeviceKind::network_switch;
  Dialect dialect = Dialect::sonic;
  Role role = Role::unknown;
  std::string model, version;       // of the switch or server; of its operating system
  std::vector<QosPolicy> policies;  // none: the file says nothing of QoS
  std::vector<PortConfig> ports;
  HashConfig hash;
  BufferConfig buffer;
  std::vector<LosslessProfile> lossless_profiles;           // of a switch that has such a table
  std::vector<NicConfig> nics;                              // of a host
  std::vector<GpuNicDistance> distances;                    // of a host
  std::map<std::string, Setting, std::less<>> link_mtus;    // of a host, by interface: `ip link`, those of no NIC too
  std::map<std::string, Setting, std::less<>> environment;  // of a host or a job: variables of NCCL and RCCL
  std::vector<std::string> nodes;                           // of a job: where it runs, if the file says so
  std::vector<SourceSpan> files;                            // that it was read from

  /// Statements that were understood to be statements and not looked at, each kind once.
  struct Unread {
    std::string statement;
    std::uint32_t times = 1;
    SourceSpan where;
  };
  std::vector<Unread> unread;
};

/// What an inventory says of a device, or of one end of a cable.
struct InventoryRow {
  std::string device, port, role, nos, firmware, optics, neighbour, neighbour_port;
  std::optional<Millimetres> cable;
  SourceSpan where;
};

/// What an organisation allows.
struct FabricPolicy {
  std::map<std::string, std::vector<std::string>> versions;  // approved, by what they are versions of ("ConnectX-7", "SONiC")
  std::optional<std::uint8_t> lossless_priorities;           // as bits
  std::map<std::string, std::string> owners;                 // by DSCP, priority or device
  struct Suppression {
    std::string code, device, reason;
    SourceSpan where;
  };
  std::vector<Suppression> suppressions;
};

/// Everything that was handed in together.
struct Estate {
  std::vector<Device> devices;
  std::vector<InventoryRow> inventory;
  FabricPolicy allowed;
};

}  // namespace railyard
