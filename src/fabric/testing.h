// Scenarios made of numbers, for tests of everything above the fabric.
#pragma once

#include "scenario/scenario.h"

namespace railyard::testing {

/// A star with every number settled.
inline Scenario star(std::uint32_t hosts, BitsPerSecond rate, Picoseconds link_delay, Picoseconds switch_latency = {}) {
  Scenario s;
  s.name = "test";
  s.fabric.topology = Topology::star;
  s.fabric.switching = Switching::store_and_forward;
  s.collective.emplace();
  s.plan = {.endpoints = hosts,
            .link_rate = rate,
            .uplink_rate = rate,
            .link_delay = link_delay,
            .switch_latency = switch_latency,
            .host_latency = {},
            .radix = {},
            .oversubscription = 1};
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

}  // namespace railyard::testing
