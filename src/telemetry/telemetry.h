// What an engine observed, as columns. Engines append, everything downstream reads; no module does both.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/fingerprint.h"
#include "base/id.h"
#include "base/stats.h"
#include "base/units.h"
#include "telemetry/flow_series.h"
#include "telemetry/packets.h"
#include "telemetry/timeline.h"

namespace railyard {

inline constexpr std::size_t kMaxRateIntervals = std::size_t{1} << 20;  // of one run: 64 MB

struct Telemetry {
  explicit Telemetry(std::size_t trunks) : trunk_carried(trunks), trunk_path_time(trunks) {}

  /// Keeps what every port carried, too: engines do so where flows stay on one path.
  void count_ports(std::size_t ports) { port_carried = Table<PortId, Bytes>(ports); }

  std::uint64_t messages = 0;           // delivered
  Bytes payload;                        // delivered, without headers
  Histogram message_time;               // picoseconds from post to delivery
  Table<TrunkId, Bytes> trunk_carried;  // wire bytes, accumulated in place: a counter costs one add, never a call
  Table<PortId, Bytes> port_carried;    // the same port by port; empty where equal paths share perfectly

  /// Share of the port-time of a trunk in which it had light, where circuits change; empty where nothing does.
  std::vector<double> trunk_lit;

  /// The longest time any one queue pair needs on a port of this trunk, where that port is the slowest on its way: one
  /// connection follows one path, however wide the trunk is.
  Table<TrunkId, Picoseconds> trunk_path_time;

  /// Bits per second on every tier (fabric/fabric.h), all its links together. Empty where an engine does not look.
  Timeline tier_rate;
  /// The link of every tier that carried most over the whole run, and its bits over time; ports, or trunks where equal paths
  /// share perfectly.
  struct Busiest {
    std::size_t tier = 0;
    std::uint32_t link = 0;
    bool is_trunk = false;
    BitsPerSecond rate;  // of the link
    Bytes carried;
    std::vector<double> bits;  // by bin of tier_rate; empty where there were too many flows to follow
  };
  std::vector<Busiest> busiest;

  /// What single flows sent over time. Empty where nobody asked, where there are too many, and of engines that do not look.
  bool keeps_flow_series = false;
  std::optional<FlowSeries> flow_series;

  /// A time in which part of a message had one rate.
  struct RateInterval {
    QpId connection;
    std::uint32_t flow = 0;  // of it: edges that advance together; 0 where all do
    Picoseconds posted;      // the message, which may have waited for others of its connection
    Picoseconds begin, end;
    double bps = 0;  // on the busiest edge
  };
  std::vector<RateInterval> rate_intervals;  // of flows, by end
  std::size_t max_rate_intervals = 0;        // that are kept; 0: nobody asks for them
  bool has_all_rate_intervals = true;

  /// What a solver of rates did.
  struct Solving {
    std::uint64_t changes = 0;  // instants at which the set of flows changed
    std::uint64_t solves = 0;   // of them, those that were solved and not remembered
    std::uint64_t merged = 0;   // completions that did not get a change of their own
    std::uint64_t late = 0;     // changes of rates that waited for others (docs/models.md, merged changes of rates)
    std::size_t flows = 0;      // that can be told apart
    std::size_t most_active = 0;
    Picoseconds error;  // merging moves no completion by more (docs/models.md, quantised flows)
  };
  Solving solving;

  /// What single packets did, where an engine moves them.
  std::optional<PacketRecord> packets;

  /// Every delivery as it happens, where somebody asked for it.
  struct Flow {
    EndpointId from, to;
    Picoseconds start, finish;
    Bytes payload;
    std::span<const std::uint32_t> links;  // ports, or trunks where equal paths share perfectly
  };
  std::function<void(const Flow&)> on_flow;

  /// Over (message, time) of every delivery, in order. Equal runs have equal fingerprints.
  Fingerprint fingerprint;

  /// Counts a message of `size` that was posted at `posted` and is delivered at `at`.
  void deliver(std::uint32_t message, Bytes size, Picoseconds posted, Picoseconds at) {
    messages++;
    payload += size;
    message_time.add((at - posted).count());
    const std::uint64_t words[] = {message, static_cast<std::uint64_t>(at.count())};
    fingerprint.add(words);
  }
};

}  // namespace railyard
