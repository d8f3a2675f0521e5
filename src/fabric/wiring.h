// How many of what a fabric consists of: from the few numbers a scenario gives to every count, or what is short.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "plan/fabric_plan.h"
#include "plan/given_keys.h"

namespace railyard {

/// Counts of a structured fabric. Switches of a tier are those of one block (fabric.h).
struct Wiring {
  bool rails = false;                          // interface i of a server goes to leaf i of its group
  bool rail_spines = false;                    // spines join leaves of one rail only
  std::uint32_t per_leaf = 0;                  // interfaces under a leaf block
  std::uint32_t leaves = 0, tors = 1;          // blocks; switches of each
  std::uint32_t uplinks = 0;                   // of one leaf switch
  std::uint32_t leaves_per_pod = 0, pods = 1;  // leaf blocks; spine blocks, none if there is one leaf
  std::uint32_t spines = 0, leaf_planes = 1;   // of a pod
  std::uint32_t links_per_spine = 0;           // from a leaf switch
  std::uint32_t spine_uplinks = 0;             // of one spine, to cores or circuits
  std::uint32_t cores = 0, core_planes = 1, links_per_core = 0;
};

/// A hybrid fabric has two: the main part and the island.
struct Islands {
  Wiring main, island;
  std::uint32_t main_endpoints = 0;
};

/// REQUIRES: neither "file" nor "hybrid".
Result<Wiring> wire(const FabricPlan& plan, const GivenKeys& keys);
Result<Islands> wire_islands(const FabricPlan& plan, const GivenKeys& keys);

/// Reported at the key of `keys` that the command line set, else at the first that was written, else at [fabric].
Diagnostic fabric_error(const GivenKeys& keys, const char* code, std::initializer_list<const char*> candidates,
                        std::string message, std::string hint);

}  // namespace railyard
