#include "tools/settings/marks.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr std::uint8_t kCapable = 2;  // ECT(0) in the two low bits of ToS

/// A key as it was written, without quotes; empty where it was not.
std::string written_value(const Scenario& scenario, const std::string& path) {
  const auto found = scenario.keys.by_path.find(path);
  if (found == scenario.keys.by_path.end()) return {};
  std::string value = found->second.value;
  std::erase(value, '"');
  return value;
}

/// Digits of a list such as "[3, 4]", as bits.
std::uint8_t listed_priorities(const std::string& list) {
  unsigned bits = 0;
  for (const char c : list)
    if (c >= '0' && c <= '7') bits |= 1U << (c - '0');
  return static_cast<std::uint8_t>(bits);
}

/// DSCP and priority of CNPs as the vendor's NICs start with.
Mark usual_cnp(NicVendor vendor) {
  switch (vendor) {
    case NicVendor::nvidia:
      return {48, 6};
    case NicVendor::broadcom:
      return {48, 7};
    case NicVendor::amd:
      return {46, 6};
  }
  return {};
}

std::uint8_t lossless_priorities(const Scenario& scenario) {
  const PacketPlan& plan = scenario.packet;
  if (!plan.pfc.enabled) return 0;
  unsigned bits = listed_priorities(written_value(scenario, "transport.pfc.priorities"));
  for (const ClassPlan& one : plan.classes)
    if (one.lossless) bits |= 1U << one.priority;
  return static_cast<std::uint8_t>(bits);
}

}  // namespace

bool is_over_ethernet(const Scenario& scenario) {
  return scenario.transport.kind == TransportKind::roce || scenario.transport.kind == TransportKind::uec ||
         scenario.transport.kind == TransportKind::tcp;
}

Marks marks_of(const Scenario& scenario, const Catalog& catalog) {
  const PacketPlan& plan = scenario.packet;
  Marks marks;
  if (const Entry<NicFact>* nic = catalog.nics.find(written_value(scenario, "cluster.nic"))) {
    marks.vendor_known = true;
    if (nic->fact.vendor == "Broadcom") marks.vendor = NicVendor::broadcom;
    if (nic->fact.vendor == "AMD") marks.vendor = NicVendor::amd;
  }
  marks.has_cnp = plan.dcqcn.enabled && !plan.dcqcn.cnp_on_ack;
  marks.cnp = usual_cnp(marks.vendor);
  if (scenario.keys.given("transport.dcqcn.cnp_802p_prio")) marks.cnp.priority = plan.classes[kControlClass].priority;
  if (const std::string dscp = written_value(scenario, "transport.dcqcn.cnp_dscp"); !dscp.empty())
    marks.cnp.dscp = static_cast<std::uint8_t>(std::stoi(dscp) % static_cast<int>(kDscps));
  if (scenario.transport.kind != TransportKind::tcp) {
    const std::uint8_t priority = plan.classes[kDataClass].priority;
    const bool amd = marks.vendor == NicVendor::amd;
    marks.data = {static_cast<std::uint8_t>(8 * priority + (amd ? 0 : 2)), priority};
    marks.tos = static_cast<std::uint8_t>(marks.data.dscp << 2 | (amd ? 0 : kCapable));
  }
  const auto selector = [](std::uint8_t priority) { return Mark{static_cast<std::uint8_t>(8 * priority), priority}; };
  const auto& traffic = scenario.workload.traffic;
  marks.background = selector(plan.classes[kBackgroundClass].priority);
  marks.storage = selector(plan.classes[kStorageClass].priority);
  marks.has_background = traffic && traffic->background > 0;
  marks.has_storage = traffic && traffic->storage;
  marks.lossless = lossless_priorities(scenario);
  return marks;
}

}  // namespace railyard
