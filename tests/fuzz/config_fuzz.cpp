// Any bytes as a file that lint and settings are given: every reader must answer with devices that hold together, or with
// findings that can be shown; alone, and after another file of the same device.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "config/read/read.h"

namespace {

using namespace railyard;

constexpr const char* kSwitch = R"({"DEVICE_METADATA": {"localhost": {"hostname": "leaf", "type": "ToRRouter"}},
  "PORT": {"Ethernet0": {"speed": "400000", "admin_status": "up"}, "swp1": {"speed": "100000"}},
  "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m"}}, "DSCP_TO_TC_MAP": {"A": {"26": "3"}},
  "PORT_QOS_MAP": {"Ethernet0": {"dscp_to_tc_map": "A", "pfc_enable": "3"}}})";

void check_policy(const QosPolicy& policy) {
  for (const auto* map : {&policy.class_of_pcp, &policy.queue_of_class, &policy.group_of_class, &policy.priority_of_group,
                          &policy.queue_of_priority})
    for (const std::uint8_t to : *map) RY_CHECK(to < kPriorities, "a map leads to one of eight");
  for (const std::uint8_t to : policy.class_of_dscp) RY_CHECK(to < kPriorities, "a DSCP has one of eight classes");
  for (const QueuePolicy& queue : policy.queues)
    if (queue.ecn) RY_CHECK(queue.ecn->pmax >= 0 && queue.ecn->pmax <= 1, "a probability is one");
}

void check_device(const Device& device) {
  for (const QosPolicy& policy : device.policies) check_policy(policy);
  if (device.policies.empty()) return;
  for (const PortConfig& port : device.ports) RY_CHECK(port.policy < device.policies.size(), "a port has a policy");
  for (const NicConfig& nic : device.nics) RY_CHECK(nic.policy < device.policies.size(), "a NIC has a policy");
}

void read(const std::string& text, Estate estate) {
  for (const Diagnostic& finding : read_config({"leaf/fuzz.txt", "leaf", text}, estate)) {
    RY_CHECK(!finding.code.empty() && !finding.message.empty(), "a finding says what it is");
    (void)to_text(finding);
  }
  for (const Device& device : estate.devices) check_device(device);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  static const Estate known = [] {
    Estate estate;
    RY_CHECK(read_config({"leaf/config_db.json", "leaf", kSwitch}, estate).empty(), "what is known has no fault");
    return estate;
  }();
  read(text, {});
  read(text, known);
  return 0;
}
