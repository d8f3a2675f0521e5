// Rings, and chains for collectives with a root.
//
// The buffer is cut into n chunks of ceil(size / n) bytes; the last may be shorter, or the last few empty. In each of n-1
// reducing and n-1 gathering repeats every position passes one chunk to its right: position p starts with chunk p and then
// passes on what came in, which is the chunk before. After n-1 repeats chunk c is complete at position c-1; n-1 more bring it
// everywhere. Reduce_scatter starts one chunk earlier, so that chunk p is complete at position p.
#include "collective/lowering.h"

namespace railyard {

namespace {

Schedule unrooted_ring(const Task& task) {
  const std::uint32_t n = task.shape.positions;
  Schedule schedule = empty_schedule(task, Chunks::rounded_up(task.size, n));
  switch (task.kind) {
    case CollectiveKind::all_reduce:
      add_rings(schedule, {.behind = 0, .reduce = true});
      add_rings(schedule, {.behind = n - 1});
      break;
    case CollectiveKind::reduce_scatter:
      add_rings(schedule, {.behind = 1, .reduce = true});
      break;
    default:
      add_rings(schedule, {.behind = 0});
      break;
  }
  return schedule;
}

/// Broadcast goes from position to position piece by piece, 0 to n-1; reduce the other way.
Schedule chain(const Task& task) {
  const std::uint32_t n = task.shape.positions, pieces = pipeline_pieces(task);
  Schedule schedule = empty_schedule(task, Chunks::even(task.size, pieces));
  std::vector<Transfer> hops;
  for (std::uint32_t p = 0; p + 1 < n; p++) {
    if (task.kind == CollectiveKind::broadcast)
      hops.push_back({.from = PositionId(p), .to = PositionId(p + 1), .start = p});
    else
      hops.push_back({.from = PositionId(p + 1), .to = PositionId(p), .start = n - 2 - p, .reduce = true});
  }
  add_pipeline(schedule, std::move(hops), pieces);
  return schedule;
}

/// Every position sends its buffer to its right neighbour, as sendrecv of nccl-tests does.
Schedule shift(const Task& task) {
  const std::uint32_t n = task.shape.positions;
  Schedule schedule = empty_schedule(task, Chunks::copies(task.size, n, 1));
  std::vector<Transfer> hops;
  for (std::uint32_t p = 0; p < n; p++) hops.push_back({.from = PositionId(p), .to = PositionId((p + 1) % n), .chunk = p});
  add_round(schedule, std::move(hops));
  return schedule;
}

}  // namespace

Schedule ring_schedule(const Task& task) {
  switch (task.kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
      return chain(task);
    case CollectiveKind::send:
      return shift(task);
    default:
      return unrooted_ring(task);
  }
}

}  // namespace railyard
