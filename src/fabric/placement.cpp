#include "fabric/placement.h"

#include <utility>
#include <vector>

#include "base/rng.h"

namespace railyard {

namespace {

/// First seat of every leaf, then the second of every leaf, …
std::vector<EndpointId> seats_across_leaves(const Fabric& fabric) {
  std::vector<EndpointId> seats;
  for (std::uint32_t seat = 0; seat < fabric.hosts_per_leaf; seat++)
    for (std::uint32_t leaf = 0; leaf < fabric.leaves; leaf++)
      if (const std::uint32_t host = leaf * fabric.hosts_per_leaf + seat; host < fabric.endpoints())
        seats.push_back(EndpointId(host));
  return seats;
}

std::vector<EndpointId> seats_in_order(const Fabric& fabric) {
  std::vector<EndpointId> seats;
  for (const EndpointId endpoint : ids(fabric.endpoint_node)) seats.push_back(endpoint);
  return seats;
}

/// Fisher and Yates's shuffle.
std::vector<EndpointId> seats_at_random(const Fabric& fabric, std::uint64_t seed) {
  std::vector<EndpointId> seats = seats_in_order(fabric);
  Rng rng(seed, "placement", 0);
  for (std::size_t i = seats.size(); i > 1; i--) std::swap(seats[i - 1], seats[rng.below(static_cast<std::uint32_t>(i))]);
  return seats;
}

}  // namespace

Placement place(PlacementPolicy policy, std::uint32_t ranks, const Fabric& fabric, std::uint64_t seed) {
  RY_CHECK(ranks <= fabric.endpoints(), "every rank has an endpoint of its own");
  RY_CHECK(policy <= PlacementPolicy::random, "only built placements reach the fabric");
  const std::vector<EndpointId> seats = policy == PlacementPolicy::random        ? seats_at_random(fabric, seed)
                                        : policy == PlacementPolicy::round_robin ? seats_across_leaves(fabric)
                                                                                 : seats_in_order(fabric);
  Placement placement;
  for (std::uint32_t rank = 0; rank < ranks; rank++) placement.push(seats[rank]);
  return placement;
}

}  // namespace railyard
