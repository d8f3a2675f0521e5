// Data parallelism in a training step, and its end: parameters are gathered, gradients reduced, the optimizer runs.
#include <algorithm>

#include "sim/step/circuit_engine.h"
#include "sim/step/step_player.h"

namespace railyard {

/// Parameters of one chunk after the other, bucket by bucket.
void StepPlayer::enqueue_gathers(std::uint32_t stage) {
  const auto& chunks = step_.stages[stage].gathers;
  std::vector<Job> jobs;
  for (std::uint16_t chunk = 0; chunk < chunks.size(); chunk++) {
    const std::size_t first = jobs.size();
    for (const Op& op : chunks[chunk]) {
      const CommItem item = prices_.bucket(op, stage);
      for (std::int64_t k = 0; k < prices_.buckets(op); k++)
        jobs.push_back({.item = call(stage, item), .ready = clock_.now(), .chunk = chunk});
    }
    if (jobs.size() > first)
      jobs[first].opens = jobs.back().closes = true;
    else if (chunk == 0 || stages_[stage].gathered[chunk - 1U])
      mark_gathered(stage, chunk);
  }
  for (Job& job : jobs) clock_.enqueue(stage, StreamKind::data, std::move(job));
}

/// Those that have no parameters to gather follow.
void StepPlayer::mark_gathered(std::uint32_t stage, std::uint16_t chunk) {
  Stage& st = stages_[stage];
  const auto& chunks = step_.stages[stage].gathers;
  do st.usable[chunk] = st.gathered[chunk] = true;
  while (++chunk < chunks.size() && chunks[chunk].empty());
}

/// Gradients travel as the last backward pass of their chunk makes them.
void StepPlayer::begin_last_backward(std::uint32_t stage, const Slot& slot, std::size_t at, Picoseconds span) {
  if (slot.kind == PassKind::forward || stages_[stage].last_backward[slot.chunk] != at) return;
  enqueue_gradients(stage, slot.chunk, clock_.now(), span);
}

/// Buckets become ready evenly over `span`; the last, and those that are late, when the pass ends and releases them.
void StepPlayer::enqueue_gradients(std::uint32_t stage, std::uint16_t chunk, Picoseconds start, Picoseconds span) {
  for (const Op& op : step_.stages[stage].gradients[chunk]) {
    const std::int64_t buckets = prices_.buckets(op);
    const CommItem item = prices_.bucket(op, stage);
    stages_[stage].gradients_left += static_cast<std::size_t>(buckets);
    for (std::int64_t k = 1; k <= buckets; k++) {
      const bool waits = k == buckets && span > Picoseconds::zero();
      const Picoseconds ready = waits ? Picoseconds::max() : start + span / buckets * k;
      clock_.enqueue(stage, StreamKind::data, {.item = call(stage, item), .ready = ready, .chunk = chunk, .gradients = true});
    }
  }
}

void StepPlayer::end_data_job(std::uint32_t stage, const Job& job, const Served& served) {
  Stage& st = stages_[stage];
  st.data.push_back(served);
  if (job.gradients) {
    st.traffic += served.took;
    st.gradients_left--;
    return;
  }
  st.gather_end = clock_.now();
  if (job.opens) st.usable[job.chunk] = true;
  if (job.closes) mark_gathered(stage, job.chunk);
}

bool StepPlayer::finish_passes(std::uint32_t stage) {
  Stage& st = stages_[stage];
  st.computed = run_.ends[stage].passes = clock_.now();
  run_.last_backward = std::max(run_.last_backward, st.computed);
  if (--in_passes_ == 0 && network_ && network_->circuits) network_->circuits->begin_gradients(clock_.now());
  if (!s_.workload.parallel.data_overlap)
    for (const std::uint16_t chunk : st.reduced_chunks) enqueue_gradients(stage, chunk, clock_.now(), Picoseconds::zero());
  return then(stage, Doing::reduce, clock_.now());
}

/// Once all gradients are reduced: what of data-parallel traffic was exposed, what ran beside compute and took from it.
bool StepPlayer::reduce(std::uint32_t stage) {
  Stage& st = stages_[stage];
  if (st.gradients_left > 0) return false;
  run_.ends[stage].gradients = clock_.now();
  StageTime& time = run_.stages[stage];
  const std::size_t data = index(GroupKind::data);
  const Picoseconds shown = clock_.now() - st.computed;
  const Picoseconds gathered = s_.workload.parallel.data_overlap ? st.gather_end : Picoseconds::zero();
  time.exposed[data] += shown;
  time.hidden[data] += st.traffic - std::min(st.traffic, shown);
  time.hidden[data] += gathered - std::min(gathered, st.gather_shown);
  for (const Served& served : st.data) st.idle_data += served.item.delay - served.waited_between(st.computed, clock_.now());
  st.idle_data -= st.waits_shown;
  const Picoseconds hidden = time.hidden[data] + time.hidden[index(GroupKind::expert_data)];
  const Picoseconds lost = slowed_by(hidden - std::min(hidden, st.idle_data), run_.links.contention);
  time.contention += lost;
  reduced_ = std::max(reduced_, clock_.now() + lost);
  GroupTimes exposed = {};
  const GroupTimes all = times_of(st.data);
  for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
    const double share = sum_of(all) > Picoseconds::zero() ? seconds(shown + st.gather_shown) / seconds(sum_of(all)) : 0;
    exposed[kind] = from_seconds(seconds(all[kind]) * std::min(1.0, share));
  }
  attribute(st.data, exposed);
  st.data.clear();
  st.doing = Doing::optimize;
  st.until = Picoseconds::max();
  if (--unreduced_ > 0) return false;
  for (std::uint32_t each = 0; each < stages_.size(); each++) {  // the norm of all gradients needs every stage's
    stages_[each].until = reduced_;
    clock_.wake(each, reduced_);
  }
  return false;
}

bool StepPlayer::optimize(std::uint32_t stage) {
  StageTime& time = run_.stages[stage];
  for (const Op& op : step_.stages[stage].optimizer) time.optimizer += slowed_by(op.time, prices_.slowdown());
  stages_[stage].computed = clock_.now() + time.optimizer;
  run_.ends[stage].waited = clock_.now();
  run_.ends[stage].optimizer = stages_[stage].computed;
  return then(stage, Doing::gather, stages_[stage].computed);
}

/// Parameters that are not gathered in the next step's shadow are gathered now.
bool StepPlayer::gather(std::uint32_t stage) {
  Stage& st = stages_[stage];
  const bool later = !s_.workload.parallel.data_overlap;
  if (later && clock_.now() == st.computed && !st.gathered.back() && clock_.is_idle(stage, StreamKind::data))
    enqueue_gathers(stage);
  if (later && !clock_.is_idle(stage, StreamKind::data)) return false;
  run_.stages[stage].exposed[index(GroupKind::data)] += clock_.now() - st.computed;
  if (later) attribute(st.data, times_of(st.data));
  run_.time = std::max(run_.time, clock_.now());
  run_.ends[stage].gathered = clock_.now();
  st.doing = Doing::ended;
  return false;
}

}  // namespace railyard
