// What will be run: the plans of all stages, each made from what the user wrote by scenario/resolve. Nothing past this point
// reads text; what is still filled in later is listed in docs/decisions/0018-plans.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/status.h"
#include "plan/cost_plan.h"
#include "plan/engine_plan.h"
#include "plan/fabric_plan.h"
#include "plan/failure.h"
#include "plan/given_keys.h"
#include "plan/job_plan.h"
#include "plan/packet_plan.h"
#include "plan/placement_plan.h"
#include "plan/reliability_plan.h"
#include "plan/routing_plan.h"
#include "plan/transport_plan.h"
#include "plan/workload_plan.h"

namespace railyard {

/// A number the run rests on, and how far it can be trusted.
struct Input {
  std::string key;
  std::string value;
  Origin origin;
};

struct Scenario {
  std::string name;
  WorkloadPlan workload;
  FabricPlan fabric;
  RoutingPlan routing;
  PlacementPlan placement;
  std::vector<Failure> failures;
  TransportPlan transport;
  PacketPlan packet;  // resolved where engine.fidelity is packet
  EnginePlan engine;
  std::optional<ReliabilityPlan> reliability;  // of weeks of training; a run does not read it
  std::vector<GivenPrice> prices;              // the user's own; a run reads neither these nor what follows
  CostPlan cost;                               // of whoever owns the cluster
  std::optional<JobPlan> job;                  // where it is one of several on a fabric
  std::vector<Input> inputs;                   // what the plans were made from
  GivenKeys keys;
  Diagnostics warnings;  // about keys with old names, and keys that have no effect in this run
};

}  // namespace railyard
