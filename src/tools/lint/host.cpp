// Rules on servers: PCIe, distances, addresses, NICs that differ.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/quantity_text.h"
#include "tools/lint/majority.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

template<class F>
void each_host_nic(const LintView& view, F what) {
  for (const Device& device : view.estate.devices)
    for (const NicConfig& nic : device.nics) what(device, nic);
}

void pcie_narrow(const LintView& view, LintSink& sink) {
  each_host_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.pcie_width || !nic.pcie_width_max || *nic.pcie_width >= *nic.pcie_width_max) return;
    sink.add(device, place_of(device, nic, {"pcie_width"}),
             fmt::format("the NIC runs on {} PCIe lanes of {}", *nic.pcie_width, *nic.pcie_width_max))
        .ports.push_back(nic.name);
  });
}

void pcie_slow(const LintView& view, LintSink& sink) {
  each_host_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.pcie_speed || !nic.pcie_speed_max || *nic.pcie_speed >= *nic.pcie_speed_max) return;
    sink.add(device, place_of(device, nic, {"pcie_speed"}),
             fmt::format("the NIC's PCIe runs at {:g} GT/s of {:g}", *nic.pcie_speed, *nic.pcie_speed_max))
        .ports.push_back(nic.name);
  });
}

/// What a lane carries at so many transfers a second: 8 bits of 10 up to generation 2, 128 of 130 after it, and all that flits
/// leave from generation 6 on.
double lane_rate(double gigatransfers) {
  if (gigatransfers <= 5) return gigatransfers * 8 / 10;
  return gigatransfers >= 64 ? gigatransfers * 242 / 256 : gigatransfers * 128 / 130;
}

void pcie_below_port(const LintView& view, LintSink& sink) {
  each_host_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.pcie_width || !nic.pcie_speed || !nic.speed) return;
    if (*nic.pcie_width < nic.pcie_width_max.value_or(0) || *nic.pcie_speed < nic.pcie_speed_max.value_or(0)) return;
    const double bus = *nic.pcie_width * lane_rate(*nic.pcie_speed), port = static_cast<double>(nic.speed->count()) / 1e9;
    if (bus >= port) return;
    sink.add(device, place_of(device, nic, {"pcie_width", "pcie_speed"}),
             fmt::format("{} PCIe lanes at {:g} GT/s carry {:.0f} Gb/s, {:.0f} % of the {:g} Gb/s of the NIC's port",
                         *nic.pcie_width, *nic.pcie_speed, bus, 100 * bus / port, port))
        .ports.push_back(nic.name);
  });
}

void acs_on(const LintView& view, LintSink& sink) {
  each_host_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.acs.value_or(false)) return;
    sink.add(device, place_of(device, nic, {"acs"}),
             "ACS is on above the NIC: what it exchanges with a GPU goes through the CPU")
        .ports.push_back(nic.name);
  });
}

void relaxed_ordering_off(const LintView& view, LintSink& sink) {
  each_host_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (nic.relaxed_ordering.value_or(true)) return;
    sink.add(device, place_of(device, nic, {"relaxed_ordering"}), "relaxed ordering of PCIe is off").ports.push_back(nic.name);
  });
}

/// The path MTU that RDMA takes under an MTU of the interface.
std::int64_t path_mtu_under(Bytes mtu) {
  constexpr std::int64_t kHeaders = 104;  // what 4096 needs above itself to make 4200
  for (const std::int64_t path : {4096, 2048, 1024, 512})
    if (mtu.count() >= path + kHeaders) return path;
  return 256;
}

void nic_mtu_small(const LintView& view, LintSink& sink) {
  each_host_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.mtu || *nic.mtu >= kRoceMtu) return;
    LintFinding& found =
        sink.add(device, place_of(device, nic, {"mtu"}),
                 fmt::format("MTU {} leaves RDMA a path MTU of {}", nic.mtu->count(), path_mtu_under(*nic.mtu)));
    found.ports.push_back(nic.name);
    found.repairs.push_back({{nic.netdev.empty() ? nic.name : nic.netdev}, SetMtu{9000_B}});
  });
}

void path_mtu_small(const LintView& view, LintSink& sink) {
  each_host_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (!nic.path_mtu || nic.path_mtu->count() >= 4096 || (nic.mtu && *nic.mtu < kRoceMtu)) return;
    sink.add(device, place_of(device, nic, {"path_mtu"}),
             fmt::format("RDMA uses packets of {}{}", nic.path_mtu->count(),
                         nic.mtu ? fmt::format(" though the interface has an MTU of {}", nic.mtu->count()) : ""))
        .ports.push_back(nic.name);
  });
}

void no_roce_v2(const LintView& view, LintSink& sink) {
  each_host_nic(view, [&](const Device& device, const NicConfig& nic) {
    if (nic.gids.empty() || std::any_of(nic.gids.begin(), nic.gids.end(), [](const Gid& g) { return g.roce_version != 1; }))
      return;
    sink.add(device, nic.gids.front().where, "none of the NIC's GIDs is of RoCE v2").ports.push_back(nic.name);
  });
}

void gpu_far_from_nics(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices) {
    std::map<std::string, std::pair<bool, const GpuNicDistance*>> near;  // by GPU: whether any NIC is nearer than SYS
    for (const GpuNicDistance& d : device.distances) {
      auto& [is_near, first] = near[d.gpu];
      is_near = is_near || d.distance != "SYS";
      if (!first) first = &d;
    }
    std::vector<std::string> far;
    const GpuNicDistance* first = nullptr;
    for (const auto& [gpu, is_near] : near)
      if (!is_near.first) far.push_back(gpu), first = first ? first : is_near.second;
    if (far.empty()) continue;
    sink.add(device, first->where, fmt::format("{} reaches every NIC across sockets only (SYS)", some_of(far, 8))).ports = far;
  }
}

/// NICs of a host by model and speed: those are meant to be alike.
std::map<std::string, std::vector<const NicConfig*>> alike(const Device& device) {
  std::map<std::string, std::vector<const NicConfig*>> groups;
  for (const NicConfig& nic : device.nics) groups[nic.model].push_back(&nic);
  return groups;
}

std::string settings_text(const Device& device, const NicConfig& nic) {
  const auto shown = [](const auto& value) { return value ? std::to_string(*value) : std::string("?"); };
  const QosPolicy* const policy = nic.policy < device.policies.size() ? &device.policies[nic.policy] : nullptr;
  return fmt::format("trust {}, PFC {}, traffic class {}, CNP DSCP {}, MTU {}", policy ? name_of(policy->trust) : "?",
                     policy ? bits_text(policy->pfc) : "?", shown(nic.traffic_class), shown(nic.cnp_dscp),
                     nic.mtu ? std::to_string(nic.mtu->count()) : "?");
}

void nics_set_differently(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices)
    for (const auto& [model, nics] : alike(device)) {
      const auto odd = odd_ones(nics, [&](const NicConfig* nic) { return settings_text(device, *nic); });
      for (const auto& one : odd) {
        sink.add(device, place_of(device, *one.value, {"traffic_class", "mtu"}),
                 fmt::format("{} has {}; the other NICs of the host have {}", one.value->name, one.own, one.most))
            .ports.push_back(one.value->name);
      }
    }
}

void nic_slower_than_peers(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices)
    for (const auto& [model, nics] : alike(device)) {
      if (model.empty()) continue;
      BitsPerSecond fastest;
      for (const NicConfig* nic : nics) fastest = std::max(fastest, nic->speed.value_or(BitsPerSecond::zero()));
      for (const NicConfig* nic : nics)
        if (nic->speed && *nic->speed < fastest)
          sink.add(device, place_of(device, *nic, {"speed"}),
                   fmt::format("the link runs at {}, those of its peers ({}) at {}", format(*nic->speed), model,
                               format(fastest)))
              .ports.push_back(nic->name);
    }
}

constexpr LintRule kHostRules[] = {
    {"RY-LNT-100", Severity::warning, 75, "Fewer PCIe lanes than the NIC has",
     "Half of the lanes are half of the rate, and a slow receiver pauses its switch.",
     "PCI Express Base Specification, link width (LnkSta, LnkCap)", "Reseat the NIC, or use a slot with all lanes.",
     pcie_narrow},
    {"RY-LNT-101", Severity::warning, 75, "PCIe slower than the NIC can",
     "The bus is slower than the network port: a slow receiver pauses its switch.",
     "PCI Express Base Specification, link speed (LnkSta, LnkCap)", "Look at risers and BIOS settings.", pcie_slow},
    {"RY-LNT-102", Severity::warning, 70, "ACS on",
     "Peer-to-peer traffic between GPU and NIC takes the way through the root complex: half of the bandwidth is usual.",
     "NCCL troubleshooting, PCI Access Control Services", "Turn ACS off on bare metal; with virtual machines use ATS.", acs_on},
    {"RY-LNT-103", Severity::note, 24, "Relaxed ordering off",
     "Reads of host memory wait for writes; some platforms lose a third.",
     "NCCL, NCCL_IB_PCI_RELAXED_ORDERING; Broadcom pcie_relaxed_ordering", "Turn it on.", relaxed_ordering_off},
    {"RY-LNT-104", Severity::warning, 64, "MTU of a NIC below what RDMA needs",
     "Packets of 1024 have four times the headers and packets of 4096.", "IBTA, path MTU; NVIDIA advises 4200 or more",
     "Raise the MTU of the interface (switches first).", nic_mtu_small},
    {"RY-LNT-105", Severity::warning, 53, "Path MTU smaller than it could be",
     "Something was set after the queue pairs came up, or by hand.", "IBTA, active_mtu of a port (ibv_devinfo)",
     "Look at active_mtu; restart what holds the device.", path_mtu_small},
    {"RY-LNT-106", Severity::error, 83, "No GID of RoCE v2", "RoCE v1 is not routed: it ends at the first router.",
     "IBTA Annex A17 (RoCE v2)", "Give the interface an IP address; look at show_gids.", no_roce_v2},
    {"RY-LNT-107", Severity::warning, 55, "A GPU far from every NIC", "Its traffic crosses the link between sockets.",
     "nvidia-smi topo -m (SYS)", "Put a NIC on each socket, or give the job GPUs near NICs.", gpu_far_from_nics},
    {"RY-LNT-108", Severity::warning, 62, "NICs of one host set differently",
     "One rail behaves otherwise than the rest, and collectives run at the pace of the slowest.",
     "NCCL uses all NICs of a host alike", "Set all NICs of the host the same.", nics_set_differently},
    {"RY-LNT-109", Severity::warning, 66, "A NIC whose link is slower than those of its peers",
     "Collectives run at the pace of the slowest rail.", "NCCL uses all NICs of a host alike",
     "Look at cable, transceiver and auto-negotiation.", nic_slower_than_peers},
};

constexpr LintRule kPcieRules[] = {
    {"RY-LNT-203", Severity::warning, 76, "PCIe slower than the port of its NIC",
     "No more comes in than the bus takes on: a slow receiver pauses its switch, and collectives run at its pace.",
     "PCI Express Base Specification, encoding of a lane; link_width, link_speed and speed of NCCL's topology",
     "Look at lspci -vv (LnkCap, LnkSta): reseat the NIC, or use a slot with all lanes.", pcie_below_port},
};

}  // namespace

std::span<const LintRule> pcie_rules() { return kPcieRules; }

std::span<const LintRule> host_rules() { return kHostRules; }

}  // namespace railyard
