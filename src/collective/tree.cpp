// The double binary tree of NCCL (Sanders, Speck and Träff, Two-tree algorithms for full bandwidth broadcast, reduction and
// scan, 2009): each of two trees carries half of the buffer, piece by piece, and a rank that has children in one is a leaf of
// the other, so that all links are in use. With an odd number of ranks one rank has one child in each.
#include <algorithm>

#include "collective/lowering.h"

namespace railyard {

namespace {

/// The parent in the tree whose leaves are the odd nodes; node 0 is the root and has one child.
std::uint32_t binary_tree_parent(std::uint32_t node, std::uint32_t nodes) {
  if (node == 0) return RootedTree::kNone;
  const std::uint32_t bit = node & (~node + 1);
  const std::uint32_t up = (node ^ bit) | (bit << 1);
  return up < nodes ? up : node ^ bit;
}

/// Pieces of a connection that are under way at once: the slots of its buffer (NCCL_STEPS). Already two keep a link busy as
/// long as a piece takes longer than the way.
constexpr std::uint32_t kPiecesInFlight = 8;

/// The two trees are channels of their own, and in each one group of warps passes pieces up and another down, so that no piece
/// waits for another that it does not need. Only the root turns what has come up round.
constexpr std::uint32_t kThreads = 4;  // up and down one tree, up and down the other

struct TwoTrees {
  RootedTree tree[2];
};

/// The second tree is the first one mirrored, or shifted by one when the middle node would stay where it is.
TwoTrees two_trees(std::uint32_t nodes) {
  std::vector<std::uint32_t> first(nodes), second(nodes);
  const auto moved = [nodes](std::uint32_t node) { return nodes % 2 == 0 ? nodes - 1 - node : (node + 1) % nodes; };
  for (std::uint32_t node = 0; node < nodes; node++) {
    const std::uint32_t parent = first[node] = binary_tree_parent(node, nodes);
    second[moved(node)] = parent == RootedTree::kNone ? parent : moved(parent);
  }
  return {{rooted_tree(std::move(first)), rooted_tree(std::move(second))}};
}

std::uint32_t add_all_reduce(std::vector<Transfer>& to, const RootedTree& tree, const TreeTask& task, Transfer run) {
  run.reduce = true;
  add_upwards(to, tree, task.seats, run);
  run.reduce = false;
  run.start += tree.levels();
  const std::uint32_t up = run.sender;
  if (task.threads) run.sender = run.receiver = up + 1;
  const std::size_t first = to.size();
  add_downwards(to, tree, task.seats, run);
  for (std::size_t i = first; i < to.size(); i++)
    if (to[i].from == task.seats[tree.root]) to[i].sender = up;
  return run.start + tree.levels();
}

/// The tree spans the seats behind the first, which feeds its root or is fed by it.
std::uint32_t add_rooted(std::vector<Transfer>& to, const RootedTree& tree, const TreeTask& task, Transfer run) {
  const std::vector<PositionId> others(task.seats.begin() + 1, task.seats.end());
  const std::uint32_t end = run.start + 1 + tree.levels();
  Transfer last = run;
  if (task.kind == CollectiveKind::broadcast) {
    run.start++;
    add_downwards(to, tree, others, run);
    last.from = task.seats[0];
    last.to = others[tree.root];
  } else {
    run.reduce = last.reduce = true;
    add_upwards(to, tree, others, run);
    last.start += tree.levels();
    last.from = others[tree.root];
    last.to = task.seats[0];
  }
  to.push_back(last);
  return end;
}

}  // namespace

std::uint32_t add_two_trees(std::vector<Transfer>& to, const TreeTask& task) {
  RY_CHECK(task.seats.size() >= 2, "a tree has somebody to talk to");
  const auto nodes = static_cast<std::uint32_t>(task.seats.size());
  const bool rooted = task.kind != CollectiveKind::all_reduce;
  const TwoTrees trees = two_trees(rooted ? nodes - 1 : nodes);
  std::uint32_t end = task.start;
  for (std::uint32_t half = 0; half < 2; half++) {
    const std::uint32_t thread = task.threads ? 2 * half : 0;
    const Transfer run{.chunk = task.chunk + half * task.pieces, .start = task.start, .sender = thread, .receiver = thread};
    end = std::max(end, (rooted ? add_rooted : add_all_reduce)(to, trees.tree[half], task, run));
  }
  return end;
}

Schedule tree_schedule(const Task& task) {
  const std::uint32_t pieces = pipeline_pieces(task, 2);
  Schedule schedule = empty_schedule(task, Chunks::even(task.size, 2, pieces));
  TreeTask all{.kind = task.kind, .seats = {}, .pieces = pieces, .threads = true};
  for (std::uint32_t p = 0; p < task.shape.positions; p++) all.seats.emplace_back(p);
  std::vector<Transfer> edges;
  add_two_trees(edges, all);
  schedule.threads = kThreads;
  add_pipeline(schedule, std::move(edges), pieces, kPiecesInFlight);
  return schedule;
}

}  // namespace railyard
