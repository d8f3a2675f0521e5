#include "sim/step/step_prices.h"

#include <algorithm>

#include "sim/step/slowest_gpu.h"

namespace railyard {

StepPrices::StepPrices(const Scenario& scenario, const Step& step, const ClusterLinks& links, StepTraffic* traffic,
                       const Jitter* jitter)
    : s_(scenario),
      step_(step),
      links_(links),
      traffic_(traffic),
      jitter_(jitter),
      slowdown_(compute_slowdown(scenario.workload)) {}

CommItem StepPrices::idle_item(const Op& op) const {
  return {.kind = op.group.kind, .name = op.name, .fixed = collective_time(op, links_)};
}

CommItem StepPrices::item(const Op& op, std::uint32_t stage) {
  CommItem item = traffic_ ? traffic_->item(op, stage) : idle_item(op);
  if (jitter_ && op.group.size > 1) item.watched = jitter_->watched(item.kind, item.name);
  return item;
}

const PassProgram& StepPrices::idle(std::uint32_t work, PassKind kind) {
  const auto [entry, fresh] = idle_.try_emplace({work, kind});
  if (fresh) entry->second = pass_program(step_.works[work], kind, {idle_items(), idle_items()}, slowdown_, links_.contention);
  return entry->second;
}

const PassProgram& StepPrices::program(std::uint32_t stage, const Slot& slot) {
  const std::uint32_t work_index = work(stage, slot);
  if (!traffic_ && !jitter_) return idle(work_index, slot.kind);
  const auto [entry, fresh] = programs_.try_emplace(Pass{traffic_ ? stage : 0, work_index, slot.kind});
  if (fresh)
    entry->second = pass_program(step_.works[work_index], slot.kind,
                                 {[&](const Op& op) { return item(op, stage); }, idle_items()}, slowdown_, links_.contention);
  return entry->second;
}

void StepPrices::prepare() {
  const PipelinePlan& plan = step_.pipeline;
  for (std::uint32_t stage = 0; stage < plan.stages; stage++) {
    for (const Slot& slot : plan.order[stage]) {
      program(stage, slot);
      const Seat seat{stage, slot.chunk};
      for (const auto& other : {plan.after(seat), plan.before(seat)})
        if (other && other->stage != stage) boundary(stage, other->stage);
    }
    for (const auto* chunks : {&step_.stages[stage].gathers, &step_.stages[stage].gradients})
      for (const std::vector<Op>& ops : *chunks)
        for (const Op& op : ops) bucket(op, stage);
  }
}

const Interleaved& StepPrices::pair(std::uint32_t stage, const Slot& a, const Slot& b) {
  const std::uint32_t own = traffic_ ? stage : 0;
  const auto [entry, fresh] = pairs_.try_emplace({Pass{own, work(stage, a), a.kind}, Pass{own, work(stage, b), b.kind}});
  if (fresh) entry->second = interleave(program(stage, a), program(stage, b), links_, lent_units());
  return entry->second;
}

Picoseconds StepPrices::idle_span(std::uint32_t stage, const Slot& slot, const Slot* partner) {
  const PassProgram& first = idle(work(stage, slot), slot.kind);
  if (!partner) return cost_of(first).time;
  return interleaved_cost(interleave(first, idle(work(stage, *partner), partner->kind), links_, lent_units()), {}).time;
}

bool StepPrices::crosses(std::uint32_t from, std::uint32_t to) {
  const auto [entry, fresh] = crosses_.try_emplace({std::min(from, to), std::max(from, to)}, false);
  if (fresh) entry->second = step_.layout.crosses(from, to);
  return entry->second;
}

CommItem StepPrices::boundary(std::uint32_t from, std::uint32_t to) {
  CommItem item{.kind = GroupKind::pipeline, .name = "boundary"};
  if (traffic_)
    item = traffic_->boundary(from, to);
  else
    item.fixed = boundary_time(step_.boundary, crosses(from, to), links_);
  if (jitter_) item.watched = jitter_->watched(item.kind, item.name);
  if (!step_.boundary_gather) return item;
  const Picoseconds gathered = collective_time(*step_.boundary_gather, links_);
  (item.on_network() ? item.latency : item.fixed) += gathered;
  item.ideal += gathered;
  return item;
}

std::int64_t StepPrices::buckets(const Op& op) const {
  return std::max<std::int64_t>(
      1, (op.size.count() + s_.workload.parallel.bucket.count() - 1) / s_.workload.parallel.bucket.count());
}

CommItem StepPrices::bucket(const Op& op, std::uint32_t stage) {
  const std::int64_t count = buckets(op);
  Op piece = op;
  piece.size = Bytes((op.size.count() + count - 1) / count);
  return item(piece, stage);
}

}  // namespace railyard
