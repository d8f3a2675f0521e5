// What the writers of switches' configurations leave out: names, versions, speeds, neighbours, seeds, cables.
#include <fmt/format.h>

#include "lint/languages.h"

namespace railyard {

namespace {

std::string gigabits(const PortConfig& port) { return std::to_string(port.speed->count() / 1'000'000'000); }

/// "to spine0 Ethernet1/1"
std::string description(const PortConfig& port) { return fmt::format("to {} {}", port.neighbour, port.neighbour_port); }

/// Puts lines behind the first head of a block; a block that is not there is left out.
void put_behind(std::string& text, const std::string& head, const std::string& lines) {
  const std::size_t at = text.find(head);
  if (at != std::string::npos) text.insert(at + head.size(), lines);
}

/// Interfaces as command lines of EOS and NX-OS have them.
void add_cli_facts(const Device& device, std::string_view indent, std::string_view speed_unit, std::string& text) {
  for (const PortConfig& port : device.ports) {
    std::string lines;
    if (!port.neighbour.empty()) lines += fmt::format("{}description {}\n", indent, description(port));
    if (port.speed) lines += fmt::format("{}speed {}{}\n", indent, gigabits(port), speed_unit);
    put_behind(text, fmt::format("interface {}\n", port.name), lines);
  }
}

}  // namespace

std::vector<ConfigText> sonic_facts(const Device& device) {
  std::string neighbours;
  for (const PortConfig& port : device.ports)
    if (!port.neighbour.empty())
      neighbours += fmt::format("{}\n    \"{}\": {{\"name\": \"{}\", \"port\": \"{}\"}}", neighbours.empty() ? "" : ",",
                                port.name, port.neighbour, port.neighbour_port);
  return {{device.name + "/facts.json", device.name,
           fmt::format("{{\n  \"DEVICE_METADATA\": {{\n    \"localhost\": {{\"hostname\": \"{}\", \"hwsku\": \"{}\", "
                       "\"sonic_version\": \"{}\"}}\n  }},\n  \"DEVICE_NEIGHBOR\": {{{}\n  }}\n}}\n",
                       device.name, device.model, device.version, neighbours)}};
}

std::vector<ConfigText> nvue_facts(const Device& device) {
  std::string neighbours;
  for (const PortConfig& port : device.ports)
    if (!port.neighbour.empty())
      neighbours +=
          fmt::format("{}\n    {{\"{}\": {{\"chassis\": {{\"{}\": {{}}}}, \"port\": {{\"id\": {{\"value\": \"{}\"}}}}}}}}",
                      neighbours.empty() ? "" : ",", port.name, port.neighbour, port.neighbour_port);
  return {{device.name + "/config.yaml", device.name,
           fmt::format("- header:\n    model: {}\n    version: {}\n- set:\n    system:\n      hostname: {}\n", device.model,
                       device.version, device.name)},
          {device.name + "/lldp.json", device.name, fmt::format("{{\"lldp\": {{\"interface\": [{}\n]}}}}\n", neighbours)}};
}

std::string with_eos_facts(const Device& device, std::string text) {
  add_cli_facts(device, "   ", "g-8", text);
  std::string head =
      fmt::format("! device: {} ({}, {})\nhostname {}\n", device.name, device.model, device.version, device.name);
  if (device.hash.seed) head += fmt::format("ip load-sharing trident seed {}\n", *device.hash.seed);
  return head + text;
}

std::string with_nxos_facts(const Device& device, std::string text) {
  add_cli_facts(device, "  ", "000", text);
  return fmt::format("version {}\nhostname {}\n", device.version, device.name) + text;
}

std::string with_junos_facts(const Device& device, std::string text) {
  for (const PortConfig& port : device.ports) {
    std::string lines;
    if (!port.neighbour.empty()) lines += fmt::format("        description \"{}\";\n", description(port));
    if (port.speed) lines += fmt::format("        speed {}g;\n", gigabits(port));
    put_behind(text, fmt::format("    {} {{\n", port.name), lines);
  }
  if (!device.ports.empty() && device.ports.front().cable)
    put_behind(text, "    congestion-notification-profile {\n        ROCE {\n",
               fmt::format("            cable-length {};\n", device.ports.front().cable->count() / 1000));
  return fmt::format("version {};\nsystem {{\n    host-name {};\n}}\n", device.version, device.name) + text;
}

}  // namespace railyard
