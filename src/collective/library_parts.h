// What the parts of the library model share (private to src/collective).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "collective/library.h"

namespace railyard::library {

/// Every channel has a buffer of 4 MiB towards each neighbour, cut into eight steps; Simple passes on two steps at a time.
inline constexpr double kChannelBuffer = 4 << 20;
inline constexpr double kSliceShare = 0.25;

/// Whether the library has it: the collective, the hardware and the protocol agree.
bool exists(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, const Communicator& group);

/// Whether the scale-up switch reduces and multicasts for this group. NCCL sets it up for three GPUs or more (v2.30,
/// ncclNvlsInit).
inline bool has_nvls(const Communicator& group) { return group.nvls && group.gpu.nvls_rate && group.per_node > 2; }

/// Seconds per byte of the buffer in steady state, of the scale-up links and of the network; the slower sets the pace.
struct PerByte {
  double scale_up = 0, net = 0;
};
PerByte seconds_per_byte(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, const Communicator& group);

/// Buffers a node of a tree sends to other nodes: up and down in both of two complementary trees, together twice the buffer;
/// between two nodes, where nobody has two children, once.
inline double tree_sends(std::uint32_t nodes) { return nodes == 2 ? 1 : 2; }

/// Levels of a binary tree over so many nodes.
inline std::uint32_t levels(std::uint32_t nodes) {
  return nodes <= 1 ? 0 : static_cast<std::uint32_t>(std::bit_width(nodes - 1));
}

/// NCCL's tuning tables (v2.30, src/graph/tuning.cc), in microseconds and GB/s: what it believes, and the latencies across a
/// network that the time model takes over. By protocol: LL, LL128, Simple.
using ByProtocol = std::array<double, 3>;
struct Tables {
  ByProtocol tree_base, ring_base;  // once per collective
  ByProtocol tree_hop, ring_hop;    // from GPU to GPU inside a node
  ByProtocol tree_net, ring_net;    // from node to node
  double nvls, nvls_net, collnet_net;
  double post;                     // what posting to the network costs a ring's every step; three times that in Simple
  std::array<double, 2> ll_limit;  // LL: two, more nodes
  double ll128_channel;            // LL128 ring, per channel
  std::array<double, 3> tree_channel, tree_ll128_channel;  // per channel: one, two, more nodes
  double link_share;                                       // of the scale-up rate that its rings are counted with
  double nvls_share;                                       // of the same for NVLS, as algorithm bandwidth
};
const Tables& tables(TuningTable generation);

/// NCCL's correction of a tree's bandwidth at middling sizes.
double tree_correction(Protocol protocol, Bytes size);

inline double bytes_per_second(BitsPerSecond rate) { return static_cast<double>(rate.count()) / 8; }
inline std::size_t row(Protocol protocol) { return static_cast<std::size_t>(protocol); }
inline std::size_t spread(std::uint32_t nodes) { return nodes <= 2 ? nodes - 1 : 2; }

}  // namespace railyard::library
