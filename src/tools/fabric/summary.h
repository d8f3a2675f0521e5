// What a fabric consists of and what is short or odd about it, counted from what was built.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/bill_of_materials.h"
#include "catalog/catalog.h"
#include "fabric/fabric.h"
#include "plan/scenario.h"
#include "tools/fabric/bisection.h"
#include "tools/fabric/pairs.h"

namespace railyard {

/// All switches of one kind. Oversubscription is bandwidth down over bandwidth up of a switch; none where nothing is above.
struct SwitchTier {
  NodeKind kind = NodeKind::leaf;
  std::uint32_t switches = 0, groups = 0;  // groups of switches that serve the same hosts
  std::optional<std::uint32_t> radix;      // ports of one, where known
  std::uint32_t used_least = 0, used_most = 0;
  std::uint32_t hosts_least = 0, hosts_most = 0;  // NIC ports at a leaf switch
  std::optional<double> oversubscription_least, oversubscription_most;
};

/// Switches by what they serve, from the top of the fabric to its leaves.
std::vector<SwitchTier> count_switches(const Scenario& scenario, const Fabric& fabric);

/// "64 of 128 ports", the path people ask for it.
struct FabricSummary {
  std::string name;
  Topology topology = Topology::star;
  std::uint32_t gpus = 0, servers = 0, gpus_per_server = 1;
  double nics_per_gpu = 1;
  std::uint32_t host_nics = 0, ports_per_nic = 1, rails = 1, planes = 1, pods = 1;
  BitsPerSecond port_rate, gpu_rate;  // of one NIC port; of all that a GPU has
  ScaleUpPlan scale_up;
  std::uint32_t scale_up_switches = 0;
  std::vector<SwitchTier> switches;  // from the top
  BillOfMaterials bill_of_materials;
  Bisection bisection;
  std::vector<PairClass> pairs;  // nearest first
  bool pairs_sampled = false;
  std::vector<std::string> warnings;  // sentences
};

FabricSummary summarise(const Scenario& scenario, const Fabric& fabric, const Catalog& catalog);

/// "spine", or "switch" where a fabric has but one kind.
std::string tier_name(NodeKind kind, Topology topology);

}  // namespace railyard
