// What a fabric is built from, every figure resolved: given by the user, taken from the catalog, or assumed and said so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/units.h"
#include "catalog/facts.h"
#include "plan/choices.h"
#include "plan/drawing.h"

namespace railyard {

/// How GPUs of one domain reach each other without the scale-out network.
struct ScaleUpPlan {
  std::uint32_t domain = 1;  // GPUs; one has nobody to reach
  ScaleUpWiring wiring = ScaleUpWiring::switched;
  BitsPerSecond rate;  // of one GPU, one direction
  Picoseconds latency;
};

/// The second part of a hybrid fabric, and what joins the two. What is not given is as in the first part.
struct IslandPlan {
  std::optional<std::uint32_t> gpus, hosts_per_leaf;
  std::optional<BitsPerSecond> link_rate;
  std::optional<Picoseconds> switch_latency;
  std::optional<TransportKind> transport;  // of its links
  std::uint32_t gateways = 1;
  std::optional<BitsPerSecond> boundary_rate;
  Picoseconds boundary_latency;
};

struct FabricPlan {
  Topology topology = Topology::star;
  std::string switch_model, nic_model;  // of the catalog; empty: unnamed ones
  bool reduces = false;                 // its switches can add up what passes through them
  Switching switching = Switching::cut_through;
  Picoseconds credit_delay;  // of a scheduler that grants credits, beyond the way to it and back
  double cell_overhead = 0;  // share of links above leaves that cells of a scheduled fabric take beside packets
  Circuits circuits = Circuits::uniform;
  Picoseconds reconfiguration;  // of circuits that change between phases: how long those that do are dark

  std::uint32_t endpoints = 0;                           // GPUs, or hosts where there are none
  std::uint32_t per_node = 1;                            // of them in a server
  std::uint32_t interfaces_per_node = 1, host_nics = 0;  // those of GPUs; and NICs of the server itself
  std::uint32_t ports = 1;                               // of one interface
  std::uint32_t planes = 1;                              // switches that the ports of an interface are dealt to
  ScaleUpPlan scale_up;
  BitsPerSecond link_rate, uplink_rate, core_rate;       // of a host's port, of links above leaves, above spines
  Picoseconds link_delay, switch_latency, host_latency;  // host latency counts once at either end
  std::optional<Picoseconds> uplink_delay, core_delay;   // of links above leaves, above spines; as below them if not given
  std::optional<std::uint32_t> radix;                    // switch ports at link_rate; unknown for an unnamed switch
  double oversubscription = 1;                           // of the lowest tier
  double spine_oversubscription = 1;                     // of the next

  // What is not given follows from the rest as the fabric is wired (fabric/wiring.h).
  std::optional<std::uint32_t> spine_radix, hosts_per_leaf, hosts_per_pod, uplinks, spine_uplinks, spines, cores;
  std::optional<bool> rails;
  std::optional<std::uint32_t> rail_count;  // of a server's NICs, where several share one; each has one of its own otherwise
  std::optional<std::uint32_t> haul_links;  // between the two sites of a fabric; their rate and delay are those of cores
  IslandPlan island;
  Drawing drawing;  // of topology = "file"

  /// Propagation over a link above leaves, and above spines.
  [[nodiscard]] Picoseconds delay_above_leaves() const { return uplink_delay.value_or(link_delay); }
  [[nodiscard]] Picoseconds delay_above_spines() const { return core_delay.value_or(delay_above_leaves()); }

  /// GPUs of the second part of a hybrid fabric; half of them if it is not given.
  [[nodiscard]] std::uint32_t island_gpus() const { return island.gpus.value_or(endpoints / 2); }
};

}  // namespace railyard
