// The rounds of the max-min solver: plain functions over plain arrays, without allocation, containers or exceptions. All sums
// are of whole numbers and every step holds by itself, so that flows may be taken in any order and in blocks of any size.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/units.h"

namespace railyard {

/// A flow that has no rate yet.
struct OpenFlow {
  std::int64_t level;  // the least of its links' when it last looked, kAtCap if its cap was less
  std::uint32_t link;  // one that had this level
  std::uint32_t slot;  // where its rate goes; its cap is there before
};
static_assert(sizeof(OpenFlow) == 16, "four to a cache line");

/// The crossings of a flow; apart from the rest, since only few flows look at their path in a round.
struct FlowPath {
  std::uint32_t first;
  std::uint32_t count;
};

inline constexpr std::int64_t kAtCap = -1;
inline constexpr std::int64_t kNoLevel = -2;  // of a flow that has not looked, of a link whose flows are still coming

/// Arithmetic where every flow has weight 1 and priority 0 and crosses its links with all of its rate.
struct WholeFlows {
  static constexpr bool kWhole = true;
  struct Crossing {
    std::uint32_t link;
  };
  struct Link {
    std::int64_t left;        // of the capacity, when the frozen flows that are not tied have theirs
    std::uint32_t crossings;  // of open flows
    std::uint32_t tied;       // crossings of flows frozen at the link's very level: as good as open, until it rises
  };
  static std::int64_t share(const Link& link) { return link.left / (std::int64_t{link.crossings} + link.tied); }
  static std::int64_t cap_level(std::int64_t cap, Crossing) { return cap; }
  static std::int64_t rate(std::int64_t level, Crossing) { return level; }
  static std::int64_t load(std::int64_t rate, Crossing) { return rate; }
  static std::uint32_t demand(Crossing) { return 1; }
  static void remove_demand(Link&, Crossing) {}
};

/// Arithmetic with weights, fractions and priorities: levels are rates per weight; sums are in 2^-32 of a unit and exact.
struct WeightedFlows {
  static constexpr bool kWhole = false;
  struct Crossing {
    std::uint32_t link;
    std::uint32_t weight;
    std::uint64_t fraction;
  };
  struct Link {
    Int128 left;
    Int128 open;  // weight · fraction of open flows
    Int128 tied;  // weight · fraction of tied ones
    std::uint32_t crossings;
  };
  static std::int64_t share(const Link& link) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
    const Int128 share = link.left / (link.open + link.tied);
    return share < kMost ? static_cast<std::int64_t>(share) : kMost;
  }
  static std::int64_t cap_level(std::int64_t cap, Crossing any) { return cap / any.weight; }
  static std::int64_t rate(std::int64_t level, Crossing any) { return level * any.weight; }
  static Int128 load(std::int64_t rate, Crossing crossing) { return Int128(crossing.fraction) * rate; }
  static Int128 demand(Crossing crossing) { return Int128(crossing.fraction) * crossing.weight; }
  static void remove_demand(Link& link, Crossing crossing) { link.open -= demand(crossing); }
};

/// What a round works on. Links are numbered from 0; what every look at a link needs is apart from what is needed when a flow
/// leaves it, since large problems live on the cache lines they do not touch.
template<class Kind>
struct RoundArrays {
  OpenFlow* flow;
  FlowPath* path;  // per slot
  typename Kind::Crossing* crossing;
  std::int64_t* level;     // per link: Kind::share, when it was last computed; it never sinks
  std::uint32_t* waiting;  // per link: crossings of open flows that are not held at its level; | kStale
  typename Kind::Link* link;
  std::uint32_t* stale;  // the links with kStale, whose level may have to rise
  std::int64_t* rate;    // per slot: the cap, then the rate
  std::uint32_t flows = 0;
  std::uint32_t stales = 0;
};

inline constexpr std::uint32_t kStale = 1U << 31;

/// Frozen flows at the level of a link that is about to get another one are frozen flows like others.
template<class Kind>
void untie(typename Kind::Link& link, std::int64_t level) {
  link.left -= link.tied * level;
  link.tied = 0;
}

/// Puts a flow on a link, which forgets the level that it had for higher priorities.
inline void enter_link(RoundArrays<WeightedFlows>& a, WeightedFlows::Crossing crossing) {
  WeightedFlows::Link& link = a.link[crossing.link];
  if (!(a.waiting[crossing.link] & kStale)) {
    a.waiting[crossing.link] = kStale;
    a.stale[a.stales++] = crossing.link;
    untie<WeightedFlows>(link, a.level[crossing.link]);
    a.level[crossing.link] = kNoLevel;
  }
  link.crossings++;
  link.open += WeightedFlows::demand(crossing);
}

/// Flows are taken in blocks, small enough to stay near the processor.
inline constexpr std::uint32_t kBlock = 64;

/// The flow, waiting for the others where the level is lowest on its path.
template<class Kind>
OpenFlow hold_flow(RoundArrays<Kind>& a, OpenFlow flow) {
  const FlowPath path = a.path[flow.slot];
  const typename Kind::Crossing* const crossing = a.crossing + path.first;
  std::uint32_t lowest = crossing[0].link;
  std::int64_t least = a.level[lowest];
  for (std::uint32_t k = 1; k < path.count; k++) {
    const std::int64_t level = a.level[crossing[k].link];
    lowest = level < least ? crossing[k].link : lowest;
    least = std::min(least, level);
  }
  if (least == flow.level) return {least, lowest, flow.slot};  // by another link of the same level: it waits there already
  const std::int64_t level = Kind::cap_level(a.rate[flow.slot], crossing[0]) < least ? kAtCap : least;
  for (std::uint32_t k = 0; k < path.count; k++) a.waiting[crossing[k].link] -= a.level[crossing[k].link] == level;
  return {level, lowest, flow.slot};
}

/// Lets the flows of a block whose link has risen look for another. Who they are is found first, without a branch that nobody
/// could foretell.
template<class Kind>
void hold_flows(RoundArrays<Kind>& a, std::uint32_t begin, std::uint32_t end) {
  std::uint32_t risen[kBlock];
  std::uint32_t count = 0;
  for (std::uint32_t i = begin; i < end; i++) {
    risen[count] = i;
    count += a.level[a.flow[i].link] != a.flow[i].level;
  }
  for (std::uint32_t i = 0; i < count; i++) a.flow[risen[i]] = hold_flow(a, a.flow[risen[i]]);
}

/// Gives a flow its rate and takes it off its links. Whether it is tied to one of them is not branched on: nobody could
/// foretell it.
template<class Kind>
void freeze_flow(RoundArrays<Kind>& a, OpenFlow flow) {
  const FlowPath path = a.path[flow.slot];
  const std::int64_t rate = flow.level == kAtCap ? a.rate[flow.slot] : Kind::rate(flow.level, a.crossing[path.first]);
  a.rate[flow.slot] = rate;
  for (std::uint32_t k = 0; k < path.count; k++) {
    const typename Kind::Crossing crossing = a.crossing[path.first + k];
    typename Kind::Link& link = a.link[crossing.link];
    std::uint32_t& waiting = a.waiting[crossing.link];
    const bool tied = a.level[crossing.link] == flow.level;
    link.crossings--;
    Kind::remove_demand(link, crossing);
    link.tied += Kind::demand(crossing) * tied;
    link.left -= Kind::load(tied ? 0 : rate, crossing);
    a.stale[a.stales] = crossing.link;
    a.stales += !tied & !(waiting & kStale);
    waiting = (waiting - !tied) | (tied ? 0 : kStale);
  }
}

/// Freezes the flows of a block that are at their cap or on whose link all flows wait; moves the others to `kept` and up.
/// Returns where they end. Who is frozen does not depend on the others of the block: a flow that leaves changes no link on
/// which all wait, and no level.
template<class Kind>
std::uint32_t freeze_flows(RoundArrays<Kind>& a, std::uint32_t begin, std::uint32_t end, std::uint32_t kept) {
  OpenFlow ready[kBlock];
  std::uint32_t count = 0;
  for (std::uint32_t i = begin; i < end; i++) {
    const OpenFlow flow = a.flow[i];
    const bool is_ready = (flow.level == kAtCap) | ((a.waiting[flow.link] == 0) & (a.level[flow.link] == flow.level));
    ready[count] = flow;
    count += is_ready;
    a.flow[kept] = flow;
    kept += !is_ready;
  }
  for (std::uint32_t i = 0; i < count; i++) freeze_flow(a, ready[i]);
  return kept;
}

/// Computes the levels of stale links again. None sinks, since the flows that left took less than their share.
template<class Kind>
void raise_levels(RoundArrays<Kind>& a) {
  for (std::uint32_t i = 0; i < a.stales; i++) {
    const std::uint32_t index = a.stale[i];
    typename Kind::Link& link = a.link[index];
    a.waiting[index] &= ~kStale;
    if (link.crossings == 0) continue;
    std::int64_t share = Kind::share(link);
    if (share <= a.level[index]) continue;
    if (link.tied != 0) {
      untie<Kind>(link, a.level[index]);
      share = Kind::share(link);
    }
    a.level[index] = share;
    a.waiting[index] = link.crossings;
  }
  a.stales = 0;
}

/// Freezes every flow. The last one to look among those at the lowest of all levels finds that all wait, so every round
/// freezes some.
template<class Kind>
void freeze_all(RoundArrays<Kind>& a) {
  raise_levels(a);
  for (std::uint32_t i = 0; i < a.flows; i++) a.flow[i] = hold_flow(a, a.flow[i]);
  while (a.flows > 0) {
    std::uint32_t kept = 0;
    for (std::uint32_t begin = 0; begin < a.flows; begin += kBlock) {
      const std::uint32_t end = std::min(a.flows, begin + kBlock);
      hold_flows(a, begin, end);
      kept = freeze_flows(a, begin, end, kept);
      raise_levels(a);
    }
    a.flows = kept;
  }
}

}  // namespace railyard
