// NVLink SHARP: the switch of a scale-up domain reduces what its GPUs send and multicasts what one of them sends. A GPU looks
// after a part of the buffer: it gets the part's sum from the switch (multimem.ld_reduce) and sends the result for all
// (multimem.st). Several domains do the collective between these two steps, along the rails: over NCCL's two trees (NVLSTree),
// or over rings for all_gather and reduce_scatter. All steps of a pipeline run at once on successive pieces.
//
// Switch of domain b: position n + b. Chunks of a part lie `pieces` apart.
#include "collective/lowering.h"

namespace railyard {

namespace {

class Nvls {
 public:
  /// `parts_per_rail`: into how many parts the share of a rail is cut.
  Nvls(const Task& task, std::uint32_t parts_per_rail)
      : task_(task),
        rails_(task.shape.per_domain),
        domains_(task.domains()),
        parts_per_rail_(parts_per_rail),
        pieces_(pipeline_pieces(task, rails_ * parts_per_rail)),
        schedule_(empty_schedule(task, Chunks::even(task.size, rails_ * parts_per_rail, pieces_))) {
    const std::uint32_t n = task.shape.positions;
    schedule_.switches = domains_;
    schedule_.parent = Table<PositionId, PositionId>(n + domains_);
    for (std::uint32_t p = 0; p < n; p++) schedule_.parent[PositionId(p)] = PositionId(n + p / rails_);
  }

  Schedule all_reduce();
  Schedule broadcast();
  Schedule reduce();
  Schedule all_gather();
  Schedule reduce_scatter();

 private:
  /// Every part of the buffer, and those a rail works on: neighbours, or for collectives with a chunk per position one per
  /// domain.
  [[nodiscard]] Transfer everything() const { return {.chunks = rails_ * parts_per_rail_, .stride = pieces_}; }
  [[nodiscard]] Transfer share(std::uint32_t rail) const {
    return {.chunk = rail * parts_per_rail_ * pieces_, .chunks = parts_per_rail_, .stride = pieces_};
  }
  [[nodiscard]] Transfer scattered_share(std::uint32_t rail) const {
    return {.chunk = rail * pieces_, .chunks = domains_, .stride = rails_ * pieces_};
  }

  void up(std::uint32_t position, Transfer run, std::uint32_t start, bool reduce) {
    run.from = PositionId(position);
    run.to = schedule_.parent[run.from];
    run.start = start;
    run.reduce = reduce;
    steps_.push_back(run);
  }
  void down(std::uint32_t position, Transfer run, std::uint32_t start, bool reduce = false) {
    run.to = PositionId(position);
    run.from = schedule_.parent[run.to];
    run.start = start;
    run.reduce = reduce;
    steps_.push_back(run);
  }
  /// The collective among the domains, rail by rail; the start after it.
  std::uint32_t along_rails(std::uint32_t start) {
    std::uint32_t end = start;
    for (std::uint32_t rail = 0; rail < rails_ && domains_ > 1; rail++) {
      TreeTask tree{.kind = task_.kind, .seats = {}, .chunk = share(rail).chunk, .pieces = pieces_, .start = start};
      for (std::uint32_t domain = 0; domain < domains_; domain++) tree.seats.emplace_back(domain * rails_ + rail);
      end = add_two_trees(steps_, tree);
    }
    return end;
  }
  Schedule finish() {
    add_pipeline(schedule_, std::move(steps_), pieces_);
    return std::move(schedule_);
  }

  const Task& task_;
  std::uint32_t rails_, domains_, parts_per_rail_, pieces_;
  Schedule schedule_;
  std::vector<Transfer> steps_;
};

Schedule Nvls::all_reduce() {
  const std::uint32_t n = task_.shape.positions;
  for (std::uint32_t p = 0; p < n; p++) up(p, everything(), 0, true);
  for (std::uint32_t p = 0; p < n; p++) down(p, share(p % rails_), 1);
  const std::uint32_t end = along_rails(2);
  for (std::uint32_t p = 0; p < n; p++) up(p, share(p % rails_), end, false);
  for (std::uint32_t p = 0; p < n; p++) down(p, everything(), end + 1);
  return finish();
}

/// The root's switch gives everything to its domain; every rail passes its share on to the other domains.
Schedule Nvls::broadcast() {
  up(0, everything(), 0, false);
  for (std::uint32_t p = 1; p < rails_; p++) down(p, everything(), 1);
  const std::uint32_t end = along_rails(2);
  for (std::uint32_t p = rails_; p < task_.shape.positions; p++) {
    up(p, share(p % rails_), end, false);
    down(p, everything(), end + 1);
  }
  return finish();
}

/// One domain: the switch adds up what the others have. Several: rails bring their shares to the root's domain, which hands
/// them to the root.
Schedule Nvls::reduce() {
  if (domains_ == 1) {
    for (std::uint32_t p = 1; p < rails_; p++) up(p, everything(), 0, true);
    down(0, everything(), 1, true);
    return finish();
  }
  for (std::uint32_t p = 0; p < task_.shape.positions; p++) up(p, everything(), 0, true);
  for (std::uint32_t p = 0; p < task_.shape.positions; p++) down(p, share(p % rails_), 1);
  const std::uint32_t end = along_rails(2);
  for (std::uint32_t p = 1; p < rails_; p++) {
    Transfer part = share(p);
    part.from = PositionId(p);
    part.to = PositionId(0);
    part.start = end;
    steps_.push_back(part);
  }
  return finish();
}

Schedule Nvls::all_gather() {
  add_rings(schedule_, {.per_domain = rails_, .pieces = pieces_});
  for (std::uint32_t p = 0; p < task_.shape.positions; p++) {
    up(p, scattered_share(p % rails_), 0, false);
    down(p, everything(), 1);
  }
  return finish();
}

Schedule Nvls::reduce_scatter() {
  for (std::uint32_t p = 0; p < task_.shape.positions; p++) {
    up(p, everything(), 0, true);
    down(p, scattered_share(p % rails_), 1);
  }
  Schedule schedule = finish();
  add_rings(schedule, {.per_domain = rails_, .pieces = pieces_, .behind = 1, .reduce = true});
  return schedule;
}

}  // namespace

Schedule nvls_schedule(const Task& task) {
  const std::uint32_t halves = task.domains() == 1 ? 1 : 2;  // one for each of the two trees
  switch (task.kind) {
    case CollectiveKind::all_reduce:
      return Nvls(task, halves).all_reduce();
    case CollectiveKind::broadcast:
      return Nvls(task, halves).broadcast();
    case CollectiveKind::reduce:
      return Nvls(task, halves).reduce();
    case CollectiveKind::all_gather:
      return Nvls(task, task.domains()).all_gather();
    default:
      return Nvls(task, task.domains()).reduce_scatter();
  }
}

}  // namespace railyard
