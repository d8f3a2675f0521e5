// Lowers a collective to a schedule, one way per algorithm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "collective/schedule.h"

namespace railyard {

/// Switches that reduce and multicast, for in_network: `parent` of every position 0 … n-1 and of every switch n, n+1, …; one
/// switch, the root, has none. The root has two children or more, and every switch has ranks below it.
struct ReductionTree {
  std::uint32_t switches = 0;
  Table<PositionId, PositionId> parent;
};

/// What an algorithm has to know of a group.
struct Shape {
  std::uint32_t positions = 0;
  std::uint32_t per_domain = 1;  // neighbouring positions that share a scale-up domain; the place in it is the rail
  ReductionTree tree = {};
};

struct LowerOptions {
  std::uint32_t pipeline = 0;              // pieces a pipeline is cut into; 0: pieces of about kPipelinePiece
  std::span<const Bytes> pair_sizes = {};  // uneven all_to_all: what each position has for each, row by row; n * n
};

/// What NCCL hands on in one step of a channel (4 MiB of buffer, 8 steps).
inline constexpr Bytes kPipelinePiece = 512_KiB;
inline constexpr std::uint32_t kLongestPipeline = 512;

/// The algorithms that exist for a kind of collective, the plainest first.
std::span<const CollectiveAlgorithm> algorithms_for(CollectiveKind kind);

/// Sizes are those of nccl-tests: all_reduce, broadcast, reduce, send: the buffer of a rank; all_gather: what is gathered;
/// reduce_scatter: the buffer before; all_to_all: what a rank sends in all, its own part included (not looked at where there
/// are pair sizes). Broadcast and reduce have their root at position 0. Fails (RY-RUN-004) on a kind that does not have the
/// algorithm, on domains that do not divide the group, and on domains of one GPU for nvls.
/// REQUIRES: positions >= 2, size > 0; for in_network a tree that hangs every position on a switch.
Result<Schedule> lower(CollectiveKind kind, CollectiveAlgorithm algorithm, const Shape& shape, Bytes size,
                       const LowerOptions& options = {});

/// The chunk that `from` has for `to` in a schedule of all_to_all: what goes to one rail is neighbours.
std::uint32_t chunk_of_pair(const Shape& shape, PositionId from, PositionId to);

}  // namespace railyard
