// What the lowerings share. Seen inside this folder only.
#pragma once

#include <cstdint>
#include <vector>

#include "collective/lower.h"

namespace railyard {

/// What is to be lowered. The kind is one the algorithm exists for.
struct Task {
  CollectiveKind kind;
  const Shape& shape;
  Bytes size;
  const LowerOptions& options;

  [[nodiscard]] std::uint32_t domains() const { return shape.positions / shape.per_domain; }
};

Schedule ring_schedule(const Task& task);
Schedule tree_schedule(const Task& task);
Schedule halving_doubling_schedule(const Task& task);
Schedule direct_schedule(const Task& task);
Schedule hierarchical_schedule(const Task& task);
Schedule pxn_schedule(const Task& task);
Schedule nvls_schedule(const Task& task);
Schedule in_network_schedule(const Task& task);

/// Without switches and rounds.
Schedule empty_schedule(const Task& task, Chunks chunks);
/// The chunks of an all_to_all, in the order of chunk_of_pair.
Chunks pair_chunks(const Task& task);

/// Pieces a pipeline cuts each of `parts` parts of the buffer into: as many as asked for, none empty.
std::uint32_t pipeline_pieces(const Task& task, std::uint32_t parts = 1);

/// Transfers that are done once and at once. Those without bytes are left out, and so is a round without transfers.
void add_round(Schedule& schedule, std::vector<Transfer> transfers);

/// Transfers that are done `pieces` times, each from its start on, moving the next chunk each time, with `window` pieces under
/// way at once. Without bytes: left out.
void add_pipeline(Schedule& schedule, std::vector<Transfer> transfers, std::uint32_t pieces, std::uint32_t window = 1);

/// One ring per rail over all domains, rings of single positions for domains of one. Every position starts with the `pieces`
/// chunks of the position `behind` domains before it on its ring and then passes on what came in.
struct Rings {
  std::uint32_t per_domain = 1;
  std::uint32_t pieces = 1;
  std::uint32_t behind = 0;
  bool reduce = false;
};
void add_rings(Schedule& schedule, const Rings& rings);

/// A tree over nodes 0 … n-1 that know their parent, one of them (the root) having none.
struct RootedTree {
  static constexpr std::uint32_t kNone = 0xffff'ffff;
  std::vector<std::uint32_t> parent;
  std::vector<std::uint32_t> height;  // hops to the farthest leaf below
  std::vector<std::uint32_t> depth;   // hops to the root
  std::uint32_t root = kNone;

  [[nodiscard]] std::uint32_t levels() const { return height[root]; }
};
RootedTree rooted_tree(std::vector<std::uint32_t> parent);

/// What the edges of a tree carry: `run` from node i, which sits at seats[i], to its parent or the other way; the first edges
/// start at run.start.
void add_upwards(std::vector<Transfer>& to, const RootedTree& tree, const std::vector<PositionId>& seats, Transfer run);
void add_downwards(std::vector<Transfer>& to, const RootedTree& tree, const std::vector<PositionId>& seats, Transfer run);

/// An all_reduce, broadcast or reduce over the two trees of NCCL, with its root at the first seat: piece by piece, the chunks
/// `chunk` + i over one tree and `chunk` + `pieces` + i over the other.
struct TreeTask {
  CollectiveKind kind;
  std::vector<PositionId> seats;
  std::uint32_t chunk = 0;
  std::uint32_t pieces = 1;
  std::uint32_t start = 0;
  bool threads = false;  // every tree and direction has a thread of its own; else one has them all
};
/// Appends its edges and returns the first start at which every seat has what it gets. REQUIRES: two seats or more.
std::uint32_t add_two_trees(std::vector<Transfer>& to, const TreeTask& task);

}  // namespace railyard
