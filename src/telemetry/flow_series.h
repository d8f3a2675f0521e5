// What single flows sent over time and which links they crossed, where they are few: what any one link carried when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/units.h"
#include "telemetry/timeline.h"

namespace railyard {

/// Flows for as long as all of them kept their paths.
struct FlowSpell {
  static constexpr std::size_t kMostBins = 128;

  Picoseconds from, until;          // all of it was sent in this time
  Picoseconds width;                // of a bin; the first begins with the run
  std::size_t bins = 0;             // up to the last time something was sent
  std::vector<double> bits;         // by flow and bin
  std::vector<std::size_t> first;   // by flow, and their number: into
  std::vector<std::uint32_t> link;  // ports, or trunks where equal paths share perfectly
  std::vector<double> share;        // of the flow's bits that cross it; empty where all of them do
  [[nodiscard]] std::size_t flows() const { return first.empty() ? 0 : first.size() - 1; }
};

/// By time; what was sent in one of them was sent on its paths. Bounded: at most 4,096 flows, and 2^21 links that they cross.
using FlowSeries = std::vector<FlowSpell>;
inline constexpr std::size_t kMostFollowedFlows = 4096, kMostFollowedLinks = std::size_t{1} << 21;

/// The rows of a timeline, in bins that are joined until there are at most FlowSpell::kMostBins; without links.
FlowSpell spell_of(const Timeline& flows, Picoseconds from, Picoseconds until);

}  // namespace railyard
