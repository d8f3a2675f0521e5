#include "tools/compare/transports.h"

#include <fmt/format.h>

#include "base/quantity_text.h"
#include "tools/compare/trials.h"

namespace railyard {

namespace {

/// Takes a key away that the scenario has.
void drop(const Scenario& s, const char* key, std::vector<std::string>& set) {
  if (s.keys.given(key)) set.push_back(fmt::format("{}=", key));
}

/// Hardware without a name, so that the same rates are compared whatever the catalog's devices speak. Switches of InfiniBand
/// are faster than those of Ethernet: there the usual one stands in, as it does for RoCE.
std::vector<std::string> other_ethernet(const Scenario& s, TransportKind kind) {
  std::vector<std::string> set{fmt::format("transport.kind={}", name_of(kind))};
  for (const char* key : {"cluster.nic", "fabric.switch", "transport.dcqcn", "transport.ibcc", "transport.control"})
    drop(s, key, set);
  if (s.transport.kind == TransportKind::infiniband)
    drop(s, "fabric.switch_latency", set);
  else
    set.push_back("fabric.switch_latency=" + format_exact(s.fabric.switch_latency));
  set.push_back("fabric.link_rate=" + format_exact(s.fabric.link_rate));
  if (s.fabric.radix) set.push_back(fmt::format("fabric.radix={}", *s.fabric.radix));
  return set;
}

}  // namespace

std::vector<Trial> more_transports(const Scenario& scenario) {
  if (scenario.engine.fidelity != Fidelity::flow) return {};
  std::vector<Trial> out;
  const auto add = [&](TransportKind kind, const char* name, const std::vector<std::string>& routing) {
    if (scenario.transport.kind == kind) return;
    out.push_back({.kind = name, .change = name, .set = joined(other_ethernet(scenario, kind), routing), .is_advice = false});
  };
  add(TransportKind::uec, kOverUltraEthernet, {"routing.policy=spray"});
  add(TransportKind::tcp, kOverTcp, {"routing.policy=ecmp", "transport.qps_per_connection=1"});
  return out;
}

}  // namespace railyard
