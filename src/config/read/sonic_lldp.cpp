#include "config/read/sonic_lldp.h"

#include "base/json.h"
#include "config/read/sonic_tables.h"
#include "config/read/switch_device.h"

namespace railyard::sonic {

namespace {

/// The first text at or below a value: json0 wraps each in {"value": …} inside a list.
std::string_view first_text(const Document* at) {
  for (int depth = 0; at != nullptr && depth < 8; depth++) {
    if (at->text() != nullptr) return *at->text();
    if (at->items() != nullptr && !at->items()->empty())
      at = &at->items()->front();
    else
      at = at->find("value");
  }
  return {};
}

const Document* only_item(const Document* at) {
  return at != nullptr && at->items() != nullptr && !at->items()->empty() ? &at->items()->front() : at;
}

/// A chassis is {"leaf01": {…}} or, in json0, [{"name": [{"value": "leaf01"}]}].
std::string_view chassis_name(const Document* chassis) {
  chassis = only_item(chassis);
  if (chassis == nullptr || chassis->members() == nullptr || chassis->members()->empty()) return {};
  if (const Document* name = chassis->find("name")) return first_text(name);
  const Document::Member& first = chassis->members()->front();
  return first.value.members() != nullptr && first.key != "id" ? std::string_view(first.key) : std::string_view();
}

void add_lldp(const Document& interface, std::string_view port, const SourceSpan& where, Device& device, SwitchPorts& ports) {
  const std::string_view neighbour = chassis_name(interface.find("chassis"));
  const Document* remote = only_item(interface.find("port"));
  if (port.empty() || neighbour.empty()) return;
  PortConfig& at = device.ports[ports.add(port, where)];
  at.neighbour = neighbour;
  at.neighbour_port = remote != nullptr ? first_text(remote->find("id")) : std::string_view();
}

void add_lldp_interfaces(const Document* list, Device& device, SwitchPorts& ports) {
  if (list == nullptr) return;
  if (list->items() != nullptr)
    for (const Document& item : *list->items()) add_lldp_interfaces(&item, device, ports);
  if (list->members() == nullptr) return;
  if (list->find("chassis") != nullptr) return add_lldp(*list, first_text(list->find("name")), list->where(), device, ports);
  for (const Document::Member& member : *list->members()) add_lldp(member.value, member.key, member.where, device, ports);
}

}  // namespace

namespace {

/// Whether a port of a switch is the name of something here: a key, or the value of "name".
bool names_port(const std::string& text, std::string_view beginning) {
  for (std::size_t at = text.find(beginning); at != std::string::npos; at = text.find(beginning, at + 1)) {
    const std::size_t end = text.find('"', at + 1);
    if (end == std::string::npos) return false;
    const std::size_t next = text.find_first_not_of(" \t\r\n", end + 1);
    if (next != std::string::npos && text[next] == ':') return true;
    const std::size_t before = at == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", at - 1);
    if (before != std::string::npos && before >= 6 && text.compare(before - 6, 7, "\"name\":") == 0) return true;
  }
  return false;
}

}  // namespace

bool is_lldp_json(const ConfigText& text) {
  const std::size_t first = text.text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text.text[first] != '{' || text.text.find("\"lldp\"") == std::string::npos) return false;
  if (text.text.find("\"chassis\"") == std::string::npos) return false;
  return names_port(text.text, "\"Ethernet") || names_port(text.text, "\"swp");
}

Diagnostics read_lldp_json(const ConfigText& text, Estate& estate) {
  const auto root = parse_json(text.text, text.file, "RY-CFG-003");
  if (!root) return root.error();
  const Dialect dialect = names_port(text.text, "\"swp") ? Dialect::nvue : Dialect::sonic;
  Device& device = switch_of(estate, text, {}, dialect);
  SwitchPorts ports(device);
  const Document* lldp = only_item(root->find("lldp"));
  add_lldp_interfaces(lldp != nullptr ? lldp->find("interface") : nullptr, device, ports);
  return {};
}

}  // namespace railyard::sonic
