// From a scenario to a fabric.
#pragma once

#include "base/result.h"
#include "fabric/fabric.h"
#include "plan/fabric_plan.h"
#include "plan/given_keys.h"

namespace railyard {

/// Builds the fabric that `scenario` describes; one that cannot be wired says what is short.
Result<Fabric> build_fabric(const FabricPlan& plan, const GivenKeys& keys);

/// Whether circuits are given to the pods that send most.
constexpr bool follow_demand(Circuits circuits) { return circuits == Circuits::demand || circuits == Circuits::phases; }

/// Bytes between pods, by pod.
using PodDemand = std::vector<std::vector<double>>;

/// Gives the circuits of an optical fabric to the pairs of pods that have most to say to each other, as reconfiguration between
/// two phases of a job would: every pod keeps its number of circuits, and a ring of them so that all stay within reach.
void match_circuits(Fabric& fabric, const FabricPlan& plan, const PodDemand& demand);

/// The same for circuits that change while a step runs: as its passes want them, and as its gradients do. Where both want the
/// same nothing changes.
void match_circuits(Fabric& fabric, const FabricPlan& plan, const PodDemand& passes, const PodDemand& gradients);

}  // namespace railyard
