#include "fabric/build.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/assemble.h"
#include "fabric/drawn.h"
#include "fabric/wiring.h"

namespace railyard {

namespace {

using Matching = std::vector<std::vector<std::uint32_t>>;

void join(Matching& matching, std::size_t a, std::size_t b, std::uint32_t circuits) {
  if (a == b) return;
  matching[a][b] += circuits;
  matching[b][a] += circuits;
}

/// A ring of pods: half of the circuits to either neighbour.
Matching ring_of(std::size_t pods, std::uint32_t per_switch) {
  Matching matching(pods, std::vector<std::uint32_t>(pods, 0));
  if (pods == 2) {
    join(matching, 0, 1, per_switch);
    return matching;
  }
  for (std::size_t pod = 0; pod < pods; pod++) join(matching, pod, (pod + 1) % pods, std::max(1U, per_switch / 2));
  return matching;
}

/// As many to every other pod.
Matching uniform(std::size_t pods, std::uint32_t per_switch) {
  Matching matching(pods, std::vector<std::uint32_t>(pods, 0));
  const auto each = static_cast<std::uint32_t>(per_switch / (pods - 1));
  for (std::size_t a = 0; a < pods; a++)
    for (std::size_t b = a + 1; b < pods; b++) join(matching, a, b, each);
  return matching;
}

/// A ring keeps everybody within reach; what is left goes, circuit by circuit, to the pair with most bytes per circuit.
Matching by_demand(std::size_t pods, std::uint32_t per_switch, const PodDemand& demand) {
  Matching matching = ring_of(pods, std::min(per_switch, 2U));
  std::vector<std::uint32_t> left(pods);
  for (std::size_t pod = 0; pod < pods; pod++) {
    std::uint32_t used = 0;
    for (const std::uint32_t circuits : matching[pod]) used += circuits;
    left[pod] = per_switch - std::min(per_switch, used);
  }
  while (true) {
    std::size_t best_a = 0, best_b = 0;
    double most = 0;
    for (std::size_t a = 0; a < pods; a++)
      for (std::size_t b = a + 1; b < pods; b++) {
        const double bytes = std::max(demand[a][b], demand[b][a]) / (matching[a][b] + 1);
        if (left[a] > 0 && left[b] > 0 && bytes > most) most = bytes, best_a = a, best_b = b;
      }
    if (most <= 0) return matching;
    join(matching, best_a, best_b, 1);
    left[best_a]--;
    left[best_b]--;
  }
}

Picoseconds circuit_delay(const FabricPlan& plan) { return plan.delay_above_spines() + plan.switch_latency; }

Result<Fabric> optical(const FabricPlan& plan, const GivenKeys& keys, const Wiring& wiring) {
  Fabric fabric = assemble(plan, wiring);
  if (wiring.pods == 1) {
    fabric.pods.clear();
    return fabric;
  }
  const bool all = plan.circuits == Circuits::uniform;
  const std::uint32_t needed = all ? wiring.pods - 1 : wiring.pods == 2 ? 1 : 2;
  if (wiring.spine_uplinks < needed || (all && wiring.spine_uplinks % needed != 0))
    return fabric_error(
        keys, "RY-FAB-012", {"fabric.circuits", "fabric.oversubscription", "fabric.hosts_per_pod"},
        fmt::format("{} circuits per spine cannot be split evenly over {} other pods", wiring.spine_uplinks, wiring.pods - 1),
        all ? fmt::format("use a multiple of {}, or circuits = \"ring\" or \"demand\"", needed)
            : fmt::format("a ring of pods needs at least {} of each spine", needed));
  set_circuits(fabric, all ? uniform(wiring.pods, wiring.spine_uplinks) : ring_of(wiring.pods, wiring.spine_uplinks),
               plan.core_rate, circuit_delay(plan), plan.delay_above_spines());
  return fabric;
}

/// Every spine of one site is joined to its counterpart in the other.
Fabric two_sites(const FabricPlan& plan, const Wiring& wiring) {
  Fabric fabric = assemble(plan, wiring);
  set_circuits(fabric, uniform(2, wiring.spine_uplinks), plan.core_rate, circuit_delay(plan), plan.delay_above_spines());
  return fabric;
}

}  // namespace

Result<Fabric> build_fabric(const FabricPlan& plan, const GivenKeys& keys) {
  const Topology topology = plan.topology;
  if (topology == Topology::file) return draw_fabric(plan, keys);
  if (topology == Topology::hybrid) {
    const Result<Islands> islands = wire_islands(plan, keys);
    if (!islands) return islands.error();
    return assemble(plan, *islands);
  }
  const Result<Wiring> wiring = wire(plan, keys);
  if (!wiring) return wiring.error();
  if (topology == Topology::optical) return optical(plan, keys, *wiring);
  if (topology == Topology::two_site) return two_sites(plan, *wiring);
  return assemble(plan, *wiring);
}

void match_circuits(Fabric& fabric, const FabricPlan& plan, const PodDemand& demand) {
  match_circuits(fabric, plan, demand, demand);
}

void match_circuits(Fabric& fabric, const FabricPlan& plan, const PodDemand& passes, const PodDemand& gradients) {
  const std::size_t pods = fabric.pods.size();
  if (pods < 2) return;
  const Result<Wiring> wiring = wire(plan, {});
  RY_CHECK(wiring.has_value() && passes.size() == pods && gradients.size() == pods,
           "a fabric that was built can be wired again");
  Fabric again = assemble(plan, *wiring);  // trunks of earlier circuits go with the fabric that had them
  const Matching first = by_demand(pods, wiring->spine_uplinks, passes);
  const Matching second = by_demand(pods, wiring->spine_uplinks, gradients);
  if (first == second)
    set_circuits(again, first, plan.core_rate, circuit_delay(plan), plan.delay_above_spines());
  else
    set_changing_circuits(again, first, second, plan.core_rate, circuit_delay(plan), plan.delay_above_spines());
  fabric = std::move(again);
}

}  // namespace railyard
