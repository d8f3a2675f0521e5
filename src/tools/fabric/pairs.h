// How far GPUs are from each other: classes of pairs, their share, and what a small message takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "fabric/fabric.h"
#include "plan/scenario.h"

namespace railyard {

/// Ordered pairs of GPUs that are equally far apart.
struct PairClass {
  std::string name;
  std::uint32_t switches = 0;               // of the network, on the way
  double pairs = 0;                         // how many
  double share = 0;                         // of all
  Picoseconds latency_least, latency_most;  // of 64 bytes over an idle network
};

struct PairTable {
  std::vector<PairClass> classes;  // nearest first
  bool sampled = false;            // too many to look at each: a drawn fabric with thousands of GPUs
};

/// Counted by where the paths of two GPUs meet, with one way measured for each meeting place; never by looking at all pairs.
/// Drawn fabrics have no structure to count by: their pairs are looked at one by one, or sampled if they are many.
PairTable classify_pairs(const Scenario& scenario, const Fabric& fabric);

/// What a message of 64 bytes needs from end to end when nothing else is under way.
Picoseconds small_message(const Scenario& scenario, const Fabric& fabric, EndpointId from, EndpointId to);

}  // namespace railyard
