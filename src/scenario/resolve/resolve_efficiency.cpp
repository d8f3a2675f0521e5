#include "scenario/resolve/resolve_efficiency.h"

#include <fmt/format.h>

namespace railyard {

namespace {

using Calibration = Entry<TransportFact>;

constexpr const char* kLeftOut =
    "what congestion control loses is left out, for every transport alike; engine.calibrated = true takes what packets lose";

/// How much alike the settings of an entry and of a scenario are: 2 the same policy, 1 flows keep to one path in both or in
/// neither, 0 nothing.
int likeness(const Calibration& entry, RoutingPolicy policy) {
  const auto one_path = [](std::string_view name) {
    return name == name_of(RoutingPolicy::ecmp) || name == name_of(RoutingPolicy::enhanced_ecmp) ||
           name == name_of(RoutingPolicy::pinned);
  };
  if (entry.fact.policy == name_of(policy)) return 2;
  return one_path(entry.fact.policy) == one_path(name_of(policy)) ? 1 : 0;
}

/// The first of the most alike; none if the transport was never calibrated.
const Calibration* nearest_entry(const Scenario& scenario, const Catalog& catalog) {
  const Calibration* nearest = nullptr;
  for (const Calibration& entry : catalog.transports.entries()) {
    if (entry.fact.kind != scenario.transport.kind) continue;
    if (!nearest || likeness(entry, scenario.routing.policy) > likeness(*nearest, scenario.routing.policy)) nearest = &entry;
  }
  return nearest;
}

/// An entry for other settings than the scenario's is an assumption about those.
Origin origin_of(const Calibration& entry, const Scenario& scenario) {
  const std::string control(name_of(scenario.transport.control)), policy(name_of(scenario.routing.policy));
  if (entry.fact.policy == policy && entry.fact.control == control)
    return {entry.origin_of("efficiency").status, entry.name + ": " + entry.origin_of("efficiency").source};
  return {Status::assumed, fmt::format("as {}, which stands for {} with {}, not {} with {}", entry.name, entry.fact.policy,
                                       entry.fact.control, policy, control)};
}

/// The share of line rate that large collectives of a step reach was set over RoCE packets of 4 KiB: over others it differs by
/// what headers leave to payload.
void fit_share_to_headers(Scenario& out) {
  const Bytes usual = TransportPlan{}.mtu, usual_packet = usual + kRoceHeader;
  const Bytes mtu = out.transport.mtu, packet = mtu + out.transport.header;
  const auto ours = static_cast<double>(mtu.count() * usual_packet.count());
  const auto reference = static_cast<double>(usual.count() * packet.count());
  if (ours == reference) return;
  double& share = out.workload.gpu->step.scale_out_share;
  share *= ours / reference;
  out.inputs.push_back(
      {"scale_out_share",
       fmt::format("{:.4g}", share),
       {Status::estimated, fmt::format("that of RoCE over packets of 4 KiB, times what headers leave to payload: "
                                       "{} of {} bytes here, {} of {} there",
                                       mtu.count(), packet.count(), usual.count(), usual_packet.count())}});
}

}  // namespace

void resolve_efficiency(const ScenarioSpec& spec, const Catalog& catalog, Scenario& out) {
  if (out.workload.gpu) fit_share_to_headers(out);
  const bool flows = out.engine.fidelity == Fidelity::flow || (out.engine.fidelity == Fidelity::packet && out.workload.model);
  if (!flows || spec.engine.efficiency) return;
  // For all transports or for none, so that they can be compared: results are held against measurements without it, and what a
  // step or a library loses on real networks is in its constants already (docs/models.md).
  if (!spec.engine.calibrated) {
    out.inputs.push_back({"engine.efficiency", "1", {Status::assumed, kLeftOut}});
    return;
  }
  const Calibration* entry = nearest_entry(out, catalog);
  if (!entry) return;
  out.engine.efficiency = entry->fact.efficiency;
  out.inputs.push_back({"engine.efficiency", fmt::format("{}", out.engine.efficiency), origin_of(*entry, out)});
}

}  // namespace railyard
