// Rules on frame sizes of switches and along cables.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tools/lint/rule.h"
#include "tools/lint/view.h"

namespace railyard {

namespace {

void switch_mtu_small(const LintView& view, LintSink& sink) {
  for (const PolicyUse& use : view.switches) {
    if (use.policy->pfc == 0) continue;
    std::map<std::int64_t, std::vector<const PortConfig*>> small;
    for (const PortConfig* port : use.ports)
      if (port->mtu && *port->mtu < kRoceMtu) small[port->mtu->count()].push_back(port);
    for (const auto& [mtu, ports] : small) {
      LintFinding& found = sink.add(
          *use.device, ports.front()->where,
          fmt::format("ports with PFC have an MTU of {}: RDMA with a path MTU of 4096 needs {}", mtu, kRoceMtu.count()));
      for (const PortConfig* port : ports) found.ports.push_back(port->name);
      found.repairs.push_back({found.ports, SetMtu{9216_B}});
    }
  }
}

/// The end of a cable that takes smaller frames; of equal ones the first.
void host_mtu_above_switch(const LintView& view, LintSink& sink) {
  for (const PatchedCable& cable : view.cables) {
    if (cable.a.device->kind != DeviceKind::network_switch || cable.b.device->kind != DeviceKind::host) continue;
    const auto taken = cable.a.mtu(), sent = cable.b.mtu();
    if (!taken || !sent || *sent <= *taken || !cable.a.port) continue;
    LintFinding& found = sink.add(*cable.a.device, cable.a.port->where,
                                  fmt::format("ports take frames of {}, and hosts send {}", taken->count(), sent->count()));
    found.ports.push_back(cable.a.port->name);
    found.detail = fmt::format("{} is cabled to {}.", cable.a.name(), cable.b.name());
    found.repairs.push_back({found.ports, SetMtu{std::max(9216_B, *sent)}});
  }
}

void fabric_mtu_differs(const LintView& view, LintSink& sink) {
  constexpr std::int64_t kCounting = 200;  // vendors count headers in or not: 9100, 9214, 9216
  for (const PatchedCable& cable : view.cables) {
    if (cable.b.device->kind != DeviceKind::network_switch || !cable.a.port || !cable.b.port) continue;
    const auto a = cable.a.mtu(), b = cable.b.mtu();
    if (!a || !b || std::abs(a->count() - b->count()) <= kCounting) continue;
    const CableEnd& small = *a < *b ? cable.a : cable.b;
    LintFinding& found = sink.add(
        *small.device, small.port->where,
        fmt::format("MTU {} at one end of a cable, {} at the other", std::min(*a, *b).count(), std::max(*a, *b).count()));
    found.ports.push_back(small.port->name);
    found.detail = fmt::format("{} is cabled to {}.", cable.a.name(), cable.b.name());
    found.repairs.push_back({found.ports, SetMtu{std::max(*a, *b)}});
  }
}

constexpr LintRule kMtuRules[] = {
    {"RY-LNT-070", Severity::warning, 63, "Switch MTU below what RDMA needs",
     "RDMA falls back to packets of 1024 or 2048: more headers, more packets a second, less goodput.",
     "IBTA, path MTU 256 to 4096; NVIDIA advises an MTU of 4200 or more", "Use an MTU of 9216 on all ports of the fabric.",
     switch_mtu_small},
    {"RY-LNT-071", Severity::error, 79, "A host sends larger frames than its switch port takes",
     "Large packets vanish while small ones pass: connections come up and hang.", "IEEE 802.3; vendors' MTU guides",
     "Raise the MTU of the port above that of the host.", host_mtu_above_switch},
    {"RY-LNT-072", Severity::warning, 65, "MTU differs at the two ends of a cable",
     "Large packets are dropped in one direction, without a counter that says so.", "IEEE 802.3; RFC 1191",
     "Use one MTU in the whole fabric.", fabric_mtu_differs},
};

}  // namespace

std::span<const LintRule> mtu_rules() { return kMtuRules; }

}  // namespace railyard
