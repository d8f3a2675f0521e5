// Rules on versions: of NICs' firmware and of switches' operating systems.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tools/lint/majority.h"
#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

void firmware_differs_in_host(const LintView& view, LintSink& sink) {
  for (const Device& device : view.estate.devices) {
    std::map<std::string, std::map<std::string, std::vector<const NicConfig*>>> models;
    for (const NicConfig& nic : device.nics)
      if (!nic.firmware.empty()) models[nic.model][nic.firmware].push_back(&nic);
    for (const auto& [model, versions] : models) {
      if (versions.size() < 2) continue;
      std::vector<std::string> texts;
      for (const auto& [version, nics] : versions) texts.push_back(fmt::format("{} on {}", version, nics.size()));
      sink.add(device, place_of(device, *versions.begin()->second.front(), {"firmware"}),
               fmt::format("NICs of the host{} have different firmware: {}", model.empty() ? "" : " (" + model + ")",
                           some_of(texts)));
    }
  }
}

/// The firmware of a host's NICs of one model, if all have the same.
std::map<std::string, std::string> firmware_by_model(const Device& device) {
  std::map<std::string, std::string> by_model;
  std::set<std::string> mixed;
  for (const NicConfig& nic : device.nics) {
    if (nic.firmware.empty() || nic.model.empty()) continue;
    const auto [known, is_new] = by_model.try_emplace(nic.model, nic.firmware);
    if (!is_new && known->second != nic.firmware) mixed.insert(nic.model);
  }
  for (const std::string& model : mixed) by_model.erase(model);
  return by_model;
}

void firmware_differs_in_fleet(const LintView& view, LintSink& sink) {
  std::map<std::string, std::vector<std::pair<const Device*, std::string>>> models;
  for (const Device& device : view.estate.devices)
    for (const auto& [model, firmware] : firmware_by_model(device)) models[model].emplace_back(&device, firmware);
  for (const auto& [model, hosts] : models)
    for (const auto& odd : odd_ones(hosts, [](const auto& host) { return host.second; }))
      sink.add(*odd.value.first, place_of(*odd.value.first, odd.value.first->nics.front(), {"firmware"}),
               fmt::format("firmware of {} is {}, on most hosts {}", model, odd.own, odd.most));
}

void system_differs_in_role(const LintView& view, LintSink& sink) {
  std::map<std::tuple<Role, Dialect, std::string>, std::vector<const Device*>> peers;
  for (const Device& device : view.estate.devices)
    if (device.kind == DeviceKind::network_switch && is_fabric(view.role_of(device)))
      peers[{view.role_of(device), device.dialect, device.model}].push_back(&device);
  for (const auto& [key, devices] : peers)
    for (const auto& odd : odd_ones(devices, [](const Device* d) { return d->version; }))
      sink.add(*odd.value, {},
               fmt::format("a {} runs version {}, most of its peers {}", name_of(std::get<0>(key)), odd.own, odd.most));
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return out;
}

/// The approved versions of something; nullptr if the policy says nothing of it.
const std::vector<std::string>* approved(const FabricPolicy& policy, std::initializer_list<std::string_view> names) {
  for (const auto& [what, versions] : policy.versions)
    for (const std::string_view name : names)
      if (!name.empty() && lower(name).find(lower(what)) != std::string::npos) return &versions;
  return nullptr;
}

void version_not_approved(const LintView& view, LintSink& sink) {
  const FabricPolicy& policy = view.estate.allowed;
  if (policy.versions.empty()) return;
  const auto check = [&](const Device& device, const std::string& version, std::initializer_list<std::string_view> names,
                         const std::string& what, SourceSpan where) -> LintFinding* {
    const std::vector<std::string>* const good = approved(policy, names);
    if (version.empty() || !good || std::find(good->begin(), good->end(), version) != good->end()) return nullptr;
    return &sink.add(device, std::move(where),
                     fmt::format("version {} of {} is not approved; {} is", version, what, some_of(*good)));
  };
  for (const Device& device : view.estate.devices) {
    const std::string_view dialect = name_of(device.dialect);
    check(device, device.version, {device.model, dialect}, device.model.empty() ? std::string(dialect) : device.model, {});
    for (const NicConfig& nic : device.nics)
      if (LintFinding* found = check(device, nic.firmware, {nic.model}, nic.model, place_of(device, nic, {"firmware"})))
        found->ports.push_back(nic.name);
  }
}

void version_not_as_in_inventory(const LintView& view, LintSink& sink) {
  for (const InventoryRow& row : view.estate.inventory) {
    const Device* const device = view.find(row.device);
    if (!device) continue;
    if (!row.nos.empty() && !device->version.empty() && device->kind == DeviceKind::network_switch &&
        row.nos.find(device->version) == std::string::npos && device->version.find(row.nos) == std::string::npos)
      sink.add(*device, {}, fmt::format("the device runs {}, the inventory has {}", device->version, row.nos));
    const CableEnd end = view.find(row.device, row.port);
    if (!row.firmware.empty() && end.nic && !end.nic->firmware.empty() && end.nic->firmware != row.firmware)
      sink.add(*device, place_of(*device, *end.nic, {"firmware"}),
               fmt::format("firmware is {}, the inventory has {}", end.nic->firmware, row.firmware))
          .ports.push_back(end.nic->name);
  }
}

constexpr LintRule kFirmwareRules[] = {
    {"RY-LNT-180", Severity::warning, 48, "Different firmware on the NICs of one host",
     "DCQCN parameters and defaults change with firmware: one rail reacts otherwise.",
     "NVIDIA, firmware release notes (DCQCN defaults differ by release)", "Use one firmware for NICs of one model.",
     firmware_differs_in_host},
    {"RY-LNT-181", Severity::warning, 40, "A host whose NICs have another firmware than most",
     "One host that reacts otherwise slows the collective of all.", "NVIDIA, firmware release notes",
     "Use one firmware for NICs of one model.", firmware_differs_in_fleet},
    {"RY-LNT-182", Severity::warning, 37, "A switch with another version than its peers",
     "Defaults of buffers and QoS change with versions.", "SONiC release notes; vendors' release notes",
     "Use one version for switches of one role.", system_differs_in_role},
    {"RY-LNT-183", Severity::error, 46, "A version that the policy does not approve", "The organisation tested others.",
     "the policy file that was read", "Install an approved version, or approve this one.", version_not_approved},
    {"RY-LNT-184", Severity::note, 17, "A version other than the inventory's", "Either is out of date.",
     "the inventory that was read", "Correct the inventory, or the device.", version_not_as_in_inventory},
};

}  // namespace

std::span<const LintRule> firmware_rules() { return kFirmwareRules; }

}  // namespace railyard
