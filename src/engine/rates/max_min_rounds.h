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
  std::int64_t cap;
  std::int64_t level;      // the least of its lanes' when it last looked, kAtCap if its cap was less
  std::uint32_t lane;      // one that had this level
  std::uint32_t slot;      // where its rate goes
  std::uint32_t crossing;  // its first
  std::uint32_t crossings;
};
static_assert(sizeof(OpenFlow) == 32, "two to a cache line");

inline constexpr std::int64_t kAtCap = -1;
inline constexpr std::int64_t kNoLevel = -2;  // of a flow that has not looked, of a lane whose flows are still coming

/// Arithmetic where every flow has weight 1 and priority 0 and crosses its lanes with all of its rate.
struct WholeFlows {
  static constexpr bool kWhole = true;
  struct Crossing {
    std::uint32_t lane;
  };
  struct Lane {
    std::int64_t left;        // of the capacity, when the settled flows that are not tied have theirs
    std::uint32_t crossings;  // of open flows
    std::uint32_t tied;       // crossings of flows settled at the lane's very level: as good as open, until it rises
  };
  static std::int64_t share(const Lane& lane) { return lane.left / (std::int64_t{lane.crossings} + lane.tied); }
  static std::int64_t cap_level(const OpenFlow& flow, Crossing) { return flow.cap; }
  static std::int64_t rate(const OpenFlow& flow, Crossing) { return flow.level; }
  static std::int64_t load(std::int64_t rate, Crossing) { return rate; }
  static std::uint32_t demand(Crossing) { return 1; }
  static void remove_demand(Lane&, Crossing) {}
};

/// Arithmetic with weights, parts and priorities: levels are rates per weight; sums are in 2^-32 of a unit and exact.
struct WeightedFlows {
  static constexpr bool kWhole = false;
  struct Crossing {
    std::uint32_t lane;
    std::uint32_t weight;
    std::uint64_t part;
  };
  struct Lane {
    Int128 left;
    Int128 open;  // weight · part of open flows
    Int128 tied;  // weight · part of tied ones
    std::uint32_t crossings;
  };
  static std::int64_t share(const Lane& lane) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 2;
    const Int128 share = lane.left / (lane.open + lane.tied);
    return share < kMost ? static_cast<std::int64_t>(share) : kMost;
  }
  static std::int64_t cap_level(const OpenFlow& flow, Crossing any) { return flow.cap / any.weight; }
  static std::int64_t rate(const OpenFlow& flow, Crossing any) { return flow.level * any.weight; }
  static Int128 load(std::int64_t rate, Crossing crossing) { return Int128(crossing.part) * rate; }
  static Int128 demand(Crossing crossing) { return Int128(crossing.part) * crossing.weight; }
  static void remove_demand(Lane& lane, Crossing crossing) { lane.open -= demand(crossing); }
};

/// What a round works on. Lanes are numbered from 0; what every look at a lane needs is apart from what is needed when a flow
/// leaves it, since large problems live on the cache lines they do not touch.
template<class Kind>
struct RoundArrays {
  OpenFlow* flow;
  typename Kind::Crossing* crossing;
  std::int64_t* level;     // per lane: Kind::share, when it was last computed; it never sinks
  std::uint32_t* waiting;  // per lane: crossings of open flows that are not held at its level; | kStale
  typename Kind::Lane* lane;
  std::uint32_t* stale;  // the lanes with kStale, whose level may have to rise
  std::int64_t* rate;    // per slot
  std::uint32_t flows = 0;
  std::uint32_t stales = 0;
};

inline constexpr std::uint32_t kStale = 1U << 31;

/// Settled flows at the level of a lane that is about to get another one are settled flows like others.
template<class Kind>
void untie(typename Kind::Lane& lane, std::int64_t level) {
  lane.left -= lane.tied * level;
  lane.tied = 0;
}

/// Puts a flow on a lane, which forgets the level that it had for higher priorities.
inline void enter_lane(RoundArrays<WeightedFlows>& a, WeightedFlows::Crossing crossing) {
  WeightedFlows::Lane& lane = a.lane[crossing.lane];
  if (!(a.waiting[crossing.lane] & kStale)) {
    a.waiting[crossing.lane] = kStale;
    a.stale[a.stales++] = crossing.lane;
    untie<WeightedFlows>(lane, a.level[crossing.lane]);
    a.level[crossing.lane] = kNoLevel;
  }
  lane.crossings++;
  lane.open += WeightedFlows::demand(crossing);
}

/// Lets the flows whose lane has risen look for the lowest level on their path and wait there for the others.
template<class Kind>
void hold_flows(RoundArrays<Kind>& a, std::uint32_t begin, std::uint32_t end) {
  for (std::uint32_t i = begin; i < end; i++) {
    OpenFlow& flow = a.flow[i];
    if (a.level[flow.lane] == flow.level) continue;
    const typename Kind::Crossing* const path = a.crossing + flow.crossing;
    std::uint32_t lowest = path[0].lane;
    std::int64_t least = a.level[lowest];
    for (std::uint32_t k = 1; k < flow.crossings; k++) {
      const std::int64_t level = a.level[path[k].lane];
      lowest = level < least ? path[k].lane : lowest;
      least = std::min(least, level);
    }
    flow.lane = lowest;
    if (least == flow.level) continue;  // held by another lane of the same level: it waits there already
    flow.level = Kind::cap_level(flow, path[0]) < least ? kAtCap : least;
    for (std::uint32_t k = 0; k < flow.crossings; k++) a.waiting[path[k].lane] -= a.level[path[k].lane] == flow.level;
  }
}

/// Takes a flow that is being settled off its lanes.
template<class Kind>
void leave_lanes(RoundArrays<Kind>& a, const OpenFlow& flow, std::int64_t rate) {
  for (std::uint32_t k = 0; k < flow.crossings; k++) {
    const typename Kind::Crossing crossing = a.crossing[flow.crossing + k];
    typename Kind::Lane& lane = a.lane[crossing.lane];
    std::uint32_t& waiting = a.waiting[crossing.lane];
    lane.crossings--;
    Kind::remove_demand(lane, crossing);
    if (a.level[crossing.lane] == flow.level) {
      lane.tied += Kind::demand(crossing);
      continue;
    }
    lane.left -= Kind::load(rate, crossing);
    a.stale[a.stales] = crossing.lane;
    a.stales += !(waiting & kStale);
    waiting = (waiting - 1) | kStale;
  }
}

/// Settles the flows that are at their cap or on whose lane all flows wait; moves the others to `kept` and up. Returns where
/// they end.
template<class Kind>
std::uint32_t settle_flows(RoundArrays<Kind>& a, std::uint32_t begin, std::uint32_t end, std::uint32_t kept) {
  for (std::uint32_t i = begin; i < end; i++) {
    const OpenFlow flow = a.flow[i];
    const bool at_cap = flow.level == kAtCap;
    if (!at_cap && (a.waiting[flow.lane] != 0 || a.level[flow.lane] != flow.level)) {
      a.flow[kept++] = flow;
      continue;
    }
    const std::int64_t rate = at_cap ? flow.cap : Kind::rate(flow, a.crossing[flow.crossing]);
    a.rate[flow.slot] = rate;
    leave_lanes(a, flow, rate);
  }
  return kept;
}

/// Computes the levels of stale lanes again. None sinks, since the flows that left took less than their share.
template<class Kind>
void raise_levels(RoundArrays<Kind>& a) {
  for (std::uint32_t i = 0; i < a.stales; i++) {
    const std::uint32_t index = a.stale[i];
    typename Kind::Lane& lane = a.lane[index];
    a.waiting[index] &= ~kStale;
    if (lane.crossings == 0 || Kind::share(lane) <= a.level[index]) continue;
    untie<Kind>(lane, a.level[index]);
    a.level[index] = Kind::share(lane);
    a.waiting[index] = lane.crossings;
  }
  a.stales = 0;
}

/// Settles every flow. The last one to look among those at the lowest of all levels finds that all wait, so every round
/// settles some. Blocks are small enough to stay near the processor.
template<class Kind>
void settle_all(RoundArrays<Kind>& a) {
  constexpr std::uint32_t kBlock = 64;
  raise_levels(a);
  hold_flows(a, 0, a.flows);
  while (a.flows > 0) {
    std::uint32_t kept = 0;
    for (std::uint32_t begin = 0; begin < a.flows; begin += kBlock) {
      const std::uint32_t end = std::min(a.flows, begin + kBlock);
      hold_flows(a, begin, end);
      kept = settle_flows(a, begin, end, kept);
      raise_levels(a);
    }
    a.flows = kept;
  }
}

}  // namespace railyard
