// In two levels: a scale-up domain shares the work out among its GPUs (directly, everybody to everybody), then the GPUs of one
// rail do the collective among the domains (rings, or chains where there is a root), each with its part of the buffer, then the
// domain puts the parts together (Cho et al., BlueConnect, 2019).
#include "collective/lowering.h"

namespace railyard {

namespace {

/// What a GPU of `rail` works on: `count` chunks, `stride` apart.
struct Parts {
  std::uint32_t count, stride, per_rail;  // per_rail: from the first chunk of a rail to that of the next
};

/// Inside each domain: every GPU sends to every other. Scattering, it sends the parts of the receiver's rail; gathering, those
/// of its own rail.
void add_inside(Schedule& schedule, const Task& task, const Parts& parts, bool scatter, bool reduce) {
  const std::uint32_t rails = task.shape.per_domain;
  std::vector<Transfer> all;
  for (std::uint32_t from = 0; from < task.shape.positions; from++)
    for (std::uint32_t rail = 0; rail < rails; rail++)
      if (rail != from % rails)
        all.push_back({.from = PositionId(from),
                       .to = PositionId(from / rails * rails + rail),
                       .chunk = (scatter ? rail : from % rails) * parts.per_rail,
                       .chunks = parts.count,
                       .stride = parts.stride,
                       .reduce = reduce});
  add_round(schedule, std::move(all));
}

/// Between the root and the other GPUs of its domain: each one's part.
void add_root(Schedule& schedule, const Task& task, const Parts& parts) {
  std::vector<Transfer> all;
  for (std::uint32_t rail = 1; rail < task.shape.per_domain; rail++) {
    Transfer part{.from = PositionId(0),
                  .to = PositionId(rail),
                  .chunk = rail * parts.per_rail,
                  .chunks = parts.count,
                  .stride = parts.stride};
    if (task.kind == CollectiveKind::reduce) std::swap(part.from, part.to);
    all.push_back(part);
  }
  add_round(schedule, std::move(all));
}

/// A pipelined chain per rail, away from domain 0 for broadcast, towards it for reduce.
void add_chains(Schedule& schedule, const Task& task, std::uint32_t pieces) {
  const std::uint32_t rails = task.shape.per_domain, domains = task.domains();
  std::vector<Transfer> hops;
  for (std::uint32_t p = 0; p + rails < task.shape.positions; p++) {
    const std::uint32_t domain = p / rails, chunk = p % rails * pieces;
    const PositionId near(p), far(p + rails);
    if (task.kind == CollectiveKind::broadcast)
      hops.push_back({.from = near, .to = far, .chunk = chunk, .start = domain});
    else
      hops.push_back({.from = far, .to = near, .chunk = chunk, .start = domains - 2 - domain, .reduce = true});
  }
  add_pipeline(schedule, std::move(hops), pieces);
}

/// Gathering inside the domains at the end of a broadcast; the root has everything already.
void add_gather_but_root(Schedule& schedule, const Task& task, const Parts& parts) {
  add_inside(schedule, task, parts, false, false);
  if (schedule.rounds.empty() || task.shape.per_domain == 1) return;
  std::erase_if(schedule.rounds.back().transfers, [](const Transfer& t) { return t.to == PositionId(0); });
}

Schedule rooted(const Task& task) {
  const std::uint32_t pieces = pipeline_pieces(task, task.shape.per_domain);
  Schedule schedule = empty_schedule(task, Chunks::even(task.size, task.shape.per_domain, pieces));
  const Parts parts{.count = pieces, .stride = 1, .per_rail = pieces};
  if (task.kind == CollectiveKind::broadcast) {
    add_root(schedule, task, parts);
    add_chains(schedule, task, pieces);
    add_gather_but_root(schedule, task, parts);
  } else {
    add_inside(schedule, task, parts, true, true);
    add_chains(schedule, task, pieces);
    add_root(schedule, task, parts);
  }
  return schedule;
}

}  // namespace

Schedule hierarchical_schedule(const Task& task) {
  if (task.kind == CollectiveKind::broadcast || task.kind == CollectiveKind::reduce) return rooted(task);
  // Chunk p belongs to position p; a rail works on the chunks of all its positions.
  const std::uint32_t rails = task.shape.per_domain, domains = task.domains();
  Schedule schedule = empty_schedule(task, Chunks::even(task.size, task.shape.positions));
  const Parts parts{.count = domains, .stride = rails, .per_rail = 1};
  if (task.kind != CollectiveKind::all_gather) {
    add_inside(schedule, task, parts, true, true);
    add_rings(schedule, {.per_domain = rails, .behind = 1, .reduce = true});
  }
  if (task.kind != CollectiveKind::reduce_scatter) {
    add_rings(schedule, {.per_domain = rails});
    add_inside(schedule, task, parts, false, false);
  }
  return schedule;
}

}  // namespace railyard
