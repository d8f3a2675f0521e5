// Reads [routing.static]: next hops that somebody has set by hand.
#pragma once

#include <vector>

#include "base/complaints.h"
#include "base/document.h"
#include "plan/routing_plan.h"

namespace railyard {

/// "leaf 3 to gpu 5" = "spine 1".
void read_static_routes(const Document& table, std::vector<StaticRoute>& routes, Complaints& complaints);

}  // namespace railyard
