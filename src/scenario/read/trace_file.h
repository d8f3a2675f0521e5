// Reads the trace that a scenario names.
#pragma once

#include "base/complaints.h"
#include "scenario/read/read_file.h"
#include "scenario/read/spec.h"

namespace railyard {

/// Fills spec.trace->graph from disk, and the number of GPUs where nothing else tells it. What is wrong with the trace is
/// complained about at its own lines. `find` may lead to a copy. Without `from_disk` every trace is RY-TRC-001.
void read_trace_file(ScenarioSpec& spec, bool from_disk, const FindOnDisk& find, Complaints& complaints);

}  // namespace railyard
