#include "tools/compare/trials.h"

#include <fmt/format.h>

#include "answer/levers.h"
#include "base/quantity_text.h"
#include "catalog/rates.h"

namespace railyard {

namespace {

bool is_roce(const Scenario& s) { return s.transport.kind == TransportKind::roce; }

/// Switches and NICs that carry the other transport, with latencies of their own. The fabric keeps its shape: its radix is said
/// outright, of a switch without a name where none of that name has so many ports.
std::vector<std::string> other_hardware(const Scenario& s, TransportKind kind, const Catalog& catalog) {
  const SwitchFact& box = catalog.switches.find(kind == TransportKind::roce ? "Tomahawk-5" : "Quantum-2")->fact;
  const bool has_ports = s.fabric.radix.value_or(0) <= ports_at(box, s.fabric.link_rate);
  std::vector<std::string> set{fmt::format("transport.kind={}", name_of(kind))};
  if (has_ports)
    set.push_back(fmt::format("fabric.switch={}", kind == TransportKind::roce ? "Tomahawk-5" : "Quantum-2"));
  else
    set.insert(set.end(), {"fabric.switch=", "fabric.switch_latency=" + format_exact(*box.latency)});
  if (s.fabric.radix) set.push_back(fmt::format("fabric.radix={}", *s.fabric.radix));
  if (kind == TransportKind::infiniband) set.push_back("cluster.nic=ConnectX-7");
  if (kind == TransportKind::infiniband && s.keys.given("transport.dcqcn")) set.push_back("transport.dcqcn=");
  return set;
}

/// The same job over RoCE whose switches hash, RoCE that spreads packets, and InfiniBand. What the scenario has is not tried.
void add_transports(const Scenario& s, const Catalog& catalog, std::vector<Trial>& out) {
  const auto add = [&](const char* kind, std::vector<std::string> set) {
    out.push_back({.kind = kind, .change = kind, .set = std::move(set), .is_advice = false});
  };
  const std::vector<std::string> roce =
      is_roce(s) ? std::vector<std::string>{} : other_hardware(s, TransportKind::roce, catalog);
  const bool plain = is_roce(s) && s.routing.policy == RoutingPolicy::ecmp && s.routing.qps_per_connection == 1;
  if (!plain) add(kOverRoceEcmp, joined(roce, {"routing.policy=ecmp", "transport.qps_per_connection=1"}));
  if (!is_roce(s) || s.routing.policy != RoutingPolicy::adaptive)
    add(kOverRoceAdaptive, joined(roce, {"routing.policy=adaptive"}));
  if (s.transport.kind != TransportKind::infiniband)
    add(kOverInfiniband, joined(other_hardware(s, TransportKind::infiniband, catalog), {"routing.policy=adaptive"}));
}

/// How much one late collective and one slow GPU cost.
void add_disturbances(std::vector<Trial>& out) {
  out.push_back({.kind = kJitter,
                 .change = "the last call of every collective of the first stage begins 100 µs late",
                 .set = {"jitter.delay=100 us", "jitter.which=last", "jitter.ranks=[0]"},
                 .is_advice = false});
  out.push_back({.kind = kStraggler,
                 .change = "in every stage a GPU computes 5 % slower, and all wait for it",
                 .set = {"training.straggler=0.05"},
                 .is_advice = false});
}

}  // namespace

std::vector<Trial> trials_for(const Scenario& scenario, const Catalog& catalog) {
  std::vector<Trial> out = levers_for(scenario, catalog);
  if (scenario.engine.fidelity == Fidelity::flow) add_transports(scenario, catalog, out);
  add_disturbances(out);
  return out;
}

}  // namespace railyard
