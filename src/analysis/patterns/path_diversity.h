// What hashing makes of the flows of a run, with more or fewer queue pairs and with other fields; and pinned paths, if it has
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/patterns/entropy.h"
#include "sim/simulate.h"

namespace railyard {

/// Flows on the choices of one tier, as their hashes pick them, and as balls that fall into bins at random.
struct PathChoice {
  std::string tier;
  std::uint32_t groups = 0, members = 0;
  double flows = 0;  // of a group, on average
  double idle = 0, expected_idle = 0;
  double worst_to_mean = 1, expected_worst_to_mean = 1;
  double collisions = 0, expected_collisions = 0;  // share of flows that share their link with another
  double effective = 0;                            // paths, of a group
};

struct PathVariant {
  std::uint32_t queue_pairs = 1;
  bool with_qpn = false;  // switches hash the destination queue pair, too
  bool pinned = false;    // they do not hash: the destination alone says which path
  bool as_set = false;    // what the scenario says
  double flows = 0;
  double entropy_bits = 0;  // of what switches see: log2 of the flows if all differ
  std::vector<PathChoice> tiers = {};
};

/// Whether the second choice repeats the first: flows that one hash brought together lie on few links again. With 16 queue
/// pairs for each connection, so that there are enough flows to tell.
struct Polarisation {
  double idle = 0, expected_idle = 0;  // of the second choice, with seeds as they are set
  double same_seeds_idle = 0;          // and with one seed for all switches
  bool polarised = false;              // less than 0.7 of the links are used that chance would use
};

struct PathDiversity {
  std::string what;    // whose flows
  bool hashed = true;  // the scenario's switches do hash; else: what they would do
  std::size_t pairs = 0, looked_at = 0;
  std::vector<PathVariant> variants;
  std::optional<Polarisation> polarisation;
};

/// Of the bundle that moves most bytes across leaves; all edges of as many leaves as make about three hundred. None where no
/// leaf has a choice.
std::optional<PathDiversity> path_diversity(const Fabric& fabric, const PathPolicy& routing, std::span<const Bundle> bundles,
                                            const std::vector<double>& bytes, const std::vector<std::string>& what);

}  // namespace railyard
