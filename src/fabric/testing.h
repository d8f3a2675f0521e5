// Scenarios made of numbers, for tests of everything above the fabric.
#pragma once

#include "scenario/scenario.h"

namespace railyard::testing {

/// A star with every number settled. Equal paths share perfectly, so that closed forms hold.
inline Scenario star(std::uint32_t hosts, BitsPerSecond rate, Picoseconds link_delay, Picoseconds switch_latency = {}) {
  Scenario s;
  s.name = "test";
  s.fabric.topology = Topology::star;
  s.fabric.switching = Switching::store_and_forward;
  s.routing.policy = RoutingPolicy::spray;
  s.collective.emplace();
  s.plan.endpoints = hosts;
  s.plan.link_rate = s.plan.uplink_rate = s.plan.core_rate = rate;
  s.plan.link_delay = link_delay;
  s.plan.switch_latency = switch_latency;
  return s;
}

inline Scenario leaf_spine(std::uint32_t hosts, std::uint32_t hosts_per_leaf, double oversubscription, BitsPerSecond rate,
                           Picoseconds link_delay, Picoseconds switch_latency = {}) {
  Scenario s = star(hosts, rate, link_delay, switch_latency);
  s.fabric.topology = Topology::leaf_spine;
  s.fabric.hosts_per_leaf = hosts_per_leaf;
  s.plan.oversubscription = oversubscription;
  return s;
}

/// Servers of `per_node` GPUs with a NIC each, on a scale-up switch of their own where `scale_up` has a rate.
inline Scenario servers(Topology topology, std::uint32_t gpus, std::uint32_t per_node, std::uint32_t hosts_per_leaf,
                        BitsPerSecond scale_up = {}) {
  Scenario s = leaf_spine(gpus, hosts_per_leaf, 1, 400_Gbps, 100_ns, 900_ns);
  s.fabric.topology = topology;
  s.plan.per_node = s.plan.interfaces_per_node = per_node;
  if (scale_up > BitsPerSecond::zero()) s.plan.scale_up = {per_node, ScaleUpWiring::switched, scale_up, 1_us};
  return s;
}

}  // namespace railyard::testing
