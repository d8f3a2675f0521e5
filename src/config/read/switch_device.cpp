#include "config/read/switch_device.h"

#include <algorithm>

namespace railyard {

namespace {

/// Whether a file's path suggests that name: its own up to the first dot, or its folder's.
bool path_suggests(const std::string& file, const std::string& name) {
  const std::filesystem::path path(file);
  const std::string own = path.filename().string();
  return own.substr(0, own.find('.', 1)) == name || path.parent_path().filename().string() == name;
}

Device* switch_named(Estate& estate, std::string_view name) {
  for (Device& device : estate.devices)
    if (device.kind == DeviceKind::network_switch && device.name == name) return &device;
  return nullptr;
}

Device* switch_of_path(Estate& estate, const std::string& name) {
  for (Device& device : estate.devices)
    if (device.kind == DeviceKind::network_switch &&
        std::any_of(device.files.begin(), device.files.end(), [&](const SourceSpan& f) { return path_suggests(f.file, name); }))
      return &device;
  return nullptr;
}

}  // namespace

Device& switch_of(Estate& estate, const ConfigText& text, std::string_view own_name, Dialect dialect) {
  Device* found = own_name.empty() ? nullptr : switch_named(estate, own_name);
  if (found == nullptr) {
    found = switch_named(estate, text.device);
    if (found == nullptr && own_name.empty()) found = switch_of_path(estate, text.device);
    if (found == nullptr) found = &device_of(estate, text.device, DeviceKind::network_switch, dialect);
    if (!own_name.empty()) found->name = own_name;
  }
  found->files.push_back({text.file, 0, 0});
  return *found;
}

UnreadNotes::UnreadNotes(Device& device) : device_(device) {
  for (std::size_t i = 0; i < device.unread.size(); i++) at_.emplace(device.unread[i].statement, i);
}

void UnreadNotes::add(const std::string& statement, const SourceSpan& where, std::uint32_t times) {
  const auto [place, is_new] = at_.emplace(statement, device_.unread.size());
  if (is_new)
    device_.unread.push_back({statement, times, where});
  else
    device_.unread[place->second].times += times;
}

SwitchPorts::SwitchPorts(Device& device) : device_(device) {
  for (std::size_t i = 0; i < device.ports.size(); i++) at_.emplace(device.ports[i].name, i);
}

std::size_t SwitchPorts::add(std::string_view name, const SourceSpan& where) {
  const auto [place, is_new] = at_.emplace(std::string(name), device_.ports.size());
  if (is_new) {
    PortConfig& port = device_.ports.emplace_back();
    port.name = name;
    port.where = where;
  }
  return place->second;
}

}  // namespace railyard
