// How long one algorithm with one protocol takes: launch, steps, filling the pipeline, then bytes at the steady rate.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "collective/library_parts.h"

namespace railyard {

using enum CollectiveAlgorithm;

namespace {

// What a channel passes on at a time in a chain: one step of its buffer. LL and LL128 pass on lines as they come.
constexpr double kChainChunk = library::kChannelBuffer / 8;
// Serving one more peer, as NCCL counts for every GPU beyond the first that a reduction gathers from.
constexpr double kPeer = 0.4e-6;
constexpr double kMicro = 1e-6;

double step_inside(Protocol protocol, const CommFact& gpu) {
  if (protocol == Protocol::ll) return seconds(gpu.ll_step);
  return seconds(protocol == Protocol::ll128 ? gpu.ll128_step : gpu.simple_step);
}

/// Steps of a ring one after the other: inside nodes, and between them.
struct Steps {
  double inside = 0, across = 0;
};

Steps ring_steps(CollectiveKind kind, const Communicator& group) {
  const double all = group.ranks - 1, across = group.nodes - 1, times = kind == CollectiveKind::all_reduce ? 2 : 1;
  return {times * (all - across), times * across};
}

/// The part of the time that does not depend on the size.
double fixed_seconds(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, const Communicator& group) {
  const library::Tables& table = library::tables(group.gpu.tuning);
  const double launch = seconds(group.gpu.launch), path = seconds(group.net_latency);
  const double inside = step_inside(protocol, group.gpu);
  const double levels = 2.0 * library::levels(group.nodes) * (table.tree_net[library::row(protocol)] * kMicro + path);
  const double in_switch =
      library::has_nvls(group) ? seconds(*group.gpu.nvls_latency) * std::min(1.0, group.per_node / 8.0) : 2 * inside;
  switch (algorithm) {
    case ring: {
      const Steps steps = ring_steps(kind, group);
      return launch + steps.inside * inside + steps.across * (table.ring_net[library::row(protocol)] * kMicro + path);
    }
    case tree:
      return launch + 2 * (group.per_node - 1) * inside + levels;
    case nvls:
      return launch + in_switch + levels;
    case in_network:
      return launch + in_switch + table.collnet_net * kMicro + 2 * path;
    default:
      break;
  }
  const double net = group.nodes > 1 ? table.ring_net[library::row(protocol)] * kMicro + path : 0;
  return launch + inside + net + (kind == CollectiveKind::all_to_all ? (group.ranks - 1) * kPeer : 0);
}

/// What it takes until every stage of the pipeline is at work. It grows with the buffer until the buffers of all channels are
/// full, and stays from there on. Messages sent directly have no stages.
double fill_seconds(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, double size,
                    const library::PerByte& per_byte, const Communicator& group) {
  if (algorithm == direct) return 0;
  const double channels = group.gpu.channels, slice = per_byte.scale_up > 0 ? per_byte.scale_up : per_byte.net;
  double fill = 0;
  if (protocol != Protocol::ll) fill += library::kSliceShare * std::min(size, channels * library::kChannelBuffer) * slice;
  const bool chain = kind == CollectiveKind::broadcast || kind == CollectiveKind::reduce;
  if (chain && protocol == Protocol::simple) fill += (group.ranks - 1) * std::min(size / 8, channels * kChainChunk) * slice;
  if ((algorithm == tree || algorithm == nvls) && group.nodes > 1) {
    const LibraryFact& level = group.constants;
    const double loss = seconds(level.level_loss) / (1 << 30);  // per byte
    fill += 2.0 * library::levels(group.nodes) *
            (std::min(size / 4 * per_byte.net, seconds(level.level_fill)) +
             loss * std::min(size, static_cast<double>(level.level_loss_up_to.count())));
  }
  return fill;
}

/// Channels NCCL puts to work: each needs enough bytes for its threads (8 bytes each, times the ranks in a ring, with LL and
/// LL128; 64 with Simple).
std::uint32_t channels_of(CollectiveAlgorithm algorithm, Protocol protocol, Bytes size, const Communicator& group) {
  constexpr double kThreads = 512;
  const double ranks = algorithm == ring && protocol == Protocol::ll ? group.ranks : 1;
  const double each = kThreads * (protocol == Protocol::simple ? 64 : 8 * ranks);
  const double wanted = std::ceil(static_cast<double>(size.count()) / each);
  return static_cast<std::uint32_t>(std::clamp(wanted, 1.0, double(group.gpu.channels)));
}

}  // namespace

std::optional<Estimate> estimate(CollectiveKind kind, CollectiveAlgorithm algorithm, Protocol protocol, Bytes size,
                                 const Communicator& group) {
  RY_CHECK(group.ranks >= 2 && group.ranks == group.per_node * group.nodes, "ranks are spread evenly over nodes");
  RY_CHECK(size > Bytes::zero(), "a collective moves at least one byte");
  if (!library::exists(kind, algorithm, protocol, group)) return std::nullopt;
  const double bytes = static_cast<double>(size.count());
  const library::PerByte per_byte = library::seconds_per_byte(kind, algorithm, protocol, group);
  const double fixed = fixed_seconds(kind, algorithm, protocol, group);
  const double time = fixed + fill_seconds(kind, algorithm, protocol, bytes, per_byte, group) +
                      bytes * std::max(per_byte.scale_up, per_byte.net);
  Estimate found{algorithm,           protocol, channels_of(algorithm, protocol, size, group), from_seconds(time),
                 from_seconds(fixed), 0};
  RY_CHECK(found.time >= physical_bound(kind, algorithm, size, group), "no collective beats its links");
  found.bus_bandwidth = bytes * bus_factor(kind, group.ranks) / time;
  return found;
}

}  // namespace railyard
