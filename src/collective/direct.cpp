// Everybody sends to everybody at once, as on full meshes: one round for what moves one way, two for all_reduce
// (reduce_scatter, then all_gather).
#include "collective/lowering.h"

namespace railyard {

namespace {

/// One round in which every position sends every other the chunk that `chunk(from, to)` names.
template<class Chunk>
void add_exchange(Schedule& schedule, bool reduce, Chunk chunk) {
  std::vector<Transfer> all;
  all.reserve(std::size_t{schedule.positions} * (schedule.positions - 1));
  for (std::uint32_t from = 0; from < schedule.positions; from++)
    for (std::uint32_t to = 0; to < schedule.positions; to++)
      if (from != to)
        all.push_back({.from = PositionId(from), .to = PositionId(to), .chunk = chunk(from, to), .reduce = reduce});
  add_round(schedule, std::move(all));
}

}  // namespace

Schedule direct_schedule(const Task& task) {
  if (task.kind == CollectiveKind::all_to_all) {
    Schedule schedule = empty_schedule(task, pair_chunks(task));
    add_exchange(schedule, false, [&](std::uint32_t from, std::uint32_t to) {
      return chunk_of_pair(task.shape, PositionId(from), PositionId(to));
    });
    return schedule;
  }
  Schedule schedule = empty_schedule(task, Chunks::even(task.size, task.shape.positions));
  if (task.kind != CollectiveKind::all_gather) add_exchange(schedule, true, [](std::uint32_t, std::uint32_t to) { return to; });
  if (task.kind != CollectiveKind::reduce_scatter)
    add_exchange(schedule, false, [](std::uint32_t from, std::uint32_t) { return from; });
  return schedule;
}

}  // namespace railyard
