#include "tools/plan/network_space.h"

#include <fmt/format.h>

#include <algorithm>

#include "answer/parts.h"
#include "base/choice.h"
#include "base/quantity_text.h"

namespace railyard {

namespace {

constexpr TransportKind kTransports[] = {TransportKind::roce, TransportKind::infiniband, TransportKind::uec};

std::string_view spoken(TransportKind kind) {
  return kind == TransportKind::infiniband ? "InfiniBand" : kind == TransportKind::uec ? "Ultra Ethernet" : "RoCE";
}

bool speaks(const std::vector<TransportKind>& kinds, TransportKind kind) {
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

BitsPerSecond rate_of(const NicFact& nic, TransportKind kind) {
  return kind == TransportKind::infiniband ? nic.rate : nic.ethernet_rate.value_or(nic.rate);
}

/// The NIC of the scenario first. Empty where none fits.
std::string nic_for(const Scenario& scenario, TransportKind kind, BitsPerSecond rate, const Catalog& catalog) {
  const auto fits = [&](const NicFact& nic) { return speaks(nic.transports, kind) && rate_of(nic, kind) == rate; };
  if (const auto* own = catalog.nics.find(scenario.fabric.nic_model); own && fits(own->fact)) return own->name;
  for (const Entry<NicFact>& entry : catalog.nics.entries())
    if (fits(entry.fact)) return entry.name;
  return {};
}

/// How packets find their way, where nobody says otherwise.
std::vector<std::string> routing_of(TransportKind kind) {
  if (kind == TransportKind::roce) return {"routing.policy=e-ecmp", "transport.qps_per_connection=16"};
  return {kind == TransportKind::uec ? "routing.policy=spray" : "routing.policy=adaptive"};
}

AxisValue value_of(const NetworkParts& parts) {
  AxisValue value{fmt::format("{}, {}, {}", spoken(parts.transport), parts.switch_model, format(parts.rate)),
                  {fmt::format("transport.kind={}", name_of(parts.transport)), "fabric.switch=" + parts.switch_model,
                   "cluster.nic=" + parts.nic, fmt::format("fabric.link_rate={}", format_exact(parts.rate))}};
  for (const std::string& set : routing_of(parts.transport)) value.set.push_back(set);
  return value;
}

}  // namespace

std::vector<NetworkParts> network_parts(const Scenario& scenario, const Catalog& catalog) {
  std::vector<NetworkParts> out;
  const std::optional<BitsPerSecond> most = host_rate(scenario, catalog);
  for (const TransportKind kind : kTransports)
    for (const Entry<SwitchFact>& box : catalog.switches.entries()) {
      if (!speaks(box.fact.transports, kind)) continue;
      for (const BitsPerSecond rate : {box.fact.port_rate, BitsPerSecond(box.fact.port_rate.count() / 2)})
        if (most && rate > *most)
          continue;
        else if (const std::string nic = nic_for(scenario, kind, rate, catalog); !nic.empty())
          out.push_back({kind, box.name, nic, rate});
    }
  return out;
}

std::vector<std::string> without_network(const Scenario& scenario) {
  std::vector<std::string> out;
  for (const char* const section :
       {"fabric", "transport", "routing", "placement", "qos", "origins", "failures", "slice", "expect"})
    if (scenario.keys.given(section)) out.push_back(std::string(section) + "=");
  return out;
}

std::vector<Axis> network_axes(const Scenario& scenario, const Catalog& catalog) {
  Axis parts{std::string(kPartsAxis), {}};
  for (const NetworkParts& one : network_parts(scenario, catalog)) parts.values.push_back(value_of(one));
  Axis topology{"topology", {}};
  for (const Topology one : {Topology::leaf_spine, Topology::rail_optimized, Topology::clos3, Topology::rail_only})
    topology.values.push_back({std::string(name_of(one)), {fmt::format("fabric.topology={}", name_of(one))}});
  Axis thin{"oversubscription", {}};
  thin.values.push_back({"1:1, 7:1 above pods", {"fabric.oversubscription=[1, 7]"}});
  for (const int one : {1, 2, 4})
    thin.values.push_back({fmt::format("{}:1", one), {fmt::format("fabric.oversubscription={}", one)}});
  std::vector<Axis> axes;
  if (!parts.values.empty()) axes.push_back(std::move(parts));
  axes.push_back(std::move(topology)), axes.push_back(std::move(thin));
  return axes;
}

}  // namespace railyard
