// Recursive halving and doubling (Thakur, Rabenseifner and Gropp, Optimization of collective communication operations in MPICH,
// 2005): in step i of a reduce_scatter a rank swaps half of what it still has with the rank n / 2^i away, and gathers the other
// way round.
//
// A number of ranks that is no power of two leaves e ranks beyond the largest power r in it. Each of the first e pairs lets its
// even rank work for both: the odd one hands it what it has before, and gets its result after.
#include <algorithm>
#include <bit>

#include "collective/lowering.h"

namespace railyard {

namespace {

/// The r working ranks and the chunks they share. All_reduce has one chunk per worker, the others one per position.
struct Workers {
  std::uint32_t positions, count, pairs;
  bool chunk_per_position;

  explicit Workers(const Task& task)
      : positions(task.shape.positions),
        count(std::bit_floor(positions)),
        pairs(positions - count),
        chunk_per_position(task.kind != CollectiveKind::all_reduce) {}

  [[nodiscard]] std::uint32_t chunks() const { return chunk_per_position ? positions : count; }
  [[nodiscard]] PositionId position(std::uint32_t worker) const {
    return PositionId(worker < pairs ? 2 * worker : worker + pairs);
  }
  /// Where the chunks of workers `worker`, `worker` + 1, … begin.
  [[nodiscard]] std::uint32_t first_chunk(std::uint32_t worker) const {
    return chunk_per_position ? std::min(2 * worker, worker + pairs) : worker;
  }
};

Transfer run(PositionId from, PositionId to, std::uint32_t first, std::uint32_t end, bool reduce) {
  return {.from = from, .to = to, .chunk = first, .chunks = end - first, .reduce = reduce};
}

/// One swap of every worker with the one `distance` away. Halving, it gives away the half of its range it does not work on;
/// doubling, all it has.
void add_swap(Schedule& schedule, const Workers& workers, std::uint32_t distance, bool halving) {
  std::vector<Transfer> swaps;
  for (std::uint32_t worker = 0; worker < workers.count; worker++) {
    const std::uint32_t peer = worker ^ distance;
    const std::uint32_t first = (halving ? peer : worker) & ~(distance - 1);
    swaps.push_back(run(workers.position(worker), workers.position(peer), workers.first_chunk(first),
                        workers.first_chunk(first + distance), halving));
  }
  add_round(schedule, std::move(swaps));
}

/// What passes between the two of every pair: all chunks, or all but that of the odd one, or that one alone.
enum class Share : std::uint8_t { all, all_but_own, own };

void add_pairs(Schedule& schedule, const Workers& workers, bool to_worker, Share share, bool reduce) {
  std::vector<Transfer> steps;
  for (std::uint32_t pair = 0; pair < workers.pairs; pair++) {
    const PositionId worker(2 * pair), odd(2 * pair + 1);
    const PositionId from = to_worker ? odd : worker, to = to_worker ? worker : odd;
    const std::uint32_t own = odd.index(), end = workers.chunks();
    if (share == Share::all) steps.push_back(run(from, to, 0, end, reduce));
    if (share == Share::own) steps.push_back(run(from, to, own, own + 1, reduce));
    if (share != Share::all_but_own) continue;
    steps.push_back(run(from, to, 0, own, reduce));
    steps.push_back(run(from, to, own + 1, end, reduce));
  }
  add_round(schedule, std::move(steps));
}

void add_halving(Schedule& schedule, const Workers& workers) {
  for (std::uint32_t distance = workers.count / 2; distance > 0; distance /= 2) add_swap(schedule, workers, distance, true);
}

void add_doubling(Schedule& schedule, const Workers& workers) {
  for (std::uint32_t distance = 1; distance < workers.count; distance *= 2) add_swap(schedule, workers, distance, false);
}

}  // namespace

Schedule halving_doubling_schedule(const Task& task) {
  const Workers workers(task);
  Schedule schedule = empty_schedule(task, Chunks::even(task.size, workers.chunks()));
  switch (task.kind) {
    case CollectiveKind::all_reduce:
      add_pairs(schedule, workers, true, Share::all, true);
      add_halving(schedule, workers);
      add_doubling(schedule, workers);
      add_pairs(schedule, workers, false, Share::all, false);
      break;
    case CollectiveKind::reduce_scatter:  // the odd rank keeps its own share of its own chunk and adds the rest at the end
      add_pairs(schedule, workers, true, Share::all_but_own, true);
      add_halving(schedule, workers);
      add_pairs(schedule, workers, false, Share::own, true);
      break;
    default:
      add_pairs(schedule, workers, true, Share::own, false);
      add_doubling(schedule, workers);
      add_pairs(schedule, workers, false, Share::all_but_own, false);
      break;
  }
  return schedule;
}

}  // namespace railyard
