// What single packets met: pauses, marks, drops, queues and buffers, by port, tier and switch.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/packets/counters_results.h"
#include "analysis/packets/failure_effects.h"
#include "analysis/packets/pause_tree.h"
#include "analysis/packets/queue_series.h"
#include "base/stats.h"
#include "fabric/fabric.h"
#include "telemetry/packets.h"

namespace railyard {

/// "buffer", "headroom", …
std::string_view name_of(DropReason reason);

/// One port and its queues.
struct PortRow {
  std::string name;
  Bytes carried, deepest;
  double mean_backlog = 0;  // bytes, over the whole time
  double utilisation = 0;
  std::uint64_t pauses = 0, marked = 0, dropped = 0;
  double paused_us = 0;
};

/// All ports of one tier.
struct PacketTier {
  std::string name;
  std::uint32_t ports = 0;
  std::uint64_t packets = 0, pauses = 0, marked = 0, dropped = 0;
  Bytes carried;
  double mean_utilisation = 0, peak_utilisation = 0;
  double paused_us = 0;  // of all of them together
  Bytes deepest;         // queue of any
  Bytes buffered_most;   // of the switch at the far end, for what came in over one of them
  Bytes headroom_most;
};

/// Queues of one class, at all ports.
struct QueueRow {
  std::string name = {};
  std::uint32_t priority = 0;
  bool is_lossless = false;
  std::vector<std::string> carries = {};  // classes that wait in it
  std::uint64_t marked = 0, dropped = 0;  // by switches
  std::uint64_t pauses = 0;               // times that one was stopped
  double paused_us = 0;                   // of all of them together
};

/// What waits at a switch of a scheduled fabric for credit of a port.
struct VirtualQueueRow {
  std::string at, port;
  Bytes deepest;
};

/// Watermarks of the buffers of switches of one kind.
struct BufferRow {
  std::string kind;
  std::uint32_t switches = 0;
  Bytes most = {}, mean = {};  // of the fullest; over all of them
};

/// Backlog that data packets found at switches, in bytes; the packet engine counts by powers of two, so that quantiles are
/// known to a factor of two, from below. None found more than the deepest queue.
struct DepthSpread {
  std::uint64_t packets = 0;
  std::int64_t p50 = 0, p90 = 0, p99 = 0, p999 = 0, max = 0;
  std::vector<Histogram::Bucket> buckets = {};
};

/// A node of the pause tree in words; those below it follow.
struct PauseLine {
  std::string name;
  std::uint32_t depth = 0;
  std::uint64_t pauses = 0;
  double first_us = 0;
  std::uint64_t left_out = 0;  // children that are not shown
};

/// The roots with most pauses and below each the ports with most, depth first.
struct PauseLines {
  std::vector<PauseLine> lines;
  std::uint64_t roots_left_out = 0;
};

/// Ports that stand still.
struct StandstillRow {
  double at_us = 0;
  bool is_cycle = false;
  std::vector<std::string> ports;  // each waits for the next
};

struct PacketResults {
  std::uint64_t hops = 0, data_hops = 0;
  std::uint64_t pauses = 0, resumes = 0, storms = 0;
  double paused_us = 0;
  std::string first_port = {},
              first_paused = {};  // whose queue (or which host) sent the first pause, and to whom; empty without one
  double first_us = 0;
  std::uint64_t marked = 0, cnp_sent = 0, cnp_handled = 0;
  std::uint64_t drops = 0;
  std::array<std::uint64_t, kDropReasons> drops_by_reason = {};
  std::uint64_t retransmissions = 0, naks = 0, timeouts = 0, acks = 0;
  std::vector<PacketTier> tiers = {};
  std::vector<BufferRow> buffers = {};
  std::vector<QueueRow> queues = {};  // of [traffic]
  DepthSpread depth = {};
  std::vector<PortRow> deepest_ports = {}, paused_ports = {};  // a handful each; those that had any
  std::uint64_t virtual_queues = 0;                            // in which something waited
  std::vector<VirtualQueueRow> deepest_virtual_queues = {};
  PauseTree tree = {};
  PauseLines pauses_in_short = {}, pauses_in_full = {};  // a screen of them; up to a thousand
  std::vector<StandstillRow> standstills = {};
  QueueSeries over_time = {};
  std::uint64_t broken = 0;   // queue pairs given up
  std::uint64_t trimmed = 0;  // packets cut down to their headers
  bool by_credits = false;    // ports wait for credits: then pauses of ports are such waits, and nobody is paused
  std::uint64_t credit_stalls = 0;
  double stalled_us = 0;
  std::optional<FailureEffects> failures = {};  // where links failed
  CounterResults counters = {};
};

/// A part of a run.
struct TimeWindow {
  Picoseconds from, until;
  [[nodiscard]] Picoseconds length() const { return until - from; }
};

/// Use of ports is what they sent until the end of `window`, over its length; counters are those of the whole run.
PacketResults analyse_packets(const Fabric& fabric, const PacketRecord& packets, TimeWindow window);

PauseLines pause_lines(const Fabric& fabric, const PauseTree& tree, std::size_t most_children, std::size_t most_lines);

/// Quantiles of a histogram: the upper end of the bucket that holds them, and never more than the largest value.
DepthSpread depth_spread(const Histogram& depth);

}  // namespace railyard
