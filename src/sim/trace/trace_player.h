// Plays a trace over an engine, node by node.
#pragma once

#include <memory>

#include "base/progress.h"
#include "engine/engine.h"
#include "fabric/placement.h"
#include "sim/trace/trace_messages.h"
#include "sim/trace/trace_run.h"
#include "sim/trace/trace_schedules.h"

namespace railyard {

/// How a trace's play ended.
enum class TraceEnd : std::uint8_t { done, stuck, too_long };

/// Nodes begin as soon as what they wait for is over. Computes of one stream of a rank take turns, first come, first served;
/// all else runs beside them. A send is over when its last byte has arrived, a receive when that is so and the receive has
/// begun: a message needs no receive to be sent. A collective begins when the last rank of its group is there and the group's
/// collective before it is over. Fills `run`, and tells `messages` of each as it is posted and delivered. Compute times are
/// multiplied by `compute_scale`. Advances `progress` by the number of nodes.
TraceEnd play_trace(const TraceGraph& graph, const TraceSchedules& schedules, const Placement& placement, double compute_scale,
                    Engine& engine, TraceMessages& messages, TraceRun& run, Progress& progress);

}  // namespace railyard
