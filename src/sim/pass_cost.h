// How long one pass of one micro-batch takes, and what of it is communication.
#pragma once

#include <array>

#include "sim/collective_time.h"
#include "workload/step.h"

namespace railyard {

using GroupTimes = std::array<Picoseconds, kGroupKinds>;  // by kind of group

/// A collective takes compute units and memory bandwidth from what runs beside it: this share of the time they overlap is lost.
inline constexpr double kContention = 0.3;

/// Time of one pass, what of it is compute, what collectives add, and what compute loses to those that run beside it.
struct PassCost {
  Picoseconds time, compute, contention;
  GroupTimes exposed = {}, hidden = {};
};

/// `stretch` lengthens compute (stragglers).
PassCost pass_cost(const PartWork& part, PassKind kind, const ClusterLinks& links, double stretch);

/// A forward and a backward pass interleaved: one computes while the other communicates, on fewer compute units.
PassCost interleaved_cost(const PassCost& a, const PassCost& b);

Picoseconds stretched(Picoseconds time, double factor);
Picoseconds sum_of(const GroupTimes& times);

}  // namespace railyard
