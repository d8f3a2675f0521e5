// What ports sent by some instant. The packet engine counts a packet once its first bit is on the wire, and pause frames once
// they are due: what a line cannot carry within a sample goes out in those that follow.
#pragma once

#include <vector>

#include "fabric/fabric.h"
#include "telemetry/packets.h"

namespace railyard {

/// Bytes that left in each sample of the series, in order: as early as the line lets them.
std::vector<double> sent_by_sample(const PortSeries& series, PortId port, BitsPerSecond rate);

/// Bytes that every port sent until `end`. What it sent later (the last ACKs, what is sent again after the last delivery) is
/// left out, and what a run's end cuts off.
Table<PortId, double> sent_until(const Fabric& fabric, const PacketRecord& packets, Picoseconds end);

}  // namespace railyard
