// Which server of a fabric every node of a scheduler's list is.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "fabric/fabric.h"
#include "scheduler/cluster_nodes.h"

namespace railyard {

struct MatchedNodes {
  std::vector<std::string> names;           // by server; empty where the list has no node
  std::vector<std::uint32_t> free;          // servers, in the scheduler's order
  std::map<std::string, std::size_t> busy;  // nodes that are not free, by state
  std::string how;                          // nodes were matched, in a sentence
  Diagnostics warnings;                     // what was assumed
};

/// Servers of a fabric.
[[nodiscard]] std::uint32_t server_count(const Fabric& fabric);

/// By switches where the list tells them: leaves in natural order are leaves of the fabric, pod by pod. Else in natural order
/// of names, where the list has as many nodes as the fabric has servers; by the number in their names where it has fewer.
/// Refuses nodes that the fabric has no server for.
Result<MatchedNodes> match_nodes(const ListedNodes& list, const Fabric& fabric);

}  // namespace railyard
