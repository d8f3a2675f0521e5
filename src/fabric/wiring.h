// How many of what a fabric consists of: from the few numbers a scenario gives to every count, or what is short.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "plan/fabric_plan.h"
#include "plan/given_keys.h"

namespace railyard {

/// Counts of a structured fabric. Switches of a tier are those of one block (fabric.h).
struct Wiring {
  std::uint32_t rails = 1;                     // leaf blocks of a group: interface i of a server goes to leaf i mod rails
  bool rail_spines = false;                    // spines join leaves of one rail only
  std::uint32_t per_leaf = 0;                  // interfaces under a leaf block, at most
  std::uint32_t full_leaves = 0, less = 0;     // leaf blocks (of a rail) that have as many; how many fewer the others have
  std::uint32_t leaves = 0, tors = 1;          // blocks; switches of each
  std::uint32_t uplinks = 0;                   // of one leaf switch
  std::uint32_t leaves_per_pod = 0, pods = 1;  // leaf blocks; spine blocks, none if there is one leaf
  std::uint32_t spines = 0, leaf_planes = 1;   // of a pod
  std::uint32_t links_per_spine = 0;           // from a leaf switch
  std::uint32_t spine_uplinks = 0;             // of one spine, to cores or circuits
  std::uint32_t cores = 0, core_planes = 1, links_per_core = 0;

  /// Which leaf block (of its rail) the nth interface (of that rail) is under.
  [[nodiscard]] std::uint32_t leaf_of(std::uint32_t nth) const {
    const std::uint32_t in_full = full_leaves * per_leaf;
    return nth < in_full ? nth / per_leaf : full_leaves + (nth - in_full) / (per_leaf - less);
  }
  [[nodiscard]] std::uint32_t switches() const { return leaves * tors + pods * spines + cores; }
};

/// A hybrid fabric has two: the main part and the island.
struct Islands {
  Wiring main, island;
  std::uint32_t main_endpoints = 0;
};

/// Where nobody says how many hosts a leaf has, there are as few leaves as the radix allows, and servers are spread evenly over
/// them; a leaf has as many uplinks as those servers take at the ratio asked for, or the few more that save spines.
/// REQUIRES: neither "file" nor "hybrid".
Result<Wiring> wire(const FabricPlan& plan, const GivenKeys& keys);
Result<Islands> wire_islands(const FabricPlan& plan, const GivenKeys& keys);

/// Reported at the key of `keys` that the command line set, else at the first that was written, else at [fabric].
Diagnostic fabric_error(const GivenKeys& keys, const char* code, std::initializer_list<const char*> candidates,
                        std::string message, std::string hint);

}  // namespace railyard
