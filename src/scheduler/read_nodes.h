// From what a scheduler prints of a cluster to its nodes. What a text is, is told from its content:
//   sinfo           tables of `sinfo -N`, of `sinfo`, and of `sinfo -h -o "%n %t"` with any columns
//   scontrol nodes  `scontrol show nodes`
//   switches        Slurm's topology.conf, and `scontrol show topology`
//   kubectl         `kubectl get nodes`, with --show-labels, and with -o json
//   names           host names and host lists (gpu[001-128]), between blanks, commas or lines; # begins a comment
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "scheduler/cluster_nodes.h"

namespace railyard {

/// Every mistake with its line. A list without a node is one.
Result<ListedNodes> read_nodes(std::string_view text, const std::string& file);

/// Several lists as one. Where some tell states, nodes of the others alone are not free. Switches are added to nodes by name.
/// Refuses a free node that no list of switches has, where there is such a list, and names that two lists tell differently.
/// REQUIRES: at least one list.
Result<ListedNodes> merge_nodes(const std::vector<ListedNodes>& lists);

}  // namespace railyard
