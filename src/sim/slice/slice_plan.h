// Which part of a training step is played packet by packet: [slice].
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/engine.h"
#include "fabric/placement.h"
#include "plan/scenario.h"
#include "sim/collective/network_rates.h"
#include "sim/flow_record.h"
#include "sim/pieces.h"

namespace railyard {

/// A step as the flow engine carried it: every collective on the network, and over which edges each connection goes.
struct CarriedStep {
  std::vector<FlowRecord> collectives;  // in the order in which they ended
  std::vector<Bundle> bundles;          // by connection
};

/// What one collective sends over one edge.
struct SlicedEdge {
  std::uint32_t line = 0;  // index into SlicePlan::lines
  RingPlace place = {};    // among edges of the same collective
  Bytes bytes;             // of the whole collective
};

/// A collective that packets carry, in part or as a whole.
struct SlicedCollective {
  std::string_view what, group;
  std::uint32_t stage = 0;
  Picoseconds start, end;   // on the network, in the flow engine
  Pieces pieces = {};       // of every edge
  std::uint32_t first = 0;  // those before the slice begins
  std::vector<SlicedEdge> edges = {};

  /// Piece `i` of an edge.
  [[nodiscard]] Bytes piece(const SlicedEdge& edge, std::uint32_t i) const { return pieces.piece(edge.bytes, i); }
  /// The first `count` pieces of an edge.
  [[nodiscard]] Bytes up_to(const SlicedEdge& edge, std::uint32_t count) const { return pieces.up_to(edge.bytes, count); }
  /// The share of its time in the flow engine that lies in a window.
  [[nodiscard]] double fraction_within(Picoseconds from, Picoseconds to) const;
};

struct SlicePlan {
  Picoseconds from, to;                       // of the step
  std::vector<std::string_view> names;        // of what was selected, in alphabetical order
  std::vector<QueuePair> lines;               // that packets go over, numbered as the flow engine has them
  std::vector<SlicedCollective> collectives;  // by start
  std::vector<BitsPerSecond> taken;           // by port: the mean rate of what was not selected; empty where there is none
  std::uint64_t others = 0;                   // collectives in the window that were not selected, or not as a whole
  std::uint64_t packets = 0;                  // of data that the flow engine would have sent in the window
  std::vector<PortChange> failures;           // in the window, from its beginning
  std::vector<HostFault> host_faults;         // likewise
  bool has_failures = false;                  // one of them is where packets of the slice could go
};

/// Picks what the scenario's [slice] names. Selected are collectives by name, and of them the groups that have one of the
/// ranks. Without a name and a time it is what moves most bytes, from where that first starts; without a time, from where what
/// is named first starts. Everything else in that window is background: its bytes, at the mean rate of each collective, over
/// the ports of its paths. Refuses a slice that has nothing in it, and one with more packets than can be played.
Result<SlicePlan> plan_slice(const Scenario& scenario, const Network& network, const Placement& placement,
                             const CarriedStep& step);

}  // namespace railyard
