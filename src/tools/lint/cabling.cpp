// Rules on who is cabled to whom: as neighbours say it, and as an inventory has it.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/quantity_text.h"
#include "tools/lint/majority.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

/// Whether two names mean the same device or port: LLDP may add a domain.
bool is_same_name(std::string_view a, std::string_view b) {
  return a == b || a.substr(0, a.find('.')) == b.substr(0, b.find('.'));
}

void not_as_in_inventory(const LintView& view, LintSink& sink) {
  for (const InventoryRow& row : view.estate.inventory) {
    if (row.neighbour.empty()) continue;
    const CableEnd end = view.find(row.device, row.port);
    if (!end.port || end.port->neighbour.empty()) continue;
    const PortConfig& port = *end.port;
    // Ports have several names (alias, interface, NIC): they differ only where both are found, and are not the same.
    const CableEnd planned = view.find(row.neighbour, row.neighbour_port),
                   actual = view.find(port.neighbour, port.neighbour_port);
    const bool is_other_port =
        planned.is_known() && actual.is_known() && (planned.port != actual.port || planned.nic != actual.nic);
    if (is_same_name(row.neighbour, port.neighbour) && !is_other_port) continue;
    LintFinding& found = sink.add(*end.device, port.where,
                                  fmt::format("{} is cabled to {} {}, the inventory has {} {}", port.name, port.neighbour,
                                              port.neighbour_port, row.neighbour, row.neighbour_port));
    found.ports.push_back(port.name);
    found.detail = row.where.file.empty() ? "" : fmt::format("The inventory says so at {}.", to_text(row.where));
  }
}

void ends_disagree(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices)
    for (const PortConfig& port : device.ports) {
      if (port.neighbour.empty() || port.neighbour_port.empty()) continue;
      const CableEnd other = view.find(port.neighbour, port.neighbour_port);
      if (!other.port || other.port->neighbour.empty()) continue;
      const bool is_back = is_same_name(other.port->neighbour, device.name) &&
                           (other.port->neighbour_port.empty() || other.port->neighbour_port == port.name ||
                            !view.find(device.name, other.port->neighbour_port).is_known());
      if (is_back) continue;
      sink.add(device, port.where,
               fmt::format("{} names {} {} as its neighbour, which names {} {}", port.name, port.neighbour, port.neighbour_port,
                           other.port->neighbour, other.port->neighbour_port))
          .ports.push_back(port.name);
    }
}

void speeds_differ(const LintView& view, LintSink& sink) {
  for (const PatchedCable& cable : view.cables) {
    const auto a = cable.a.speed(), b = cable.b.speed();
    if (!a || !b || *a == *b) continue;
    LintFinding& found = sink.add(*cable.a.device, cable.a.port ? cable.a.port->where : SourceSpan{},
                                  fmt::format("{} at one end of a cable, {} at the other", format(*a), format(*b)));
    if (cable.a.port) found.ports.push_back(cable.a.port->name);
    found.detail = fmt::format("{} is cabled to {}.", cable.a.name(), cable.b.name());
  }
}

void cable_longer_than_set(const LintView& view, LintSink& sink) {
  for (const InventoryRow& row : view.estate.inventory) {
    const CableEnd end = view.find(row.device, row.port);
    if (!row.cable || !end.port || !end.port->cable || *end.port->cable >= *row.cable) continue;
    const QosPolicy* const policy = end.policy();
    if (!policy || policy->pfc == 0) continue;
    LintFinding& found = sink.add(
        *end.device, end.port->where,
        fmt::format("the port is set to {} of cable, the inventory has {}", format(*end.port->cable), format(*row.cable)));
    found.ports.push_back(end.port->name);
    found.detail = "Headroom that follows from the length is too small.";
  }
}

/// A host, and which leaf each of its NICs goes to, by the order of their names.
struct HostRails {
  const Device* host;
  std::string leaves, assigned;  // the set of leaves; and "mlx5_0 leaf1, mlx5_1 leaf2"
};

std::vector<HostRails> rails_of_hosts(const LintView& view) {
  std::map<const Device*, std::map<std::string, std::string>> leaves;
  for (const PatchedCable& cable : view.cables)
    if (cable.b.device->kind == DeviceKind::host && cable.a.device->kind == DeviceKind::network_switch)
      leaves[cable.b.device][cable.b.nic ? cable.b.nic->name : cable.b.port->name] = cable.a.device->name;
  std::vector<HostRails> rails;
  for (const Device& device : view.estate.devices) {
    const auto found = leaves.find(&device);
    if (found == leaves.end()) continue;
    std::set<std::string> all;
    HostRails& host = rails.emplace_back(HostRails{&device, {}, {}});
    for (const auto& [nic, leaf] : found->second) {
      host.assigned += fmt::format("{}{} {}", host.assigned.empty() ? "" : ", ", nic, leaf);
      all.insert(leaf);
    }
    if (all.size() > 1) host.leaves = fmt::format("{}", fmt::join(all, " "));
  }
  return rails;
}

void rails_crossed(const LintView& view, LintSink& sink) {
  std::map<std::string, std::vector<const HostRails*>> groups;  // hosts with the same leaves
  const std::vector<HostRails> all = rails_of_hosts(view);
  for (const HostRails& host : all)
    if (!host.leaves.empty()) groups[host.leaves].push_back(&host);
  for (const auto& [leaves, hosts] : groups)
    for (const auto& odd : odd_ones(hosts, [](const HostRails* host) { return host->assigned; }))
      sink.add(*odd.value->host, {}, fmt::format("NICs are cabled to {}; those of most hosts to {}", odd.own, odd.most));
}

constexpr LintRule kCablingRules[] = {
    {"RY-LNT-170", Severity::error, 72, "A cable that is not where the inventory has it",
     "Traffic takes ways that nobody planned, and repairs touch the wrong port.", "IEEE 802.1AB (LLDP)",
     "Correct the cable, or the inventory.", not_as_in_inventory},
    {"RY-LNT-171", Severity::error, 58, "Two ends of a cable name different neighbours",
     "One of the two descriptions is wrong, or two cables are swapped.", "IEEE 802.1AB (LLDP)", "Look at both ports.",
     ends_disagree},
    {"RY-LNT-172", Severity::error, 70, "Two ends of a cable have different speeds",
     "The link does not come up, or runs at the slower speed.", "IEEE 802.3", "Set the same speed at both ends.",
     speeds_differ},
    {"RY-LNT-173", Severity::error, 76, "A cable longer than the port is set to",
     "Headroom follows from the length that is set; what a longer cable holds is dropped.", "SONiC, CABLE_LENGTH",
     "Set the length of the inventory, or more.", cable_longer_than_set},
    {"RY-LNT-174", Severity::error, 74, "Rails crossed",
     "NIC k of every host belongs on the same leaf. Crossed cables send traffic of one rail through the spine.",
     "NVIDIA, rail-optimised topology", "Swap the cables of the host.", rails_crossed},
};

}  // namespace

std::span<const LintRule> cabling_rules() { return kCablingRules; }

}  // namespace railyard
