// How long tokens take to their experts and back on a scenario's machines, by the kernels of DeepEP (docs/models.md, exchange
// of experts): links from the catalog, NICs as an engine measures them on the fabric.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "catalog/catalog.h"
#include "collective/expert_exchange.h"
#include "plan/scenario.h"
#include "tools/experts/request.h"

namespace railyard {

/// What is exchanged, every number resolved.
struct ExpertsSetting {
  std::uint32_t tokens = 0, hidden = 0, experts = 0, top_k = 0;
  std::uint32_t node_limit = 0;  // nodes one token goes to at most; 0: any number, as always when decoding
  bool low_latency = false, fp8_dispatch = true;
  std::string model;          // whose figures stand where none were asked for
  ExchangeFact kernels = {};  // those of DeepEP; resolve() leaves them to exchange_experts()
};

/// One size of the group.
struct ExpertsPoint {
  std::uint32_t ranks = 0, nodes = 0;
  double nic = 0;  // bytes per second a GPU sends to other nodes when all do; 0 on one node
  ExchangeEstimate dispatch, combine;
};

struct ExpertsTable {
  std::string name;  // of the scenario
  ExpertsSetting setting;
  double link = 0;  // bytes per second of a GPU's scale-up links
  std::vector<ExpertsPoint> points;
  Diagnostics diagnostics;  // warnings
};

/// What was asked for, else what the scenario's model of experts says, else what DeepSeek-V3 has; tokens as in DeepEP's tests.
ExpertsSetting resolve(const ExpertsRequest& request, const Scenario& scenario);

/// Seats groups as the scenario places ranks and measures the network between their nodes. Refuses groups the cluster does not
/// have or that lie unevenly on its nodes, experts that cannot be dealt over them, GPUs without scale-up links.
Result<ExpertsTable> exchange_experts(const ExpertsRequest& request, const Scenario& scenario, const Catalog& catalog);

}  // namespace railyard
