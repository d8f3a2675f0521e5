// What a communication library makes of a collective: which algorithm and protocol it picks, and how long that takes.
//
// Two models that are kept apart. `favourite` picks as NCCL does, by the latencies and bandwidths NCCL believes in (its tuning
// tables). `estimate` says how long a pick takes, with constants calibrated on published curves (catalog/communication.toml).
// `choose` joins the two.
// Equations, constants and errors: docs/models.md, what a communication library adds.
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "catalog/facts.h"
#include "plan/choices.h"

namespace railyard {

enum class Library : std::uint8_t { nccl, rccl };

/// How a library moves bytes between two GPUs: 4 of 8 bytes with a flag (LL), 120 of 128 (LL128), or whole slices that are
/// announced when they are complete (Simple).
enum class Protocol : std::uint8_t { ll, ll128, simple };
template<>
struct ChoiceNames<Protocol> {
  static constexpr std::string_view names[] = {"LL", "LL128", "Simple"};
};

/// Bytes of payload per second that one node, all its NICs together, sends to other nodes in steady state, by pattern: what an
/// engine measured on the fabric. Eight 400 Gb/s NICs on an idle fabric: 392 GB/s.
struct NetRates {
  double ring = 0, tree = 0, all_to_all = 0, point = 0;
};

/// A group of ranks, spread evenly over nodes; a node is a scale-up domain (a rack-sized domain is one node).
struct Communicator {
  Library library = Library::nccl;
  CommFact gpu;
  LibraryFact constants;
  double link = 0;  // bytes per second a GPU sends into its scale-up links at most
  std::uint32_t ranks = 0, per_node = 0, nodes = 1, nics_per_node = 0;
  bool nvls = false;        // the scale-up switch reduces and multicasts
  bool in_network = false;  // the switches of the network reduce
  bool in_order = true;     // NICs place bytes in order: LL and LL128 work between nodes
  NetRates net;
  Picoseconds net_latency;  // one small message from GPU memory to GPU memory across the fabric, worst pair
};

struct Estimate {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  Protocol protocol = Protocol::simple;
  std::uint32_t channels = 0;
  Picoseconds time, latency;  // latency: the part that does not depend on the size
  double bus_bandwidth = 0;   // bytes per second, as nccl-tests define it
};

/// What NCCL's tables alone say, right or wrong. REQUIRES as `choose`.
struct Pick {
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  Protocol protocol = Protocol::simple;
};
Pick favourite(CollectiveKind kind, Bytes size, const Communicator& group);

/// What the library would pick: its favourite's algorithm inside a node; where its tables are less certain, in the protocol and
/// across nodes, the fastest of what they do not rule out, so that a larger buffer is not faster. `size` is the whole buffer,
/// as nccl-tests count: what every rank ends up with in an all-gather, starts with in a reduce-scatter or an all-to-all.
/// REQUIRES: ranks == per_node * nodes >= 2, size > 0; across nodes, NICs and rates > 0.
Estimate choose(CollectiveKind kind, Bytes size, const Communicator& group);

/// One algorithm and protocol, asked for; nothing if the library has it not for this collective on this hardware.
/// `nvls` across nodes is a tree of nodes that reduce in their scale-up switch (NCCL's NVLSTree). REQUIRES as `choose`.
std::optional<Estimate> estimate(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, Bytes size,
                                 const Communicator& group);

/// Bus bandwidth over algorithm bandwidth (nccl-tests): 2 (n - 1) / n for an all-reduce.
double bus_factor(CollectiveKind kind, std::uint32_t ranks);

/// No time may be below this: bytes the links must carry for this algorithm, at line rate. `estimate` checks itself against it.
Picoseconds physical_bound(CollectiveKind kind, CollectiveAlgorithm algorithm, Bytes size, const Communicator& group);

}  // namespace railyard
