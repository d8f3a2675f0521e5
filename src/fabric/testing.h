// Scenarios made of numbers, for tests of everything above the fabric.
#pragma once

#include <vector>

#include "base/check.h"
#include "fabric/build.h"
#include "plan/scenario.h"

namespace railyard::testing {

inline Result<Fabric> build_fabric(const Scenario& scenario) { return railyard::build_fabric(scenario.fabric, scenario.keys); }

inline Fabric built(const Scenario& scenario) {
  Result<Fabric> fabric = build_fabric(scenario);
  RY_CHECK(fabric, to_text(fabric.error()[0]));
  return std::move(*fabric);
}

/// The scenario with all its random numbers drawn from another seed.
inline Scenario seeded(Scenario scenario, std::uint64_t seed) {
  scenario.workload.seed = scenario.routing.qp_seed = scenario.placement.seed = scenario.engine.seed = scenario.packet.seed =
      seed;
  return scenario;
}

/// A star with every number resolved. Equal paths share perfectly, so that closed forms hold.
inline Scenario star(std::uint32_t hosts, BitsPerSecond rate, Picoseconds link_delay, Picoseconds switch_latency = {}) {
  Scenario s;
  s.name = "test";
  s.fabric.topology = Topology::star;
  s.fabric.switching = Switching::store_and_forward;
  s.routing.policy = RoutingPolicy::spray;
  s.workload.collective.emplace();
  s.fabric.endpoints = hosts;
  s.fabric.link_rate = s.fabric.uplink_rate = s.fabric.core_rate = rate;
  s.fabric.link_delay = link_delay;
  s.fabric.switch_latency = switch_latency;
  return s;
}

inline Scenario leaf_spine(std::uint32_t hosts, std::uint32_t hosts_per_leaf, double oversubscription, BitsPerSecond rate,
                           Picoseconds link_delay, Picoseconds switch_latency = {}) {
  Scenario s = star(hosts, rate, link_delay, switch_latency);
  s.fabric.topology = Topology::leaf_spine;
  s.fabric.hosts_per_leaf = hosts_per_leaf;
  s.fabric.oversubscription = oversubscription;
  return s;
}

/// Servers of `per_node` GPUs with a NIC each, on a scale-up switch of their own where `scale_up` has a rate.
inline Scenario servers(Topology topology, std::uint32_t gpus, std::uint32_t per_node, std::uint32_t hosts_per_leaf,
                        BitsPerSecond scale_up = {}) {
  Scenario s = leaf_spine(gpus, hosts_per_leaf, 1, 400_Gbps, 100_ns, 900_ns);
  s.fabric.topology = topology;
  s.fabric.per_node = s.fabric.interfaces_per_node = per_node;
  if (scale_up > BitsPerSecond::zero()) s.fabric.scale_up = {per_node, ScaleUpWiring::switched, scale_up, 1_us};
  return s;
}

/// One of every shape there is, small enough to look at every pair.
inline std::vector<Scenario> shapes() {
  std::vector<Scenario> all = {star(5, 400_Gbps, 500_ns), leaf_spine(24, 8, 2, 400_Gbps, 500_ns),
                               leaf_spine(21, 8, 1, 400_Gbps, 500_ns)};
  all[2].fabric.spines = 4;
  Scenario s = servers(Topology::clos3, 48, 1, 4);
  s.fabric.hosts_per_pod = 16;
  all.push_back(s);
  s.fabric.spine_oversubscription = 2;
  s.fabric.cores = 4;
  all.push_back(s);
  s = servers(Topology::fat_tree, 54, 1, 3);
  s.fabric.hosts_per_leaf.reset();
  s.fabric.radix = 6;
  all.push_back(s);
  all.push_back(servers(Topology::rail_optimized, 64, 4, 8, 3600_Gbps));
  all.push_back(servers(Topology::rail_only, 64, 4, 4, 3600_Gbps));
  s = servers(Topology::rail_optimized, 64, 4, 4, 3600_Gbps);
  s.fabric.host_nics = 1;  // a fifth rail
  all.push_back(s);
  for (const Topology topology : {Topology::multi_plane, Topology::dual_tor}) {
    s = servers(topology, 64, 4, 8, 3600_Gbps);
    s.fabric.planes = s.fabric.ports = 2;
    all.push_back(s);
  }
  s = servers(Topology::hybrid, 48, 4, 8);
  s.fabric.island.gpus = 16;
  s.fabric.island.gateways = 2;
  all.push_back(s);
  s = servers(Topology::optical, 64, 1, 4);
  s.fabric.hosts_per_pod = 16;
  s.fabric.spines = 2;
  s.fabric.core_rate = 100_Gbps;
  s.fabric.spine_oversubscription = 8.0 * 4 / 12;  // twelve circuits a spine, four to each other pod
  all.push_back(s);
  s.fabric.circuits = Circuits::ring;
  all.push_back(s);
  s = servers(Topology::two_site, 48, 4, 8);
  s.fabric.haul_links = 8;
  s.fabric.core_delay = 404_us;
  all.push_back(s);
  s = servers(Topology::rail_optimized, 64, 8, 8, 3600_Gbps);
  s.fabric.rails = true;
  s.fabric.rail_count = 4;
  all.push_back(s);
  s = servers(Topology::leaf_spine, 24, 6, 8, 3600_Gbps);
  s.fabric.scale_up = {8, ScaleUpWiring::mesh, 3600_Gbps, 1_us};  // domains that servers do not fill
  all.push_back(s);
  return all;
}

}  // namespace railyard::testing
