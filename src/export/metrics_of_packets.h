// Counters of NICs and switches over time, of a run packet by packet.
#pragma once

#include "export/metric_places.h"
#include "export/metric_set.h"
#include "fabric/fabric.h"
#include "telemetry/packets.h"

namespace railyard {

/// What things are called, and when they are.
struct MetricFrame {
  const MetricPlaces& places;
  const MetricClock& clock;
  Picoseconds until;  // what is counted after that is counted then
};

void add_packet_metrics(const Fabric& fabric, const PacketRecord& packets, const MetricFrame& frame, MetricSet& out);

}  // namespace railyard
