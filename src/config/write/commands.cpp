#include "config/write/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "config/write/words.h"

namespace railyard {

namespace {

struct ChangeWords {
  std::string operator()(const SetTrust& c) const { return fmt::format("take classes from {}", name_of(c.trust)); }
  std::string operator()(const MapDscp& c) const {
    return fmt::format("map DSCP {} to traffic class {}", c.dscp, c.traffic_class);
  }
  std::string operator()(const MapClass& c) const {
    return fmt::format("map traffic class {} to queue {} and priority group {}", c.traffic_class, c.queue, c.group);
  }
  std::string operator()(const SetPfc& c) const {
    return fmt::format("set PFC {} for priority {}", c.on ? "on" : "off", c.priority);
  }
  std::string operator()(const SetPfcMode& c) const {
    return c.mode == PfcMode::forced ? "set PFC by hand and not over DCBX" : "take PFC from the neighbour over DCBX";
  }
  std::string operator()(const SetLinkPause& c) const { return fmt::format("set link-level pause {}", c.on ? "on" : "off"); }
  std::string operator()(const SetEcn& c) const {
    return fmt::format("{} packets of queue {}", c.ecn ? "mark" : "do not mark", c.queue);
  }
  std::string operator()(const SetScheduling& c) const {
    return c.strict ? fmt::format("serve queue {} strictly first", c.queue)
                    : fmt::format("serve queue {} with weight {}", c.queue, c.weight);
  }
  std::string operator()(const SetGroup& c) const {
    return c.policy.headroom
               ? fmt::format("give priority group {} a headroom of {}", c.group, format_exact(*c.policy.headroom))
               : fmt::format("{} priority group {} a lossless buffer", c.policy.has_buffer ? "give" : "take from", c.group);
  }
  std::string operator()(const SetWatchdog& c) const {
    return fmt::format("set the PFC watchdog {}", c.policy.enabled ? "on" : "off");
  }
  std::string operator()(const SetMtu& c) const { return fmt::format("set the MTU to {}", c.mtu.count()); }
  std::string operator()(const SetHash& c) const {
    return fmt::format("hash by {}{}", fmt::join(c.hash.fields, ", "),
                       c.hash.seed ? fmt::format(" with seed {}", *c.hash.seed) : "");
  }
  std::string operator()(const SetEnvironment& c) const {
    return c.value.empty() ? fmt::format("unset {}", c.name) : fmt::format("set {}={}", c.name, c.value);
  }
  std::string operator()(const SetNicClass& c) const {
    return fmt::format("send RoCE with ToS {} (DSCP {})", c.tos, c.tos >> 2);
  }
  std::string operator()(const SetCnp& c) const {
    return fmt::format("send CNPs with DSCP {} and priority {}", c.dscp, c.priority);
  }
  std::string operator()(const SetNicEcn& c) const {
    return fmt::format("set DCQCN {} for priority {}", c.on ? "on" : "off", c.priority);
  }
  std::string operator()(const SetDcqcn& c) const { return fmt::format("set {} of DCQCN to {}", c.name, c.value); }
  std::string operator()(const SetDcbx& c) const {
    return c.willing ? "take settings over DCBX" : "take no settings over DCBX";
  }
};

}  // namespace

CommandLines meant_ports(const Device& device, const Repair& repair) {
  if (!repair.ports.empty()) return repair.ports;
  CommandLines all;
  for (const PortConfig& port : device.ports) all.push_back(port.name);
  if (all.empty()) all.emplace_back("<port>");
  return all;
}

std::vector<NicConfig> meant_nics(const Device& device, const Repair& repair, const std::string& name) {
  const auto is_port = [&](const std::string& netdev) {
    return repair.ports.empty() || std::find(repair.ports.begin(), repair.ports.end(), netdev) != repair.ports.end();
  };
  std::vector<NicConfig> found;
  for (const NicConfig& nic : device.nics)
    if (name.empty() ? is_port(nic.netdev) : nic.name == name) found.push_back(nic);
  for (NicConfig& nic : found) {
    if (nic.netdev.empty()) nic.netdev = "<interface>";
    if (nic.name.empty()) nic.name = "<device>";
  }
  if (!found.empty()) return found;
  for (const std::string& port : repair.ports) {
    found.emplace_back().name = name.empty() ? "<device>" : name;
    found.back().netdev = port;
  }
  if (found.empty()) {
    found.emplace_back().name = name.empty() ? "<device>" : name;
    found.back().netdev = "<interface>";
  }
  return found;
}

QosPolicy policy_after(const Device& device, const Repair& repair) {
  const Device after = repaired(device, repair);
  const auto is_meant = [&](const std::string& name) {
    return repair.ports.empty() || std::find(repair.ports.begin(), repair.ports.end(), name) != repair.ports.end();
  };
  for (const PortConfig& port : after.ports)
    if (is_meant(port.name) && port.policy < after.policies.size()) return after.policies[port.policy];
  for (const NicConfig& nic : after.nics)
    if (is_meant(nic.netdev) && nic.policy < after.policies.size()) return after.policies[nic.policy];
  if (!after.policies.empty()) return after.policies.front();
  Device bare;  // nothing was read: what the change alone gives
  bare.policies.emplace_back();
  return repaired(bare, {{}, repair.change}).policies.front();
}

std::string in_words(const Change& change) { return std::visit(ChangeWords{}, change); }

CommandLines only_words(std::string_view comment, const Change& change, std::string_view why) {
  return {fmt::format("{} {}: {}", comment, in_words(change), why)};
}

}  // namespace railyard
