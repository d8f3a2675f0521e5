// Reduction in the switches of the network (SHARP: Graham et al., Scalable hierarchical aggregation protocol, 2016): switches
// form a tree, each adds up what comes from below and hands on what comes from above, piece by piece. A host sends its buffer
// once and receives the result once.
//
// Collectives with a root let data flow along the same tree, from or to position 0, on the shortest way.
#include <algorithm>

#include "collective/lowering.h"

namespace railyard {

namespace {

Schedule with_switches(const Task& task, Chunks chunks) {
  const ReductionTree& tree = task.shape.tree;
  RY_CHECK(tree.switches >= 1, "reduction in the network takes a switch");
  RY_CHECK(tree.parent.size() == std::size_t{task.shape.positions} + tree.switches, "every rank and switch has its place");
  for (std::uint32_t p = 0; p < task.shape.positions; p++) {
    const PositionId parent = tree.parent[PositionId(p)];
    RY_CHECK(parent.valid() && parent.index() >= task.shape.positions, "every rank hangs on a switch");
  }
  std::vector<std::uint32_t> children(tree.parent.size(), 0);
  for (const PositionId position : ids(tree.parent))
    if (tree.parent[position].valid()) children[tree.parent[position].index()]++;
  for (std::size_t s = task.shape.positions; s < children.size(); s++)
    RY_CHECK(children[s] >= (tree.parent[PositionId(static_cast<std::uint32_t>(s))].valid() ? 1 : 2),
             "no switch is a dead end");
  Schedule schedule = empty_schedule(task, std::move(chunks));
  schedule.switches = tree.switches;
  schedule.parent = tree.parent;
  return schedule;
}

RootedTree switch_tree(const ReductionTree& tree) {
  std::vector<std::uint32_t> parent;
  for (const PositionId up : tree.parent) parent.push_back(up.valid() ? up.index() : RootedTree::kNone);
  return rooted_tree(std::move(parent));
}

/// The same tree with position 0 as its root.
RootedTree hung_at_first(const ReductionTree& tree) {
  std::vector<std::uint32_t> parent;
  for (const PositionId up : tree.parent) parent.push_back(up.valid() ? up.index() : RootedTree::kNone);
  std::uint32_t at = 0, below = RootedTree::kNone;
  while (at != RootedTree::kNone) {  // turns the edges between 0 and the old root around
    const std::uint32_t up = parent[at];
    parent[at] = below;
    below = at;
    at = up;
  }
  return rooted_tree(std::move(parent));
}

std::vector<PositionId> all_seats(const Schedule& schedule) {
  std::vector<PositionId> seats;
  for (const PositionId position : ids(schedule.parent)) seats.push_back(position);
  return seats;
}

/// Positions first … first+count-1.
struct Range {
  std::uint32_t first, count;
};

/// For every node the ranges of positions at and below it.
std::vector<std::vector<Range>> ranges_below(const RootedTree& tree, std::uint32_t positions) {
  std::vector<std::vector<Range>> below(tree.parent.size());
  for (std::uint32_t p = 0; p < positions; p++) {
    for (std::uint32_t at = p; at != RootedTree::kNone; at = tree.parent[at]) {
      if (!below[at].empty() && below[at].back().first + below[at].back().count == p)
        below[at].back().count++;
      else
        below[at].push_back({p, 1});
    }
  }
  return below;
}

std::vector<Range> all_but(const std::vector<Range>& ranges, std::uint32_t positions) {
  std::vector<Range> rest;
  std::uint32_t next = 0;
  for (const Range& range : ranges) {
    if (range.first > next) rest.push_back({next, range.first - next});
    next = range.first + range.count;
  }
  if (next < positions) rest.push_back({next, positions - next});
  return rest;
}

Transfer parts(PositionId from, PositionId to, const Range& range, std::uint32_t pieces, std::uint32_t start) {
  return {.from = from, .to = to, .chunk = range.first * pieces, .chunks = range.count, .stride = pieces, .start = start};
}

/// Everything goes up, reduced; down goes what is wanted below.
void add_reduce_scatter(std::vector<Transfer>& edges, const Task& task, const RootedTree& tree,
                        const std::vector<PositionId>& seats, std::uint32_t pieces) {
  const std::uint32_t n = task.shape.positions;
  add_upwards(edges, tree, seats, {.chunks = n, .stride = pieces, .reduce = true});
  const auto below = ranges_below(tree, n);
  for (std::uint32_t node = 0; node < seats.size(); node++)
    for (const Range& range : node == tree.root ? std::vector<Range>{} : below[node])
      edges.push_back(parts(seats[tree.parent[node]], seats[node], range, pieces, tree.levels() + tree.depth[node] - 1));
}

/// Up goes what is there below, down everything else.
void add_all_gather(std::vector<Transfer>& edges, const Task& task, const RootedTree& tree,
                    const std::vector<PositionId>& seats, std::uint32_t pieces) {
  const std::uint32_t n = task.shape.positions;
  const auto below = ranges_below(tree, n);
  for (std::uint32_t node = 0; node < seats.size(); node++) {
    if (node == tree.root || below[node].empty()) continue;
    const PositionId up = seats[tree.parent[node]];
    for (const Range& range : below[node]) edges.push_back(parts(seats[node], up, range, pieces, tree.height[node]));
    for (const Range& range : all_but(below[node], n))
      edges.push_back(parts(up, seats[node], range, pieces, tree.levels() + tree.depth[node] - 1));
  }
}

}  // namespace

Schedule in_network_schedule(const Task& task) {
  const bool by_part = task.kind == CollectiveKind::all_gather || task.kind == CollectiveKind::reduce_scatter;
  const std::uint32_t parts = by_part ? task.shape.positions : 1, pieces = pipeline_pieces(task, parts);
  Schedule schedule = with_switches(task, Chunks::even(task.size, parts, pieces));
  const std::vector<PositionId> seats = all_seats(schedule);
  const RootedTree tree = switch_tree(task.shape.tree);
  std::vector<Transfer> edges;
  switch (task.kind) {
    case CollectiveKind::all_reduce:
      add_upwards(edges, tree, seats, {.reduce = true});
      add_downwards(edges, tree, seats, {.start = tree.levels()});
      break;
    case CollectiveKind::broadcast:
      add_downwards(edges, hung_at_first(task.shape.tree), seats, {});
      break;
    case CollectiveKind::reduce:
      add_upwards(edges, hung_at_first(task.shape.tree), seats, {.reduce = true});
      break;
    case CollectiveKind::reduce_scatter:
      add_reduce_scatter(edges, task, tree, seats, pieces);
      break;
    default:
      add_all_gather(edges, task, tree, seats, pieces);
      break;
  }
  add_pipeline(schedule, std::move(edges), pieces);
  return schedule;
}

}  // namespace railyard
