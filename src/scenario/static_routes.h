// Next hops that somebody has set by hand: [routing.static].
#pragma once

#include <string>
#include <vector>

#include "base/complaints.h"
#include "base/document.h"

namespace railyard {

/// What a switch does with packets to a GPU, or to all GPUs under a leaf, whatever routing would have it do. Nodes are named as
/// reports name them: "leaf 3", "gpu 5", and in a drawing as it does.
struct StaticRouteSpec {
  std::string at, to, via;
  SourceSpan where;
};

/// Reads [routing.static]: "leaf 3 to gpu 5" = "spine 1".
void read_static_routes(const Document& table, std::vector<StaticRouteSpec>& routes, Complaints& complaints);

}  // namespace railyard
