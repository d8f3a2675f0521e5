// Whether what waits in a trace is ever let go.
#pragma once

#include "trace/graph.h"

namespace railyard {

/// The first node that never begins, or that others never join, because some wait for each other in a circle; none if all end.
TraceNodeId first_in_circle(const TraceGraph& graph);

}  // namespace railyard
