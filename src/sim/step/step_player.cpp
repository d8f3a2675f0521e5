#include "sim/step/step_player.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/quantity_text.h"
#include "fabric/unreachable.h"

namespace railyard {

namespace {

/// Where a message goes and what it is, in one word.
std::uint64_t tag_of(std::size_t seat, bool forward, std::uint32_t micro_batch_index) {
  return (std::uint64_t{seat} * 2 + (forward ? 1 : 0)) << 32 | micro_batch_index;
}

}  // namespace

GroupTimes times_of(const std::vector<Served>& items) {
  GroupTimes times = {};
  for (const Served& served : items) times[index(served.item.kind)] += served.took;
  return times;
}

GroupTimes waits_of(const std::vector<Served>& items, Picoseconds from, Picoseconds to) {
  GroupTimes times = {};
  for (const Served& served : items) times[index(served.item.kind)] += served.waited_between(from, to);
  return times;
}

StepPlayer::StepPlayer(const Scenario& scenario, const Step& step, const ClusterLinks& links, const StepNetwork* network,
                       const Jitter* jitter, Progress& progress)
    : s_(scenario),
      step_(step),
      network_(network),
      jitter_(jitter),
      progress_(progress),
      run_{.links = links},
      prices_(scenario, step, run_.links, network ? &network->traffic : nullptr, jitter),
      clock_(step.pipeline.stages, network ? &network->engine : nullptr,
             {.wake = [this](std::uint32_t stage) { proceed(stage); },
              .served =
                  [this](std::uint32_t stage, StreamKind kind, const Job& job, const Served& served) {
                    if (kind == StreamKind::data)
                      end_data_job(stage, job, served);
                    else
                      (kind == StreamKind::pass ? stages_[stage].beside_step : stages_[stage].beside_block).push_back(served);
                    proceed(stage);
                  },
              .arrived =
                  [this](std::uint64_t tag, const Served&) {
                    const auto seat = static_cast<std::uint32_t>(tag >> 33);
                    receive({seat / plan().chunks, static_cast<std::uint16_t>(seat % plan().chunks)}, (tag >> 32 & 1) != 0,
                            static_cast<std::uint32_t>(tag));
                  },
              .carried = [this](std::uint32_t stage, const Served& served) { note(stage, served); }}),
      stages_(step.pipeline.stages),
      unreduced_(step.pipeline.stages),
      in_passes_(step.pipeline.stages) {
  run_.stages.resize(plan().stages);
  run_.passes.resize(plan().stages);
  run_.ends.resize(plan().stages);
  if (jitter) run_.calls.assign(jitter->kinds().size(), std::vector<std::uint32_t>(plan().stages, 0));
  const std::size_t seats = std::size_t{plan().stages} * plan().chunks;
  forward_here_.assign(seats, std::vector<bool>(plan().micro_batches, false));
  backward_here_ = forward_here_;
  std::uint64_t passes = 0;
  for (std::uint32_t stage = 0; stage < plan().stages; stage++) {
    stages_[stage].usable.assign(plan().chunks, false);
    stages_[stage].gathered = stages_[stage].usable;
    stages_[stage].last_backward.assign(plan().chunks, 0);
    for (std::size_t i = 0; i < plan().order[stage].size(); i++)
      if (plan().order[stage][i].kind != PassKind::forward) stages_[stage].last_backward[plan().order[stage][i].chunk] = i;
    passes += plan().order[stage].size();
  }
  progress_.expect(passes);
  if (network) prices_.prepare();
}

Result<StepRun> StepPlayer::play() {
  begin();
  if (!clock_.run()) return stuck();
  return end();
}

void StepPlayer::begin() {
  for (std::uint32_t stage = 0; stage < plan().stages; stage++) {
    if (s_.workload.parallel.data_overlap) enqueue_gathers(stage);
    clock_.wake(stage, Picoseconds::zero());
  }
}

StepRun StepPlayer::end() {
  for (const Stage& stage : stages_) RY_CHECK(stage.doing == Doing::ended, "no pipeline schedule waits for itself");
  for (const auto& [key, times] : ops_) run_.ops.push_back(times);
  return std::move(run_);
}

CommItem StepPlayer::call(std::uint32_t stage, CommItem item) {
  if (item.watched > 0) item.delay = jitter_->delay(item.watched, stage, run_.calls[item.watched - 1][stage]++);
  return item;
}

/// Of collectives beside whole blocks: contention with those of data parallelism is summed up at the end.
void StepPlayer::note_idle_data(std::uint32_t stage, const std::vector<Served>& items, Picoseconds from, Picoseconds to) {
  const GroupTimes waits = waits_of(items, from, to);
  stages_[stage].idle_data += waits[index(GroupKind::data)] + waits[index(GroupKind::expert_data)];
}

const Slot* StepPlayer::partner(std::uint32_t stage) const { return slot(stage).with_next ? &slot(stage) + 1 : nullptr; }

void StepPlayer::proceed(std::uint32_t stage) {
  while (clock_.now() >= stages_[stage].until && go_on(stage)) {
  }
}

bool StepPlayer::then(std::uint32_t stage, Doing doing, Picoseconds at) {
  stages_[stage].doing = doing;
  stages_[stage].until = at;
  if (at <= clock_.now()) return true;
  clock_.wake(stage, at);
  return false;
}

bool StepPlayer::go_on(std::uint32_t stage) {
  switch (stages_[stage].doing) {
    case Doing::waiting:
      return begin_pass(stage);
    case Doing::parameters:
      return begin_run(stage);
    case Doing::begin_block:
      return begin_block(stage);
    case Doing::begin_step:
      return begin_step(stage);
    case Doing::end_compute:
      return end_compute(stage);
    case Doing::next_step:
      return next_step(stage);
    case Doing::end_block:
      return end_block(stage);
    case Doing::end_pair:
      return end_pair(stage);
    case Doing::end_pass:
      return end_pass(stage);
    case Doing::sending:
      return end_sending(stage);
    case Doing::reduce:
      return reduce(stage);
    case Doing::optimize:
      return optimize(stage);
    case Doing::gather:
      return gather(stage);
    case Doing::ended:
      return false;
  }
  return false;
}

bool StepPlayer::has_input(std::uint32_t stage, const Slot& slot) const {
  const Seat seat{stage, slot.chunk};
  if (slot.kind == PassKind::weight_gradient) return true;
  const bool forward = slot.kind == PassKind::forward;
  if (!(forward ? plan().before(seat) : plan().after(seat))) return true;
  return (forward ? forward_here_ : backward_here_)[seat_index(seat)][slot.micro_batch_index];
}

bool StepPlayer::begin_pass(std::uint32_t stage) {
  Stage& st = stages_[stage];
  if (st.next == plan().order[stage].size()) return finish_passes(stage);
  if (!has_input(stage, slot(stage)) || (partner(stage) && !has_input(stage, *partner(stage)))) return false;
  st.pass_start = clock_.now();
  st.cost = {};
  return then(stage, Doing::parameters, clock_.now());
}

bool StepPlayer::lacks_parameters(std::uint32_t stage, const std::vector<bool>& there) const {
  return slot(stage).kind == PassKind::forward && s_.workload.parallel.data_overlap && !there[slot(stage).chunk];
}

void StepPlayer::wait_for_parameters(std::uint32_t stage, Picoseconds waited) {
  Stage& st = stages_[stage];
  st.cost.exposed[index(GroupKind::data)] += waited;
  st.cost.time += waited;
  st.gather_shown += waited;
  if (jitter_ && waited > Picoseconds::zero()) st.waits_shown += sum_of(waits_of(st.data, clock_.now() - waited, clock_.now()));
}

bool StepPlayer::begin_run(std::uint32_t stage) {
  Stage& st = stages_[stage];
  if (lacks_parameters(stage, st.usable)) return false;
  wait_for_parameters(stage, clock_.now() - st.pass_start);
  st.run_start = clock_.now();
  const Slot* const other = partner(stage);
  if (s_.workload.parallel.data_overlap)
    for (const Slot* one : {&slot(stage), other})
      if (one) begin_last_backward(stage, *one, st.next + (one == other ? 1 : 0), prices_.idle_span(stage, slot(stage), other));
  if (other) return begin_pair(stage);
  st.program = &prices_.program(stage, slot(stage));
  st.block = st.repeat = 0;
  if (st.program->is_played()) return then(stage, Doing::begin_block, clock_.now());
  st.cost.add(cost_of(*st.program));
  st.run_end = st.run_start + cost_of(*st.program).time;
  return then(stage, Doing::end_pass, st.run_end);
}

bool StepPlayer::begin_pair(std::uint32_t stage) {
  Stage& st = stages_[stage];
  st.pair = &prices_.pair(stage, slot(stage), *partner(stage));
  st.beside_step.clear();
  st.beside_block.clear();
  for (const CommItem& item : st.pair->chain) clock_.enqueue(stage, StreamKind::pass, {.item = call(stage, item)});
  for (const CommItem& item : st.pair->background) clock_.enqueue(stage, StreamKind::block, {.item = call(stage, item)});
  return then(stage, Doing::end_pair, clock_.now() + st.pair->compute);
}

bool StepPlayer::end_pair(std::uint32_t stage) {
  Stage& st = stages_[stage];
  if (!clock_.is_idle(stage, StreamKind::pass) || !clock_.is_idle(stage, StreamKind::block)) return false;
  PassCost cost = interleaved_cost(*st.pair, times_of(st.beside_step), waits_of(st.beside_step, st.run_start, clock_.now()));
  attribute(st.beside_step, cost.exposed);
  PassCost waited;
  waited.overlap_block(times_of(st.beside_block), cost.time);
  note_idle_data(stage, st.beside_block, st.run_start, st.run_start + cost.time);
  attribute(st.beside_block, waited.exposed);
  cost.add(waited);
  st.cost.add(cost);
  st.run_end = st.run_start + cost.time;
  return then(stage, Doing::end_pass, st.run_end);
}

bool StepPlayer::begin_block(std::uint32_t stage) {
  Stage& st = stages_[stage];
  st.block_start = clock_.now();
  st.step = 0;
  st.beside_block.clear();
  for (const CommItem& item : st.program->blocks[st.block].background)
    clock_.enqueue(stage, StreamKind::block, {.item = call(stage, item)});
  return next_step(stage);
}

bool StepPlayer::next_step(std::uint32_t stage) {
  Stage& st = stages_[stage];
  const BlockProgram& block = st.program->blocks[st.block];
  const bool last = st.step == block.steps.size();
  const PassCost& alone = last ? block.after : block.steps[st.step].before;
  st.cost.add(alone);
  st.run_end = clock_.now() + alone.time;
  return then(stage, last ? Doing::end_block : Doing::begin_step, st.run_end);
}

bool StepPlayer::begin_step(std::uint32_t stage) {
  Stage& st = stages_[stage];
  const NetStep& step = st.program->blocks[st.block].steps[st.step];
  st.step_start = clock_.now();
  st.beside_step.clear();
  for (const CommItem& item : step.chain) clock_.enqueue(stage, StreamKind::pass, {.item = call(stage, item)});
  return then(stage, Doing::end_compute, clock_.now() + step.compute);
}

bool StepPlayer::end_compute(std::uint32_t stage) {
  Stage& st = stages_[stage];
  if (!clock_.is_idle(stage, StreamKind::pass)) return false;
  PassCost step;
  step.compute = step.time = st.program->blocks[st.block].steps[st.step].compute;
  step.overlap(times_of(st.beside_step), step.compute, run_.links.contention,
               waits_of(st.beside_step, st.step_start, st.step_start + step.compute));
  attribute(st.beside_step, step.exposed);
  st.cost.add(step);
  st.step++;
  return then(stage, Doing::next_step, st.step_start + step.time);
}

bool StepPlayer::end_block(std::uint32_t stage) {
  Stage& st = stages_[stage];
  if (!clock_.is_idle(stage, StreamKind::block)) return false;
  PassCost waited;
  waited.overlap_block(times_of(st.beside_block), st.run_end - st.block_start);
  note_idle_data(stage, st.beside_block, st.block_start, st.run_end);
  attribute(st.beside_block, waited.exposed);
  st.cost.add(waited);
  st.run_end = clock_.now();
  const BlockProgram& block = st.program->blocks[st.block];
  if (++st.repeat == block.repeats) st.repeat = 0, st.block++;
  const bool last = st.block == st.program->blocks.size();
  return then(stage, last ? Doing::end_pass : Doing::begin_block, clock_.now());
}

bool StepPlayer::end_pass(std::uint32_t stage) {
  Stage& st = stages_[stage];
  if (lacks_parameters(stage, st.gathered)) return false;
  wait_for_parameters(stage, clock_.now() - st.run_end);
  account(stage);
  st.run_end = clock_.now();
  send(stage, slot(stage));
  if (partner(stage)) send(stage, *partner(stage));
  return then(stage, Doing::sending, clock_.now());
}

void StepPlayer::send(std::uint32_t stage, const Slot& slot) {
  if (slot.kind == PassKind::weight_gradient) return;
  const Seat seat{stage, slot.chunk};
  const bool forward = slot.kind == PassKind::forward;
  const auto to = forward ? plan().after(seat) : plan().before(seat);
  if (!to) return;
  if (to->stage == stage) {
    (forward ? forward_here_ : backward_here_)[seat_index(*to)][slot.micro_batch_index] = true;
    return;
  }
  clock_.send(stage, call(stage, prices_.boundary(stage, to->stage)), tag_of(seat_index(*to), forward, slot.micro_batch_index));
  if (!s_.workload.parallel.pipeline_overlap) stages_[stage].sending++;
}

void StepPlayer::receive(Seat seat, bool forward, std::uint32_t micro_batch_index) {
  (forward ? forward_here_ : backward_here_)[seat_index(seat)][micro_batch_index] = true;
  proceed(seat.stage);
  if (s_.workload.parallel.pipeline_overlap) return;
  const std::uint32_t from = (forward ? plan().before(seat) : plan().after(seat))->stage;
  stages_[from].sending--;
  proceed(from);
}

bool StepPlayer::end_sending(std::uint32_t stage) {
  Stage& st = stages_[stage];
  if (st.sending > 0) return false;
  run_.stages[stage].exposed[index(GroupKind::pipeline)] += clock_.now() - st.run_end;
  const std::size_t passes = partner(stage) ? 2 : 1;
  for (std::size_t i = 0; i < passes; i++) {
    const Slot& done = plan().order[stage][st.next + i];
    run_.passes[stage].push_back({done, st.pass_start, clock_.now()});
    if (done.kind == PassKind::forward || st.last_backward[done.chunk] != st.next + i) continue;
    clock_.release(stage, done.chunk);
    st.reduced_chunks.push_back(done.chunk);
  }
  st.next += passes;
  progress_.add(passes);
  return then(stage, Doing::waiting, clock_.now());
}

Diagnostics StepPlayer::stuck() const {
  Diagnostics found;
  constexpr std::size_t kMost = 5;
  for (const StepClock::Waiting& one : clock_.waiting()) {
    if (found.size() == kMost) break;
    const StepTraffic::Ends& ends = network_->traffic.ends()[one.item.connection.index()];
    std::string why = why_unreachable(network_->fabric, network_->live, ends.from, ends.to);
    found.push_back({Severity::error, "RY-RUN-030",
                     fmt::format("{} of the {} groups of stage {} never completes{}", one.item.name, name_of(one.item.kind),
                                 one.stage, why.empty() ? "" : ": " + why),
                     "remove the failure, let it end, or add links", s_.keys.where("failures")});
  }
  std::string waiting;
  std::size_t more = 0;
  for (std::uint32_t stage = 0; stage < stages_.size(); stage++) {
    if (stages_[stage].doing == Doing::ended) continue;
    if (stage >= kMost)
      more++;
    else
      waiting += fmt::format("{}{} ({} of {} passes done)", waiting.empty() ? "" : ", ", stage, stages_[stage].next,
                             plan().order[stage].size());
  }
  if (more > 0) waiting += fmt::format("{}{} more", waiting.empty() ? "" : " and ", more);
  found.push_back({Severity::note, "RY-RUN-030", fmt::format("stages still waiting at {}: {}", format(clock_.now()), waiting),
                   "", s_.keys.where("failures")});
  return found;
}

}  // namespace railyard
