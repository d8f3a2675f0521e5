#include "qos/repair.h"

#include <algorithm>

namespace railyard {

namespace {

void set_bit(std::uint8_t& bits, std::uint8_t which, bool on) {
  const auto bit = static_cast<std::uint8_t>(1U << which % kPriorities);
  bits = static_cast<std::uint8_t>(on ? bits | bit : bits & ~bit);
}

/// What a change does to the QoS of a port; nothing, where it is about something else.
struct OnPolicy {
  QosPolicy& policy;

  void operator()(const SetTrust& c) const { policy.trust = c.trust; }
  void operator()(const MapDscp& c) const { policy.class_of_dscp[c.dscp % kDscps] = c.traffic_class; }
  void operator()(const MapClass& c) const {
    policy.queue_of_class[c.traffic_class % kPriorities] = c.queue;
    policy.group_of_class[c.traffic_class % kPriorities] = c.group;
  }
  void operator()(const SetPfc& c) const { set_bit(policy.pfc, c.priority, c.on); }
  void operator()(const SetPfcMode& c) const { policy.pfc_mode = c.mode; }
  void operator()(const SetLinkPause& c) const { policy.link_pause = c.on; }
  void operator()(const SetEcn& c) const { policy.queues[c.queue % kPriorities].ecn = c.ecn; }
  void operator()(const SetScheduling& c) const {
    policy.queues[c.queue % kPriorities].strict = c.strict;
    policy.queues[c.queue % kPriorities].weight = c.weight;
  }
  void operator()(const SetGroup& c) const { policy.groups[c.group % kPriorities] = c.policy; }
  void operator()(const SetWatchdog& c) const { policy.watchdog = c.policy; }
  template<class Other>
  void operator()(const Other&) const {}
};

/// What a change does to a device beside its policies.
struct OnDevice {
  Device& device;
  const std::vector<std::string>& ports;

  [[nodiscard]] bool is_meant(const std::string& port) const {
    return ports.empty() || std::find(ports.begin(), ports.end(), port) != ports.end();
  }
  template<class F>
  void nics(const std::string& name, F change) const {
    for (NicConfig& nic : device.nics)
      if (name.empty() ? is_meant(nic.netdev) : nic.name == name) change(nic);
  }

  void operator()(const SetMtu& c) const {
    for (PortConfig& port : device.ports)
      if (is_meant(port.name)) port.mtu = c.mtu;
    nics("", [&](NicConfig& nic) { nic.mtu = c.mtu; });
  }
  void operator()(const SetHash& c) const { device.hash = c.hash; }
  void operator()(const SetEnvironment& c) const {
    if (c.value.empty())
      device.environment.erase(c.name);
    else
      device.environment[c.name].value = c.value;
  }
  void operator()(const SetNicClass& c) const {
    nics(c.nic, [&](NicConfig& nic) { nic.traffic_class = nic.cma_tos = c.tos; });
  }
  void operator()(const SetCnp& c) const {
    nics(c.nic, [&](NicConfig& nic) {
      nic.cnp_dscp = c.dscp;
      nic.cnp_priority = c.priority;
    });
  }
  void operator()(const SetNicEcn& c) const {
    nics(c.nic, [&](NicConfig& nic) {
      for (std::optional<std::uint8_t>* bits : {&nic.ecn_np, &nic.ecn_rp}) {
        std::uint8_t all = bits->value_or(0);
        set_bit(all, c.priority, c.on);
        *bits = all;
      }
    });
  }
  void operator()(const SetDcqcn& c) const {
    nics(c.nic, [&](NicConfig& nic) { nic.dcqcn[c.name] = c.value; });
  }
  void operator()(const SetDcbx& c) const {
    nics(c.nic, [&](NicConfig& nic) { nic.dcbx_willing = c.willing; });
  }
  template<class Other>
  void operator()(const Other&) const {}
};

/// The policies in use at the ports that are meant, each of its own from now on.
std::vector<std::uint32_t> own_policies(Device& device, const std::vector<std::string>& ports) {
  std::vector<std::uint32_t> changed;
  if (ports.empty()) {
    for (std::uint32_t i = 0; i < device.policies.size(); i++) changed.push_back(i);
    return changed;
  }
  std::map<std::uint32_t, std::uint32_t> copies;
  const auto own = [&](std::uint32_t& policy) {
    const auto [copy, is_new] = copies.try_emplace(policy, static_cast<std::uint32_t>(device.policies.size()));
    if (is_new) {
      device.policies.push_back(QosPolicy(device.policies[policy]));
      changed.push_back(copy->second);
    }
    policy = copy->second;
  };
  const auto is_meant = [&](const std::string& name) { return std::find(ports.begin(), ports.end(), name) != ports.end(); };
  for (PortConfig& port : device.ports)
    if (is_meant(port.name) && port.policy < device.policies.size()) own(port.policy);
  for (NicConfig& nic : device.nics)
    if (is_meant(nic.netdev) && nic.policy < device.policies.size()) own(nic.policy);
  return changed;
}

}  // namespace

Device repaired(Device device, const Repair& repair) {
  std::visit(OnDevice{device, repair.ports}, repair.change);
  for (const std::uint32_t policy : own_policies(device, repair.ports))
    std::visit(OnPolicy{device.policies[policy]}, repair.change);
  return device;
}

}  // namespace railyard
