// What ports sent by some instant. The packet engine counts a packet once its first bit is on the wire, and pause frames once
// they are due: what a line cannot carry within a sample goes out in those that follow.
#pragma once

#include <vector>

#include "fabric/fabric.h"
#include "telemetry/telemetry.h"

namespace railyard {

/// Bytes that left in each sample of the series, in order: as early as the line lets them.
std::vector<double> sent_by_sample(const PortSeries& series, PortId port, BitsPerSecond rate);

/// What left in a sample.
struct SentSpan {
  Picoseconds begin, end;
  double bytes = 0;
};
/// The same of the samples that something left in, until `end`.
std::vector<SentSpan> sent_spans(const PortSeries& series, PortId port, BitsPerSecond rate, Picoseconds end);

/// Bytes that every port sent until `end`. What it sent later (the last ACKs, what is sent again after the last delivery) is
/// left out, and what a run's end cuts off.
Table<PortId, double> sent_until(const Fabric& fabric, const PacketRecord& packets, Picoseconds end);

/// Takes from what trunks and ports carried whatever they sent after `end`, so that loads are those of the time that is
/// reported: a sender whose ACK was lost sends again what has long arrived. The record of packets keeps all.
/// REQUIRES: telemetry of packets.
void forget_sent_after(const Fabric& fabric, Picoseconds end, Telemetry& telemetry);

}  // namespace railyard
