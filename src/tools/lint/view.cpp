#include "tools/lint/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <tuple>

#include "tools/lint/view_index.h"

namespace railyard {

namespace {

/// What no packet of a job goes through.
bool is_data_port(const PortConfig& port) {
  static constexpr std::string_view kOthers[] = {"Management", "mgmt",        "Loopback",     "loopback",
                                                 "Vlan",       "vlan",        "lo",           "em0",
                                                 "fxp0",       "PortChannel", "port-channel", "Port-Channel"};
  if (port.name == "eth0") return false;  // of a switch: management
  return std::none_of(std::begin(kOthers), std::end(kOthers), [&](std::string_view p) { return port.name.starts_with(p); });
}

std::vector<PolicyUse> uses_of(const Device& device) {
  std::vector<PolicyUse> uses(device.policies.size());
  for (std::size_t i = 0; i < uses.size(); i++) uses[i].device = &device, uses[i].policy = &device.policies[i];
  std::size_t used = 0;
  const auto use = [&](std::uint32_t policy, auto member, auto* one) {
    if (policy >= uses.size()) return;
    used += uses[policy].ports.empty() && uses[policy].nics.empty() ? 1 : 0;
    (uses[policy].*member).push_back(one);
  };
  if (device.kind == DeviceKind::network_switch)
    for (const PortConfig& port : device.ports)
      if (port.enabled && is_data_port(port)) use(port.policy, &PolicyUse::ports, &port);
  if (device.kind == DeviceKind::host)
    for (const NicConfig& nic : device.nics) use(nic.policy, &PolicyUse::nics, &nic);
  const bool names_ports = device.kind == DeviceKind::network_switch ? !device.ports.empty() : !device.nics.empty();
  if (names_ports) std::erase_if(uses, [](const PolicyUse& u) { return u.ports.empty() && u.nics.empty(); });
  for (PolicyUse& one : uses) one.is_whole = uses.size() == 1;
  return uses;
}

}  // namespace

std::vector<std::string> PolicyUse::names() const {
  std::vector<std::string> out;
  if (is_whole) return out;
  for (const PortConfig* port : ports) out.push_back(port->name);
  for (const NicConfig* nic : nics) out.push_back(nic->netdev.empty() ? nic->name : nic->netdev);
  return out;
}

const QosPolicy* CableEnd::policy() const {
  if (!is_known()) return nullptr;
  const std::uint32_t index = nic ? nic->policy : port->policy;
  return index < device->policies.size() ? &device->policies[index] : nullptr;
}

std::optional<Bytes> CableEnd::mtu() const { return nic && nic->mtu ? nic->mtu : port ? port->mtu : std::nullopt; }
std::optional<BitsPerSecond> CableEnd::speed() const {
  return nic && nic->speed ? nic->speed : port ? port->speed : std::nullopt;
}
std::string CableEnd::name() const {
  return device->name + " " + (nic ? (nic->name.empty() ? nic->netdev : nic->name) : port ? port->name : "?");
}

LintView::LintView(const Estate& of) : estate(of) {
  index();
  find_uses();
  find_cables();
  find_marks();
}

void LintView::index() {
  for (const Device& device : estate.devices) {
    if (device.kind == DeviceKind::job) continue;
    devices_.try_emplace(device.name, &device);
    Parts& parts = parts_[&device];
    for (const PortConfig& port : device.ports) parts.ports.try_emplace(port.name, &port);
    for (const NicConfig& nic : device.nics) {
      if (!nic.name.empty()) parts.nics.try_emplace(nic.name, &nic);
      if (!nic.netdev.empty()) parts.nics.try_emplace(nic.netdev, &nic);
    }
  }
  for (const InventoryRow& row : estate.inventory)
    for (std::size_t i = 0; i < std::size(ChoiceNames<Role>::names); i++)
      if (row.role == ChoiceNames<Role>::names[i]) roles_.try_emplace(row.device, static_cast<Role>(i));
}

void LintView::find_uses() {
  for (const Device& device : estate.devices) {
    if (device.kind == DeviceKind::job) continue;
    const bool is_switch = device.kind == DeviceKind::network_switch;
    for (PolicyUse& use : uses_of(device)) {
      (is_switch ? switch_pfc : nic_pfc) |= use.policy->pfc;
      (is_switch ? switches : nics).push_back(std::move(use));
    }
  }
}

void LintView::find_cables() {
  std::set<std::tuple<const void*, const void*>> known;
  const auto add = [&](CableEnd a, CableEnd b) {
    if (!a.is_known() || !b.is_known() || a.device == b.device) return;
    const bool is_turned = std::tie(a.device->kind, a.device->name) > std::tie(b.device->kind, b.device->name);
    if (is_turned) std::swap(a, b);
    const auto part = [](const CableEnd& end) {
      return end.nic ? static_cast<const void*>(end.nic) : static_cast<const void*>(end.port);
    };
    if (known.emplace(part(a), part(b)).second) cables.push_back({a, b});
  };
  for (const Device& device : estate.devices) {
    if (device.kind == DeviceKind::job) continue;
    for (const PortConfig& port : device.ports)
      if (!port.neighbour.empty()) add(find(device.name, port.name), find(port.neighbour, port.neighbour_port));
  }
  for (const InventoryRow& row : estate.inventory) {
    if (row.neighbour.empty()) continue;
    const CableEnd a = find(row.device, row.port), b = find(row.neighbour, row.neighbour_port);
    const auto is_told = [](const CableEnd& end) { return end.port && !end.port->neighbour.empty(); };
    if (!is_told(a) && !is_told(b)) add(a, b);
  }
}

const Device* LintView::find(std::string_view name) const {
  auto found = devices_.find(name);
  if (found == devices_.end()) found = devices_.find(name.substr(0, name.find('.')));
  return found == devices_.end() ? nullptr : found->second;
}

CableEnd LintView::find(std::string_view device, std::string_view port) const {
  const Device* const known = find(device);
  if (!known) return {};
  const Parts& parts = parts_.at(known);
  const auto p = parts.ports.find(port);
  const auto n = parts.nics.find(port);
  return {known, p == parts.ports.end() ? nullptr : p->second, n == parts.nics.end() ? nullptr : n->second};
}

Role LintView::role_of(const Device& device) const {
  if (device.role != Role::unknown) return device.role;
  const auto found = roles_.find(device.name);
  return found == roles_.end() ? Role::unknown : found->second;
}

void LintView::find_marks() {
  marks = sent_marks(estate);
  cnps = sent_cnps(estate);
  const auto is_lossless_everywhere = [&](std::uint8_t dscp) {
    for (const auto* uses : {&switches, &nics})
      for (const PolicyUse& use : *uses)
        if (use.policy->pfc != 0 && !is_lossless(*use.policy, dscp)) return false;
    return true;
  };
  if (!has_pfc()) return;
  for (const std::uint8_t usual : {std::uint8_t{26}, std::uint8_t{24}})
    if (!lossless && is_lossless_everywhere(usual)) lossless = usual;
  for (std::uint8_t dscp = 1; dscp < kDscps && !lossless; dscp++)
    if (is_lossless_everywhere(dscp)) lossless = dscp;
}

}  // namespace railyard
