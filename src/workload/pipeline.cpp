#include "workload/pipeline.h"

#include <algorithm>
#include <deque>

#include "base/check.h"

namespace railyard {

namespace {

using Order = std::vector<Slot>;

Slot slot(PassKind kind, std::uint32_t micro_batch_index, std::uint32_t chunk = 0) {
  return {micro_batch_index, static_cast<std::uint16_t>(chunk), kind, false};
}

Order gpipe(std::uint32_t micro_batches) {
  Order order;
  for (std::uint32_t i = 0; i < micro_batches; i++) order.push_back(slot(PassKind::forward, i));
  for (std::uint32_t i = 0; i < micro_batches; i++) order.push_back(slot(PassKind::backward, i));
  return order;
}

/// Forward passes until the first gradient can be back, then one backward for every forward (Narayanan et al., 2019).
Order one_f_one_b(std::uint32_t stage, std::uint32_t stages, std::uint32_t micro_batches) {
  const std::uint32_t warm_up = std::min(stages - stage - 1, micro_batches);
  Order order;
  for (std::uint32_t i = 0; i < warm_up; i++) order.push_back(slot(PassKind::forward, i));
  for (std::uint32_t i = warm_up; i < micro_batches; i++) {
    order.push_back(slot(PassKind::forward, i));
    order.push_back(slot(PassKind::backward, i - warm_up));
  }
  for (std::uint32_t i = micro_batches - warm_up; i < micro_batches; i++) order.push_back(slot(PassKind::backward, i));
  return order;
}

/// The k-th pass of an interleaved stage: micro-batches go through the chunks in groups of as many as there are stages.
Slot interleaved_pass(std::uint32_t k, std::uint32_t stages, std::uint32_t chunks, PassKind kind) {
  const std::uint32_t group = k / (stages * chunks), inside = k % (stages * chunks), chunk = inside / stages;
  return slot(kind, group * stages + inside % stages, kind == PassKind::forward ? chunk : chunks - 1 - chunk);
}

Order interleaved(std::uint32_t stage, std::uint32_t stages, std::uint32_t chunks, std::uint32_t micro_batches, bool pairs) {
  const auto pass = [&](std::uint32_t k, PassKind kind) { return interleaved_pass(k, stages, chunks, kind); };
  const std::uint32_t total = micro_batches * chunks;
  std::uint32_t warm_up = (stages - stage - 1) * 2 + (chunks - 1) * stages;
  if (pairs) warm_up++;  // what runs with a backward pass comes no earlier than that
  if (micro_batches <= stages) warm_up = total;
  warm_up = std::min(warm_up, total);
  Order order;
  for (std::uint32_t k = 0; k < warm_up; k++) order.push_back(pass(k, PassKind::forward));
  for (std::uint32_t k = warm_up; k < total; k++) {
    order.push_back(pass(k, PassKind::forward));
    order.push_back(pass(k - warm_up, PassKind::backward));
  }
  for (std::uint32_t k = total - warm_up; k < total; k++) order.push_back(pass(k, PassKind::backward));
  return order;
}

/// A backward pass and the forward pass after it belong to different micro-batches: they may run interleaved.
void pair_up(Order& order) {
  for (std::size_t i = 0; i + 1 < order.size(); i++)
    order[i].with_next = order[i].kind == PassKind::backward && order[i + 1].kind == PassKind::forward;
}

/// 1F1B with gradients of weights put off by as many micro-batches as stages come before (ZB-H1 of Qi et al., 2023): gradients
/// of inputs reach the first stage sooner, and what was put off fills the gaps. Memory is that of 1F1B.
Order zero_bubble(std::uint32_t stage, std::uint32_t stages, std::uint32_t micro_batches) {
  Order order;
  std::uint32_t weights = 0;
  for (const Slot& pass : one_f_one_b(stage, stages, micro_batches)) {
    if (pass.kind == PassKind::forward) {
      order.push_back(pass);
      continue;
    }
    order.push_back(slot(PassKind::input_gradient, pass.micro_batch_index));
    if (pass.micro_batch_index >= stage) order.push_back(slot(PassKind::weight_gradient, weights++));
  }
  while (weights < micro_batches) order.push_back(slot(PassKind::weight_gradient, weights++));
  return order;
}

/// One rank of a dual pipe (DeepSeek-V3 report, section 3.2.1, and deepseek-ai/DualPipe): micro-batches enter at both ends, and
/// in the middle part a forward pass of one direction runs with a backward pass of the other.
class DualPipeRank {
 public:
  DualPipeRank(std::uint32_t rank, std::uint32_t ranks, std::uint32_t micro_batches)
      : half_(std::min(rank, ranks - 1 - rank)),
        second_half_(rank >= ranks / 2),
        per_direction_(micro_batches / 2),
        ranks_(ranks) {}

  Order order() {
    const std::uint32_t outside = ranks_ / 2 - half_ - 1;
    const bool middle = outside == 0;
    for (std::uint32_t i = 0; i < outside * 2; i++) forward(0);
    for (std::uint32_t i = 0; i <= half_; i++) forward(0), forward(1);
    for (std::uint32_t i = 0; i < outside; i++) input(1), weight(), forward(1);
    for (std::uint32_t i = 0; i + ranks_ < per_direction_ + half_ + 1; i++) {
      if (i == 0 && middle)
        forward(0), backward(1);
      else
        pair(0, 1);
      pair(1, 0);
    }
    for (std::uint32_t i = 0; i < outside; i++) backward(1), pair(1, 0);
    bool split = false;
    for (std::uint32_t i = 0; i <= half_; i++) {
      if (i == (half_ + 1) / 2 && half_ % 2 == 1) split = true;
      split ? input(1) : backward(1);
      if (i == (half_ + 1) / 2 && half_ % 2 == 0) split = true;
      split ? input(0) : backward(0);
    }
    for (std::uint32_t i = 0; i < outside; i++) weight(), input(0);
    while (!waiting_.empty()) weight();
    return order_;
  }

 private:
  std::uint32_t direction(std::uint32_t phase) const { return phase ^ (second_half_ ? 1U : 0U); }
  std::uint32_t micro_batch_index(std::uint32_t pipe_direction, std::uint32_t n) const {
    return pipe_direction * per_direction_ + n;
  }

  void forward(std::uint32_t phase) {
    const std::uint32_t pipe_direction = direction(phase);
    order_.push_back(slot(PassKind::forward, micro_batch_index(pipe_direction, forwards_[pipe_direction]++), pipe_direction));
  }
  void backward(std::uint32_t phase) {
    const std::uint32_t pipe_direction = direction(phase);
    order_.push_back(slot(PassKind::backward, micro_batch_index(pipe_direction, backwards_[pipe_direction]++), pipe_direction));
  }
  void input(std::uint32_t phase) {
    const std::uint32_t pipe_direction = direction(phase);
    const std::uint32_t batch = micro_batch_index(pipe_direction, backwards_[pipe_direction]++);
    order_.push_back(slot(PassKind::input_gradient, batch, pipe_direction));
    waiting_.push_back(slot(PassKind::weight_gradient, batch, pipe_direction));
  }
  void weight() {
    RY_CHECK(!waiting_.empty(), "gradients of weights come after those of inputs");
    order_.push_back(waiting_.front());
    waiting_.pop_front();
  }
  void pair(std::uint32_t forward_phase, std::uint32_t backward_phase) {
    forward(forward_phase);
    order_.back().with_next = true;
    backward(backward_phase);
  }

  std::uint32_t half_;
  bool second_half_;
  std::uint32_t per_direction_, ranks_;
  std::uint32_t forwards_[2] = {0, 0}, backwards_[2] = {0, 0};
  std::deque<Slot> waiting_;
  Order order_;
};

}  // namespace

std::uint32_t PipelinePlan::virtual_stage(Seat seat) const {
  if (schedule != PipelineSchedule::dualpipe) return seat.chunk * stages + seat.stage;
  return seat.chunk == 0 ? seat.stage : stages - 1 - seat.stage;
}

std::optional<Seat> PipelinePlan::after(Seat seat) const {
  if (virtual_stage(seat) + 1 == virtual_stages) return std::nullopt;
  if (schedule == PipelineSchedule::dualpipe) return Seat{seat.chunk == 0 ? seat.stage + 1 : seat.stage - 1, seat.chunk};
  if (seat.stage + 1 < stages) return Seat{seat.stage + 1, seat.chunk};
  return Seat{0, static_cast<std::uint16_t>(seat.chunk + 1)};
}

std::optional<Seat> PipelinePlan::before(Seat seat) const {
  if (virtual_stage(seat) == 0) return std::nullopt;
  if (schedule == PipelineSchedule::dualpipe) return Seat{seat.chunk == 0 ? seat.stage - 1 : seat.stage + 1, seat.chunk};
  if (seat.stage > 0) return Seat{seat.stage - 1, seat.chunk};
  return Seat{stages - 1, static_cast<std::uint16_t>(seat.chunk - 1)};
}

std::uint32_t virtual_stages_of(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t chunks_per_stage) {
  return schedule == PipelineSchedule::dualpipe ? stages : stages * chunks_per_stage;
}

PipelinePlan plan_pipeline(PipelineSchedule schedule, std::uint32_t stages, std::uint32_t chunks_per_stage,
                           std::uint32_t micro_batches, bool pairs) {
  PipelinePlan plan;
  plan.schedule = schedule;
  plan.stages = stages;
  plan.micro_batches = micro_batches;
  plan.chunks = static_cast<std::uint16_t>(schedule == PipelineSchedule::dualpipe ? 2 : chunks_per_stage);
  plan.virtual_stages = virtual_stages_of(schedule, stages, chunks_per_stage);
  for (std::uint32_t stage = 0; stage < stages; stage++) {
    switch (schedule) {
      case PipelineSchedule::gpipe:
        plan.order.push_back(gpipe(micro_batches));
        break;
      case PipelineSchedule::interleaved:
        plan.order.push_back(interleaved(stage, stages, chunks_per_stage, micro_batches, pairs));
        break;
      case PipelineSchedule::zero_bubble:
        plan.order.push_back(zero_bubble(stage, stages, micro_batches));
        break;
      case PipelineSchedule::dualpipe:
        plan.order.push_back(DualPipeRank(stage, stages, micro_batches).order());
        break;
      default:
        plan.order.push_back(one_f_one_b(stage, stages, micro_batches));
    }
    if (pairs) pair_up(plan.order.back());
  }
  return plan;
}

}  // namespace railyard
