// Steady state: what the links carry per byte of the buffer, and how fast the library drives them.
#include <algorithm>

#include "base/check.h"
#include "collective/library_parts.h"

namespace railyard {

using enum CollectiveAlgorithm;

namespace {

// Trees reach a little less than rings inside a node, as NCCL counts.
constexpr double kTreeShare = 0.92;
constexpr double kLlShare = 0.5, kLl128Share = 120.0 / 128.0;  // payload of what is sent

using library::bytes_per_second;
bool rooted(CollectiveKind kind) { return kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce; }

/// Of its links, those a GPU can use: all behind a switch, one per peer in a mesh.
double usable(const Communicator& group) {
  return group.gpu.mesh_peers == 0 ? 1 : std::min(1.0, double(group.per_node - 1) / group.gpu.mesh_peers);
}

/// Bytes one GPU sends through its scale-up links, and one node through its NICs, per byte of the buffer.
struct Load {
  double link = 0, net = 0;
};

Load load_of(CollectiveKind kind, CollectiveAlgorithm algorithm, const Communicator& group) {
  const double n = group.ranks, p = group.per_node;
  const bool across = group.nodes > 1;
  switch (algorithm) {
    case ring: {  // of the p hops a ring makes per node, one leaves it
      const double sent = bus_factor(kind, group.ranks);
      return {across ? sent * (p - 1) / p : sent, across ? sent : 0};
    }
    case tree:
      return {p > 1 ? 2.0 : 0.0, across ? library::tree_sends(group.nodes) : 0};
    case nvls:
      return {1 + 1 / p, across ? library::tree_sends(group.nodes) : 0};  // the whole buffer to the switch, its share back
    case in_network:
      return {p == 1 ? 0 : library::has_nvls(group) ? 1 + 1 / p : 2, 1};
    default:
      break;
  }
  if (kind == CollectiveKind::send) return across ? Load{0, 1} : Load{1, 0};
  return {(p - 1) / n, p * (n - p) / n};
}

/// Bus bandwidth of an all-reduce in the scale-up switch: with few GPUs what each gets back weighs more (load_of), beyond eight
/// it stays (GB200 NVL72: 850 GB/s on 32 GPUs as on 8).
double nvls_rate(const Communicator& group) {
  const double p = group.per_node;
  return bytes_per_second(*group.gpu.nvls_rate) * std::min(1.0, 9 * (p - 1) / (7 * (p + 1)));
}

double ring_rate(Protocol protocol, const Communicator& group) {
  const CommFact& gpu = group.gpu;
  const double simple = bytes_per_second(gpu.ring_rate) * usable(group);
  if (protocol == Protocol::simple) return simple;
  if (protocol == Protocol::ll128) return std::min(simple, bytes_per_second(gpu.ll128_rate));
  return std::min(simple, bytes_per_second(gpu.ll_rate));
}

double scale_up_seconds(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, double link,
                        const Communicator& group) {
  if (link == 0) return 0;
  const bool switched = algorithm == nvls || (algorithm == in_network && library::has_nvls(group));
  if (switched) return bus_factor(kind, group.ranks) / nvls_rate(group);
  if (algorithm == direct && kind == CollectiveKind::send)
    return link / (bytes_per_second(group.gpu.ring_rate) / std::max(1U, group.gpu.mesh_peers));
  if (algorithm == direct) return link / (bytes_per_second(group.gpu.all_to_all_rate) * usable(group));
  const double share = rooted(kind) ? group.constants.chain_share : algorithm == ring ? 1 : kTreeShare;
  return link / (ring_rate(protocol, group) * share);
}

double net_rate(CollectiveKind kind, CollectiveAlgorithm algorithm, const Communicator& group) {
  if (kind == CollectiveKind::send) return group.net.point / group.nics_per_node;
  if (algorithm == direct) return group.net.all_to_all;
  return algorithm == ring || algorithm == in_network ? group.net.ring : group.net.tree;
}

double net_seconds(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, double net,
                   const Communicator& group) {
  if (net == 0) return 0;
  const bool exchange = kind == CollectiveKind::all_to_all;
  double rate = net_rate(kind, algorithm, group) * (exchange ? group.gpu.net_all_to_all_share : group.gpu.net_share);
  if (rooted(kind)) rate *= group.constants.chain_share;
  if (protocol == Protocol::ll128) rate *= kLl128Share;
  // Flags are checked by the host that passes LL on: NCCL's limit for it, which counts bus bandwidth.
  if (protocol == Protocol::ll)
    rate = std::min(rate * kLlShare, library::tables(group.gpu.tuning).ll_limit[library::spread(group.nodes) - 1] * 1e9);
  return net / rate;
}

}  // namespace

double bus_factor(CollectiveKind kind, std::uint32_t ranks) {
  const double n = ranks;
  switch (kind) {
    case CollectiveKind::all_reduce:
      return 2 * (n - 1) / n;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
      return (n - 1) / n;
    default:
      return 1;
  }
}

Picoseconds physical_bound(CollectiveKind kind, CollectiveAlgorithm algorithm, Bytes size, const Communicator& group) {
  const Load load = load_of(kind, algorithm, group);
  const double net = load.net == 0 ? 0 : load.net / net_rate(kind, algorithm, group);
  const double link = load.link == 0 ? 0 : load.link / group.link;
  return from_seconds(std::max(net, link) * static_cast<double>(size.count()));
}

bool library::exists(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, const Communicator& group) {
  const bool reduces = kind == CollectiveKind::all_reduce;
  const bool point = kind == CollectiveKind::all_to_all || kind == CollectiveKind::send;
  const bool simple = protocol == Protocol::simple;
  if (!simple && !group.in_order && group.nodes > 1) return false;
  switch (algorithm) {
    case ring:
      return !point;
    case tree:
      return reduces;
    case nvls:
      return reduces && simple && library::has_nvls(group);
    case in_network:
      return reduces && simple && group.in_network && group.nodes > 1 && group.library == Library::nccl;
    case direct:
      return point && simple;
    default:
      return false;
  }
}

library::PerByte library::seconds_per_byte(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol,
                                           const Communicator& group) {
  const Load load = load_of(kind, algorithm, group);
  return {scale_up_seconds(kind, algorithm, protocol, load.link, group),
          net_seconds(kind, algorithm, protocol, load.net, group)};
}

}  // namespace railyard
