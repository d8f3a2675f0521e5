#include "config/read/mlnx_template.h"

#include "base/yaml.h"
#include "config/read/host_nic.h"

namespace railyard::host_text {

namespace {

std::string plain_text(const Document* value) {
  if (value == nullptr) return {};
  if (value->text() != nullptr) return *value->text();
  if (value->integer() != nullptr) return std::to_string(*value->integer());
  if (value->boolean() != nullptr) return *value->boolean() ? "true" : "false";
  return {};
}

bool is_enabled(const Document* part) {
  const Document* enabled = part == nullptr ? nullptr : part->find("enabled");
  return enabled != nullptr && enabled->boolean() != nullptr && *enabled->boolean();
}

std::uint32_t line_number(const Document* part) { return part == nullptr ? 0 : part->where().line; }

/// What roceOptimized does unless its qos says otherwise. Source: README of Mellanox/nic-configuration-operator (trust dscp,
/// PFC 3, tos 0; CNP_DSCP_P1=4, CNP_802P_PRIO_P1=6, ROCE_CC_PRIO_MASK_P1=255).
void read_roce(HostScope& scope, std::size_t nic, const Document& roce) {
  const std::uint32_t line = roce.where().line;
  set_mlxconfig(scope, nic, "ROCE_CC_PRIO_MASK", "255", line);
  set_mlxconfig(scope, nic, "CNP_DSCP", "4", line);
  set_mlxconfig(scope, nic, "CNP_802P_PRIO", "6", line);
  const Document* qos = roce.find("qos");
  const auto said = [&](std::string_view key) { return qos == nullptr ? nullptr : qos->find(key); };
  QosPolicy& policy = scope.policy(nic);
  policy.trust = plain_text(said("trust")) == "pcp" ? Trust::pcp : Trust::dscp;
  policy.said["trust"] = scope.at(said("trust") != nullptr ? line_number(said("trust")) : line);
  const std::string pfc = said("pfc") != nullptr ? plain_text(said("pfc")) : "0,0,0,1,0,0,0,0";
  std::size_t priority = 0;
  for (const std::string_view on : split_at(pfc, ','))
    set_nic_pfc(policy, priority++, trimmed(on) == "1", scope.at(said("pfc") != nullptr ? line_number(said("pfc")) : line));
  const auto tos = whole_number(said("tos") != nullptr ? plain_text(said("tos")) : "0", 255);
  if (tos) scope.config(nic).cma_tos = static_cast<std::uint8_t>(*tos);
  scope.say(nic, "cma_tos", said("tos") != nullptr ? line_number(said("tos")) : line);
}

void read_raw(HostScope& scope, std::size_t nic, const Document* raw) {
  if (raw == nullptr || raw->items() == nullptr) return;
  for (const Document& item : *raw->items()) {
    std::string name = plain_text(item.find("name"));
    if (name.ends_with("_P1") || name.ends_with("_P2")) name.resize(name.size() - 3);
    if (!set_mlxconfig(scope, nic, name, plain_text(item.find("value")), item.where().line))
      add_unread(scope.device, "rawNvConfig " + name, item.where());
  }
}

std::vector<NicNames> selected(const Document& spec) {
  std::vector<NicNames> nics;
  const Document* addresses = spec.at_path("nicSelector.pciAddresses");
  if (addresses != nullptr && addresses->items() != nullptr)
    for (const Document& one : *addresses->items()) nics.push_back({{}, {}, {pci_address(plain_text(&one))}});
  const std::string type = plain_text(spec.at_path("nicSelector.nicType"));
  if (nics.empty()) nics.push_back({{}, {}, {type.empty() ? "NICs" : "NICs of type " + type}});
  return nics;
}

void read_one_template(const ConfigText& text, const Document& root, Estate& estate) {
  const Document *spec = root.find("spec"), *name = root.at_path("metadata.name");
  const Document* settings = spec == nullptr ? nullptr : spec->find("template");
  if (settings == nullptr || settings->members() == nullptr) return;
  Device& device = device_of(estate, name == nullptr ? text.device : plain_text(name), DeviceKind::host, Dialect::mlnx);
  device.role = Role::host;
  device.files.push_back({text.file, root.where().line, 0});
  Block block;
  std::vector<std::string> spoken_of;
  HostScope scope{device, block, text.file, {}, spoken_of};
  for (const NicNames& names : selected(*spec)) {
    const std::size_t nic = scope.nic(names, Dialect::mlnx);
    scope.config(nic).model = plain_text(spec->at_path("nicSelector.nicType"));
    if (is_enabled(settings->find("roceOptimized"))) read_roce(scope, nic, *settings->find("roceOptimized"));
    read_raw(scope, nic, settings->find("rawNvConfig"));
  }
  for (const auto& member : *settings->members())
    if (member.key != "roceOptimized" && member.key != "rawNvConfig") add_unread(device, member.key, member.where);
}

}  // namespace

bool is_nic_template(const ConfigText& text) {
  return contains(text.text, "kind: NicConfigurationTemplate") && contains(text.text, "apiVersion:");
}

Diagnostics read_nic_template(const ConfigText& text, Estate& estate) {
  const auto documents = parse_yaml(text.text, text.file, "RY-CFG-003");
  if (!documents) return documents.error();
  for (const Document& root : *documents)
    if (plain_text(root.find("kind")) == "NicConfigurationTemplate") read_one_template(text, root, estate);
  return {};
}

}  // namespace railyard::host_text
