// Everything one run produced, stage by stage, and what whoever runs it may choose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/wire.h"
#include "fabric/ecmp.h"
#include "fabric/fabric.h"
#include "fabric/placement.h"
#include "sim/collective/collective_run.h"
#include "sim/packet_memory.h"
#include "sim/slice/slice_plan.h"
#include "sim/slice/slice_run.h"
#include "sim/step/packet_step.h"
#include "sim/step/step_run.h"
#include "sim/trace/trace_run.h"
#include "sim/traffic/traffic_run.h"
#include "telemetry/telemetry.h"

namespace railyard {

struct Run {
  std::optional<StepRun> training;
  std::optional<Telemetry> network;  // of a training step that was played over one
  Fabric fabric;
  Placement placement;
  WireFormat wire;
  PathPolicy routing;
  std::vector<CollectiveRun> collectives;
  std::optional<TrafficRun> traffic = {};  // of [traffic], or of a trace: its messages
  std::optional<TraceRun> trace = {};
  std::optional<SliceRun> slice = {};       // of the training step
  std::optional<PacketStep> packets = {};   // of a training step that was played packet by packet as a whole
  std::optional<CarriedStep> carried = {};  // the same, played over a network: every collective on it
  Diagnostics diagnostics;                  // warnings and notes; errors prevent a Run
  std::string fingerprint;
};

struct RunOptions {
  unsigned threads = 0;   // 0: as many as the machine has; the result does not depend on it
  FlowSink on_flow = {};  // every transfer of the flow engine as it ends, of the packet engine in the same order at the end
  Bytes memory = kMemoryLimit;  // that a run may need
  bool dry = false;             // stop where the engine would start: what is refused, and warnings
  PacketTap* tap = nullptr;     // told of frames on wires, where one packet run is all there is (traffic, one collective)
  std::uint64_t kept_messages = kKeptMessages;  // of a trace without packets; of more than these there are sums alone
  bool brief = false;                           // how long a step takes, and not what of that the network costs
};

}  // namespace railyard
