// What an engine observed, as columns. Engines append, everything downstream reads; no module does both.
#pragma once

#include <cstdint>

#include "base/fingerprint.h"
#include "base/id.h"
#include "base/stats.h"
#include "base/units.h"

namespace railyard {

struct Telemetry {
  explicit Telemetry(std::size_t trunks) : trunk_carried(trunks), trunk_path_time(trunks) {}

  /// Keeps what every port carried, too: engines do so where flows stay on one path.
  void count_ports(std::size_t ports) { port_carried = Table<PortId, Bytes>(ports); }

  std::uint64_t messages = 0;           // delivered
  Bytes payload;                        // delivered, without headers
  Histogram message_time;               // picoseconds from post to delivery
  Table<TrunkId, Bytes> trunk_carried;  // wire bytes, accumulated in place: a counter costs one add, never a call
  Table<PortId, Bytes> port_carried;    // the same port by port; empty where equal paths share perfectly

  /// The longest time any one queue pair needs on a port of this trunk, where that port is the slowest on its way: one
  /// connection follows one path, however wide the trunk is.
  Table<TrunkId, Picoseconds> trunk_path_time;

  /// Over (message, time) of every delivery, in order. Equal runs have equal fingerprints.
  Fingerprint fingerprint;
};

}  // namespace railyard
