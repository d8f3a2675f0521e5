// The parts of a timeline, each a group of tracks (run_timeline.h).
#pragma once

#include "analysis/step/network_results.h"
#include "export/trace_events.h"
#include "export/transfer_log.h"
#include "sim/run.h"

namespace railyard {

/// A track for every stage: its passes and what comes after them; arrows to the stage that waits for a pass.
void add_stages(const StepRun& run, TraceEvents& events);

/// Of a training step: tracks by stage and kind of group, one more where transfers overlap.
void add_step_transfers(const TransferLog& log, TraceEvents& events);

/// Between GPUs, of collectives and of other traffic: what each sends and receives, and arrows from one to the other.
void add_gpu_transfers(const TransferLog& log, TraceEvents& events);
/// The same as the packet engine tells it.
void add_gpu_transfers(std::string_view title, const std::vector<MessageRecord>& messages, TraceEvents& events);

/// How full each tier is, and its busiest link.
void add_tier_counters(const NetworkResults& network, TraceEvents& events);

/// Rate, backlog and pauses of every port that had any backlog, and what congestion control allows; `begin`: of the packets.
void add_queue_counters(std::string_view title, const Fabric& fabric, const PacketRecord& packets, Picoseconds begin,
                        Picoseconds time, TraceEvents& events);

}  // namespace railyard
