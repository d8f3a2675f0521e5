#include "sim/step_run.h"

#include <algorithm>
#include <cmath>

#include "base/fingerprint.h"

namespace railyard {

namespace {

std::size_t index(GroupKind kind) { return static_cast<std::size_t>(kind); }

class StepPlayer {
 public:
  StepPlayer(const Scenario& scenario, Step step)
      : s_(scenario), stretch_(1 + scenario.training.straggler), run_{.step = std::move(step)} {
    run_.links = links_of(*s_.gpu_plan);
    const Step& st = run_.step;
    for (const PartWork& part : st.works)
      for (const PassKind kind : kKinds) costs_.push_back(pass_cost(part, kind, run_.links, stretch_));
    const Picoseconds gathered = st.boundary_gather ? collective_time(*st.boundary_gather, run_.links) : Picoseconds::zero();
    near_ = boundary_time(st.boundary, false, run_.links) + gathered;
    far_ = boundary_time(st.boundary, true, run_.links) + gathered;
    for (std::uint32_t stage = 0; stage < st.pipeline.stages; stage++)
      crosses_.push_back(st.layout.crosses(stage, (stage + 1) % st.pipeline.stages));
    last_backward_.assign(st.pipeline.stages, std::vector<PassTime>(st.pipeline.chunks));
    gather_shown_.assign(st.pipeline.stages, Picoseconds::zero());
    run_.stages.resize(st.pipeline.stages);
    run_.passes.resize(st.pipeline.stages);
    const std::size_t seats = std::size_t{st.pipeline.stages} * st.pipeline.chunks;
    forward_done_.assign(seats, std::vector<Picoseconds>(st.pipeline.micro_batches, kNever));
    backward_done_ = forward_done_;
  }

  StepRun play() {
    prepare_gathers();
    play_passes();
    reduce_gradients();
    optimize();
    finish();
    return std::move(run_);
  }

 private:
  static constexpr PassKind kKinds[] = {PassKind::forward, PassKind::backward, PassKind::input_gradient,
                                        PassKind::weight_gradient};
  static constexpr Picoseconds kNever = Picoseconds::max();

  const PassCost& cost(Seat seat, PassKind kind) const {
    return costs_[run_.step.work_of[seat.stage][seat.chunk] * std::size(kKinds) + static_cast<std::size_t>(kind)];
  }
  std::size_t seat_index(Seat seat) const { return std::size_t{seat.stage} * run_.step.pipeline.chunks + seat.chunk; }

  /// When the parameters of each chunk have been gathered, counted from the start of the step.
  void prepare_gathers() {
    for (const StageWork& stage : run_.step.stages) {
      std::vector<Gather> chunks;
      Picoseconds stream;
      for (const std::vector<Op>& ops : stage.gathers) {
        Gather gather{stream, stream};
        for (const Op& op : ops) {
          const Picoseconds time = bucketed_time(op);
          if (&op == &ops.front()) gather.usable = gather.done + time / buckets(op);
          gather.done += time;
        }
        stream = gather.done;
        chunks.push_back(gather);
      }
      gathers_.push_back(std::move(chunks));
    }
  }

  std::int64_t buckets(const Op& op) const {
    return std::max<std::int64_t>(1, (op.size.count() + s_.parallel.bucket.count() - 1) / s_.parallel.bucket.count());
  }
  /// Buckets go one after the other, each with its own latency.
  Picoseconds bucketed_time(const Op& op) const {
    const std::int64_t count = buckets(op);
    Op piece = op;
    piece.size = Bytes((op.size.count() + count - 1) / count);
    return collective_time(piece, run_.links) * count;
  }

  void play_passes() {
    const PipelinePlan& plan = run_.step.pipeline;
    std::vector<std::size_t> next(plan.stages, 0);
    std::vector<Picoseconds> free_at(plan.stages);
    for (bool moved = true; moved;) {
      moved = false;
      for (std::uint32_t stage = 0; stage < plan.stages; stage++)
        while (next[stage] < plan.order[stage].size() && try_pass(stage, next[stage], free_at[stage])) moved = true;
    }
    for (std::uint32_t stage = 0; stage < plan.stages; stage++)
      RY_CHECK(next[stage] == plan.order[stage].size(), "no pipeline schedule waits for itself");
  }

  /// When what a pass needs has arrived; kNever if it has not been sent.
  Picoseconds ready(std::uint32_t stage, const Slot& slot) const {
    const Seat seat{stage, slot.chunk};
    if (slot.kind == PassKind::weight_gradient) return Picoseconds::zero();
    if (slot.kind == PassKind::forward) {
      const auto from = run_.step.pipeline.before(seat);
      return from ? arrival(forward_done_[seat_index(*from)][slot.micro_batch], *from, seat) : Picoseconds::zero();
    }
    const auto from = run_.step.pipeline.after(seat);
    return from ? arrival(backward_done_[seat_index(*from)][slot.micro_batch], *from, seat) : Picoseconds::zero();
  }
  Picoseconds arrival(Picoseconds sent, Seat from, Seat to) const {
    if (sent == kNever) return kNever;
    return from.stage == to.stage || !s_.parallel.pipeline_overlap ? sent : sent + message_time(from.stage, to.stage);
  }
  /// Stages only talk to their neighbours, the last one's next being the first.
  Picoseconds message_time(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t stages = run_.step.pipeline.stages;
    const std::uint32_t earlier = (from + 1) % stages == to ? from : to;
    return crosses_[earlier] ? far_ : near_;
  }

  bool try_pass(std::uint32_t stage, std::size_t& next, Picoseconds& free_at) {
    const std::vector<Slot>& order = run_.step.pipeline.order[stage];
    const Slot& slot = order[next];
    Picoseconds start = std::max(free_at, ready(stage, slot));
    if (ready(stage, slot) == kNever) return false;
    const Slot* partner = slot.with_next ? &order[next + 1] : nullptr;
    if (partner) {
      if (ready(stage, *partner) == kNever) return false;
      start = std::max(start, ready(stage, *partner));
    }
    PassCost cost = this->cost({stage, slot.chunk}, slot.kind);
    if (partner) cost = interleaved_cost(cost, this->cost({stage, partner->chunk}, partner->kind));
    if (slot.kind == PassKind::forward) wait_for_parameters(stage, slot, start, cost);
    Picoseconds end = start + cost.time;
    account(stage, cost);
    end += send_on(stage, slot, partner);
    for (const Slot* done : {&slot, partner})
      if (done) complete(stage, *done, start, end);
    free_at = end;
    next += partner ? 2 : 1;
    return true;
  }

  /// The first forward pass of a chunk cannot outrun its parameters.
  void wait_for_parameters(std::uint32_t stage, const Slot& slot, Picoseconds start, PassCost& cost) {
    if (!s_.parallel.data_overlap) return;
    const Gather& gather = gathers_[stage][slot.chunk];
    const Picoseconds wait = std::max(gather.done - start - cost.time, gather.usable - start);
    if (wait <= Picoseconds::zero()) return;
    cost.exposed[index(GroupKind::data)] += wait;
    cost.time += wait;
    gather_shown_[stage] += wait;
  }

  /// A stage that does not send while it computes waits until the next one has what it needs.
  Picoseconds send_on(std::uint32_t stage, const Slot& slot, const Slot* partner) {
    if (s_.parallel.pipeline_overlap || run_.step.pipeline.stages == 1) return Picoseconds::zero();
    Picoseconds time;
    for (const Slot* one : {&slot, partner}) {
      if (!one || one->kind == PassKind::weight_gradient) continue;
      const Seat seat{stage, one->chunk};
      const auto to = one->kind == PassKind::forward ? run_.step.pipeline.after(seat) : run_.step.pipeline.before(seat);
      if (to && to->stage != stage) time = std::max(time, message_time(stage, to->stage));
    }
    run_.stages[stage].exposed[index(GroupKind::pipeline)] += time;
    return time;
  }

  void complete(std::uint32_t stage, const Slot& slot, Picoseconds start, Picoseconds end) {
    const std::size_t seat = seat_index({stage, slot.chunk});
    if (slot.kind == PassKind::forward) forward_done_[seat][slot.micro_batch] = end;
    if (slot.kind == PassKind::backward || slot.kind == PassKind::input_gradient) backward_done_[seat][slot.micro_batch] = end;
    run_.passes[stage].push_back({slot, start, end});
    if (slot.kind != PassKind::forward) last_backward_[stage][slot.chunk] = run_.passes[stage].back();
  }

  void account(std::uint32_t stage, const PassCost& cost) {
    StageTime& time = run_.stages[stage];
    time.compute += cost.compute;
    time.contention += cost.contention;
    for (std::size_t kind = 0; kind < kGroupKinds; kind++) {
      time.exposed[kind] += cost.exposed[kind];
      time.hidden[kind] += cost.hidden[kind];
    }
  }

  /// A chunk's gradients travel once its last backward pass has made them, bucket by bucket.
  void reduce_gradients() {
    const PipelinePlan& plan = run_.step.pipeline;
    for (std::uint32_t stage = 0; stage < plan.stages; stage++) {
      const Picoseconds computed = run_.passes[stage].back().end;
      run_.last_backward = std::max(run_.last_backward, computed);
      Picoseconds stream = s_.parallel.data_overlap ? Picoseconds::zero() : computed;
      Picoseconds traffic;
      for (const std::uint16_t chunk : chunks_by_end(stage)) {
        const PassTime& last = last_backward_[stage][chunk];
        for (const Op& op : run_.step.stages[stage].gradients[chunk]) {
          const Picoseconds time = bucketed_time(op), one = time / buckets(op);
          const Picoseconds first_ready = last.start + (last.end - last.start) / buckets(op);
          stream = std::max(std::max(stream, first_ready) + time, last.end + one);
          traffic += time;
        }
      }
      hide(stage, std::max(computed, stream) - computed, traffic);
      reduced_.push_back(std::max(computed, stream) + contention(stage));
    }
  }

  /// Data-parallel traffic: what of it is exposed, and what ran beside compute.
  void hide(std::uint32_t stage, Picoseconds shown, Picoseconds traffic) {
    StageTime& time = run_.stages[stage];
    const std::size_t data = index(GroupKind::data);
    time.exposed[data] += shown;
    time.hidden[data] += traffic - std::min(traffic, shown);
    const Picoseconds gathered = s_.parallel.data_overlap ? gathers_[stage].back().done : Picoseconds::zero();
    time.hidden[data] += gathered - std::min(gathered, gather_shown_[stage]);
  }
  /// What hidden data-parallel traffic takes from compute.
  Picoseconds contention(std::uint32_t stage) {
    const GroupTimes& hidden = run_.stages[stage].hidden;
    const Picoseconds lost = stretched(hidden[index(GroupKind::data)] + hidden[index(GroupKind::expert_data)], kContention);
    run_.stages[stage].contention += lost;
    return lost;
  }

  std::vector<std::uint16_t> chunks_by_end(std::uint32_t stage) const {
    std::vector<std::uint16_t> chunks(run_.step.pipeline.chunks);
    for (std::uint16_t i = 0; i < chunks.size(); i++) chunks[i] = i;
    std::sort(chunks.begin(), chunks.end(), [&](std::uint16_t a, std::uint16_t b) {
      return std::pair(last_backward_[stage][a].end, a) < std::pair(last_backward_[stage][b].end, b);
    });
    return chunks;
  }

  /// The norm of all gradients needs every stage's; parameters that are not gathered in the next step's shadow are gathered
  /// now.
  void optimize() {
    const Picoseconds start = *std::max_element(reduced_.begin(), reduced_.end());
    for (std::uint32_t stage = 0; stage < run_.stages.size(); stage++) {
      StageTime& time = run_.stages[stage];
      for (const Op& op : run_.step.stages[stage].optimizer) time.optimizer += stretched(op.time, stretch_);
      Picoseconds gathered;
      if (!s_.parallel.data_overlap) gathered = gathers_[stage].back().done;
      time.exposed[index(GroupKind::data)] += gathered;
      run_.time = std::max(run_.time, start + time.optimizer + gathered);
    }
  }

  /// The model's arithmetic, shared by all GPUs at the highest rate any of their formats has.
  double fastest() const {
    const GpuPlan& plan = *s_.gpu_plan;
    const FlopsPerSecond peak = std::max(
        {plan.gpu.bf16_dense, plan.gpu.fp8_dense.value_or(FlopsPerSecond(0)), plan.speed.gemm_fp4.value_or(FlopsPerSecond(0))});
    const Step& step = run_.step;
    const double flops = static_cast<double>(step.tokens) * (step.flops.products + step.flops.attention_causal);
    return flops / step.layout.ranks() / static_cast<double>(peak.count());
  }

  void finish() {
    run_.time += s_.training.host_overhead;
    RY_CHECK(seconds(run_.time) >= fastest(), "no step beats the arithmetic of its model at the peak rate of its GPUs");
    Fingerprint print;
    for (std::uint32_t stage = 0; stage < run_.stages.size(); stage++) {
      StageTime& time = run_.stages[stage];
      time.host = s_.training.host_overhead;
      const Picoseconds busy = time.compute + time.contention + time.optimizer + time.host + sum_of(time.exposed);
      RY_CHECK(busy <= run_.time, "a stage is not busy for longer than the step");
      time.bubble = run_.time - busy;
      for (const PassTime& pass : run_.passes[stage]) print.add(static_cast<std::uint64_t>(pass.end.count()));
    }
    print.add(static_cast<std::uint64_t>(run_.time.count()));
    run_.fingerprint = print.text();
  }

  struct Gather {
    Picoseconds usable, done;  // the first bucket, and all
  };

  const Scenario& s_;
  double stretch_;
  StepRun run_;
  std::vector<PassCost> costs_;                                         // by work and kind
  Picoseconds near_, far_;                                              // a message between stages, inside a domain and across
  std::vector<bool> crosses_;                                           // by stage: on the way to the next
  std::vector<std::vector<PassTime>> last_backward_;                    // by stage and chunk
  std::vector<Picoseconds> gather_shown_;                               // by stage: waiting for parameters
  std::vector<std::vector<Gather>> gathers_;                            // by stage and chunk
  std::vector<std::vector<Picoseconds>> forward_done_, backward_done_;  // by seat and micro-batch
  std::vector<Picoseconds> reduced_;                                    // by stage
};

}  // namespace

StepRun run_step(const Scenario& scenario, Step step) { return StepPlayer(scenario, std::move(step)).play(); }

}  // namespace railyard
