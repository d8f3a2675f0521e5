#include "answer/cable_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "answer/port_names.h"
#include "base/printable.h"

namespace railyard {

namespace {

Dialect dialect_of_nic(const Scenario& scenario, const Catalog& catalog) {
  const Entry<NicFact>* const nic = catalog.nics.find(scenario.fabric.nic_model);
  if (nic && nic->fact.vendor == "Broadcom") return Dialect::niccli;
  return nic && nic->fact.vendor == "AMD" ? Dialect::nicctl : Dialect::mlnx;
}

/// Names the ends of cables. Ports of a switch are counted down first, then up, as `railyard settings` does.
class EndNames {
 public:
  EndNames(const Scenario& scenario, const Fabric& f, const Catalog& catalog)
      : scenario_(scenario), f_(f), nic_(dialect_of_nic(scenario, catalog)), port_(f.port_from.size()) {
    count_nodes();
    name_ports(catalog);
  }

  /// Of the port and of what it sits in.
  [[nodiscard]] CablePlug end(PortId port) const {
    const NodeId node = f_.port_from[port];
    if (f_.kind[node] == NodeKind::host && f_.names.empty()) return host_end(port);
    return {node_name(f_, node, number_[node.index()]), port_[port.index()]};
  }

 private:
  void count_nodes() {
    std::array<std::uint32_t, kNodeKinds> next = {};
    for (const NodeKind kind : f_.kind) number_.push_back(next[static_cast<std::size_t>(kind)]++);
  }

  [[nodiscard]] CablePlug host_end(PortId port) const {
    const std::uint32_t nic = f_.port_from[port].index(), of_gpus = scenario_.fabric.interfaces_per_node;
    const IdRange<PortId> ports = f_.trunk_ports[f_.port_trunk[port]];
    const std::uint32_t nth = port.index() - ports.front().index();
    const bool own = nic >= f_.interfaces;  // of the server itself
    const std::uint32_t server = own ? (nic - f_.interfaces) / std::max(1U, f_.host_nics) : nic / of_gpus;
    const std::uint32_t local = own ? of_gpus + (nic - f_.interfaces) % std::max(1U, f_.host_nics) : nic % of_gpus;
    return {fmt::format("server {}", server), nic_port_name(nic_, local * ports.size() + nth)};
  }

  void name_ports(const Catalog& catalog) {
    std::vector<std::vector<PortId>> of_node(f_.kind.size());
    for (const bool up : {false, true})
      for (const PortId port : ids(f_.port_from)) {
        const Tier tier = f_.trunk_tier[f_.port_trunk[port]];
        const bool leads_up = tier == Tier::leaf_up || tier == Tier::spine_up || tier == Tier::across;
        if (!is_scale_up(tier) && leads_up == up) of_node[f_.port_from[port].index()].push_back(port);
      }
    std::array<std::size_t, kNodeKinds> most = {};
    for (const NodeId node : ids(f_.kind)) {
      std::size_t& ports = most[static_cast<std::size_t>(f_.kind[node])];
      ports = std::max(ports, of_node[node.index()].size());
    }
    const Entry<SwitchFact>* const box = catalog.switches.find(scenario_.fabric.switch_model);
    const Cages cages = box ? Cages{box->fact.ports, box->fact.port_rate} : Cages{};
    for (const NodeId node : ids(f_.kind)) {
      const auto links = static_cast<std::uint32_t>(most[static_cast<std::size_t>(f_.kind[node])]);
      name_ports_of(of_node[node.index()], cages, links, f_.kind[node] == NodeKind::host);
    }
  }

  void name_ports_of(const std::vector<PortId>& ports, const Cages& cages, std::uint32_t links, bool is_host) {
    const bool infiniband = scenario_.transport.kind == TransportKind::infiniband;
    PortNames names(Dialect::sonic, cages, links);
    for (std::uint32_t i = 0; i < ports.size(); i++) {
      std::string& name = port_[ports[i].index()];
      if (is_host)
        name = nic_port_name(nic_, i);
      else
        name = infiniband ? fmt::format("port {}", i + 1) : names.next(f_.trunk_port_rate[f_.port_trunk[ports[i]]]);
    }
  }

  const Scenario& scenario_;
  const Fabric& f_;
  Dialect nic_;
  std::vector<std::uint32_t> number_;  // by node, among those of its kind
  std::vector<std::string> port_;      // by port
};

/// Rails of leaves: those of all NICs below one, where these share it.
std::vector<std::optional<std::uint32_t>> rails_of_blocks(const Scenario& scenario, const Fabric& f) {
  std::vector<std::optional<std::uint32_t>> rails(f.blocks.size());
  if (f.drawn || f.rails <= 1) return rails;
  for (std::uint32_t i = 0; i < f.interfaces; i++)
    rails[f.leaf[InterfaceId(i)].index()] = i % scenario.fabric.interfaces_per_node % f.rails;
  return rails;
}

char letter_of(Tier tier) {
  switch (tier) {
    case Tier::host_up:
      return 'H';
    case Tier::leaf_up:
      return 'L';
    case Tier::spine_up:
      return 'S';
    default:
      return 'X';
  }
}

}  // namespace

std::vector<Cable> cable_list(const Scenario& scenario, const Fabric& f, const Catalog& catalog) {
  const BillOfMaterials bill = bill_of_materials(scenario, f, catalog);
  const EndNames names(scenario, f, catalog);
  const std::vector<std::optional<std::uint32_t>> rails = rails_of_blocks(scenario, f);
  std::array<std::uint32_t, kTiers> next = {};
  std::vector<Cable> cables;
  for (const TrunkId trunk : ids(f.trunk_tier)) {
    if (is_scale_up(f.trunk_tier[trunk])) continue;
    const Tier tier = upward(f.trunk_tier[trunk]);
    const Millimetres length = cable_length(scenario, f, trunk);
    const auto same = std::find_if(bill.cables.begin(), bill.cables.end(), [&](const CableTier& one) {
      return one.tier == tier && one.rate == f.trunk_port_rate[trunk] && one.length == length;
    });
    for (const PortId port : f.trunk_ports[trunk]) {
      const PortId back = reverse_of(f, port);
      if (back.index() < port.index()) continue;  // its other direction was there
      const NodeId lower = f.port_from[port];
      Cable& cable = cables.emplace_back();
      cable = {names.end(port), names.end(back), tier, f.trunk_port_rate[trunk], length, same->medium, {}, {}};
      if (!f.drawn && tier == Tier::host_up && lower.index() < f.interfaces)
        cable.rail = rails[f.leaf[InterfaceId(lower.index())].index()];
      else if (!f.drawn && tier == Tier::leaf_up)
        cable.rail = rails[f.block_of[lower].index()];
      cable.label = fmt::format("{}{:05}", letter_of(tier), ++next[static_cast<std::size_t>(tier)]);
    }
  }
  return cables;
}

std::string cable_csv(const std::vector<Cable>& cables, Topology topology) {
  std::string out = "device_a,port_a,device_b,port_b,length_m,rate_gbps,medium,tier,rail,label\n";
  for (const Cable& one : cables)
    out += fmt::format("{},{},{},{},{:g},{:g},{},{},{},{}\n", csv_cell(one.lower.device), csv_cell(one.lower.port),
                       csv_cell(one.upper.device), csv_cell(one.upper.port), static_cast<double>(one.length.count()) / 1000,
                       static_cast<double>(one.rate.count()) / 1e9, one.medium, name_of(one.tier, topology),
                       one.rail ? std::to_string(*one.rail) : "", one.label);
  return out;
}

}  // namespace railyard
