#include "workload/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

namespace railyard {
namespace {

/// Lengths of the passes of one chunk.
struct Lengths {
  long forward = 1, input = 1, weight = 1;

  [[nodiscard]] long of(PassKind kind) const {
    switch (kind) {
      case PassKind::forward:
        return forward;
      case PassKind::backward:
        return input + weight;
      case PassKind::input_gradient:
        return input;
      case PassKind::weight_gradient:
        return weight;
    }
    return 0;
  }
};

/// Plays a plan with equal parts and messages that take no time; -1 if it waits for itself.
long length_of(const PipelinePlan& plan, const Lengths& lengths) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, long> forward, backward;  // by part and micro-batch
  std::vector<std::size_t> next(plan.stages, 0);
  std::vector<long> free_at(plan.stages, 0);
  const auto ready = [&](std::uint32_t stage, const Slot& slot) -> long {
    const std::uint32_t virtual_stage = plan.virtual_stage({stage, slot.chunk});
    if (slot.kind == PassKind::weight_gradient) return backward.contains({virtual_stage, slot.micro_batch_index}) ? 0 : -1;
    auto& done = slot.kind == PassKind::forward ? forward : backward;
    const std::uint32_t from = slot.kind == PassKind::forward ? virtual_stage - 1 : virtual_stage + 1;
    if (slot.kind != PassKind::forward && !forward.contains({virtual_stage, slot.micro_batch_index})) return -1;
    if (slot.kind == PassKind::forward ? virtual_stage == 0 : virtual_stage + 1 == plan.virtual_stages) return 0;
    const auto found = done.find({from, slot.micro_batch_index});
    return found == done.end() ? -1 : found->second;
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t stage = 0; stage < plan.stages; stage++)
      while (next[stage] < plan.order[stage].size()) {
        const std::size_t count = plan.order[stage][next[stage]].with_next ? 2 : 1;
        long start = free_at[stage], length = 0;
        bool possible = true;
        for (std::size_t i = 0; i < count; i++) {
          const Slot& slot = plan.order[stage][next[stage] + i];
          possible = possible && ready(stage, slot) >= 0;
          start = std::max(start, ready(stage, slot));
          length += lengths.of(slot.kind);
        }
        if (!possible) break;
        for (std::size_t i = 0; i < count; i++) {
          const Slot& slot = plan.order[stage][next[stage] + i];
          const auto key = std::pair(plan.virtual_stage({stage, slot.chunk}), slot.micro_batch_index);
          if (slot.kind == PassKind::forward) forward[key] = start + length;
          if (slot.kind == PassKind::backward || slot.kind == PassKind::input_gradient) backward[key] = start + length;
        }
        free_at[stage] = start + length;
        next[stage] += count;
        moved = true;
      }
  }
  for (std::uint32_t stage = 0; stage < plan.stages; stage++)
    if (next[stage] < plan.order[stage].size()) return -1;
  return *std::max_element(free_at.begin(), free_at.end());
}

TEST(Pipeline, gpipe_and_1f1b_waste_p_minus_1_micro_batches) {
  for (const PipelineSchedule schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_f_one_b})
    for (const std::uint32_t p : {1U, 2U, 4U, 7U, 16U})
      for (const std::uint32_t m : {p, 2 * p, 3 * p + 1})
        EXPECT_EQ(length_of(plan_pipeline(schedule, p, 1, m), {2, 2, 1}), (m + p - 1) * 5) << p << " " << m;
}

TEST(Pipeline, interleaving_divides_the_bubble_by_the_chunks) {
  for (const std::uint32_t p : {2U, 4U, 8U})
    for (const std::uint32_t v : {2U, 3U, 6U})
      for (const std::uint32_t m : {p, 2 * p, 5 * p})
        EXPECT_EQ(length_of(plan_pipeline(PipelineSchedule::interleaved, p, v, m), {1, 1, 1}), (m * v + p - 1) * 3L)
            << p << " " << v << " " << m;
}

TEST(Pipeline, pairs_are_of_different_micro_batches_and_wait_for_nothing_else) {
  // One stage loses nothing; interleaved stages fill and drain a pass later than without pairs, and half as fast.
  for (const std::uint32_t m : {1U, 2U, 5U, 16U})
    EXPECT_EQ(length_of(plan_pipeline(PipelineSchedule::one_f_one_b, 1, 1, m, true), {1, 1, 1}), m * 3L);
  for (const std::uint32_t p : {2U, 4U, 8U})
    for (const std::uint32_t v : {2U, 3U, 6U})
      for (const std::uint32_t m : {p, 2 * p, 5 * p}) {
        const PipelinePlan plan = plan_pipeline(PipelineSchedule::interleaved, p, v, m, true);
        const long length = length_of(plan, {1, 1, 1});
        EXPECT_GE(length, m * v * 3L) << p << " " << v << " " << m;
        EXPECT_LE(length, (m * v + 3 * p) * 3L) << p << " " << v << " " << m;
        for (const std::vector<Slot>& order : plan.order)
          for (std::size_t i = 0; i < order.size(); i++) EXPECT_TRUE(!order[i].with_next || order[i].kind != order[i + 1].kind);
      }
}

TEST(Pipeline, most_passes_of_a_long_step_have_a_partner) {
  for (const std::uint32_t p : {1U, 4U}) {
    const auto schedule = p == 1 ? PipelineSchedule::one_f_one_b : PipelineSchedule::interleaved;
    const PipelinePlan plan = plan_pipeline(schedule, p, p == 1 ? 1 : 2, 64, true);
    for (const std::vector<Slot>& order : plan.order)
      EXPECT_GT(std::count_if(order.begin(), order.end(), [](const Slot& slot) { return slot.with_next; }),
                static_cast<long>(order.size() * 4 / 10));
  }
}

TEST(Pipeline, zero_bubble_fills_gaps_with_gradients_of_weights) {
  // ZB-H1 of Qi et al.: (p - 1)(F + B - W) is wasted.
  for (const std::uint32_t p : {2U, 4U, 8U, 16U})
    for (const std::uint32_t m : {2 * p, 3 * p, 64U})
      for (const Lengths l : {Lengths{1, 1, 1}, Lengths{10, 11, 9}})
        EXPECT_EQ(length_of(plan_pipeline(PipelineSchedule::zero_bubble, p, 1, m), l),
                  m * (l.forward + l.input + l.weight) + (p - 1) * (l.forward + l.input - l.weight))
            << p << " " << m;
}

/// (p/2 - 1)(F&B + B - 3W) with B a whole backward pass (DeepSeek-V3 report, table 2).
long dual_pipe_length(std::uint32_t p, std::uint32_t m, const Lengths& lengths) {
  const long whole = lengths.input + lengths.weight, both = lengths.forward + whole;
  return static_cast<long>(m) * both + (p / 2 - 1) * (both + whole - 3 * lengths.weight);
}

TEST(Pipeline, dual_pipes_waste_what_their_closed_form_says) {
  for (const std::uint32_t p : {2U, 4U, 8U, 16U})
    for (const std::uint32_t m : {2 * p, 4 * p, 120U})
      EXPECT_EQ(length_of(plan_pipeline(PipelineSchedule::dualpipe, p, 1, m), {1, 1, 1}), dual_pipe_length(p, m, {1, 1, 1}))
          << p << " " << m;
}

TEST(Pipeline, dual_pipes_with_unequal_passes_stay_within_one_forward_pass_of_it) {
  const Lengths lengths{2, 3, 1};
  for (const std::uint32_t p : {4U, 8U, 16U})
    EXPECT_LE(
        std::abs(length_of(plan_pipeline(PipelineSchedule::dualpipe, p, 1, 120), lengths) - dual_pipe_length(p, 120, lengths)),
        lengths.forward);
}

TEST(Pipeline, every_micro_batch_passes_every_virtual_stage_once_per_direction) {
  for (const PipelineSchedule schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_f_one_b, PipelineSchedule::interleaved,
                                          PipelineSchedule::zero_bubble, PipelineSchedule::dualpipe}) {
    const std::uint32_t v = schedule == PipelineSchedule::interleaved ? 3 : 1;
    const PipelinePlan plan = plan_pipeline(schedule, 4, v, 12);
    std::map<std::tuple<std::uint32_t, std::uint32_t, int>, int> seen;  // part, micro-batch, what
    for (std::uint32_t stage = 0; stage < plan.stages; stage++)
      for (const Slot& slot : plan.order[stage]) {
        const std::uint32_t virtual_stage = plan.virtual_stage({stage, slot.chunk});
        if (slot.kind == PassKind::forward) seen[{virtual_stage, slot.micro_batch_index, 0}]++;
        if (slot.kind == PassKind::backward || slot.kind == PassKind::input_gradient)
          seen[{virtual_stage, slot.micro_batch_index, 1}]++;
        if (slot.kind == PassKind::backward || slot.kind == PassKind::weight_gradient)
          seen[{virtual_stage, slot.micro_batch_index, 2}]++;
      }
    EXPECT_EQ(seen.size(), plan.virtual_stages * 12 * 3);
    for (const auto& [key, count] : seen) EXPECT_EQ(count, 1);
  }
}

TEST(Pipeline, zero_bubble_keeps_no_more_than_the_first_stage_of_1f1b) {
  const PipelinePlan plan = plan_pipeline(PipelineSchedule::zero_bubble, 8, 1, 40);
  for (std::uint32_t stage = 0; stage < 8; stage++) {
    int kept = 0, most = 0;
    for (const Slot& slot : plan.order[stage]) {
      if (slot.kind == PassKind::forward) most = std::max(most, ++kept);
      if (slot.kind == PassKind::weight_gradient) kept--;
    }
    EXPECT_LE(most, 8);
  }
}

TEST(Pipeline, one_f_one_b_keeps_as_many_micro_batches_as_stages_follow) {
  const PipelinePlan plan = plan_pipeline(PipelineSchedule::one_f_one_b, 4, 1, 16);
  for (std::uint32_t stage = 0; stage < 4; stage++) {
    int kept = 0, most = 0;
    for (const Slot& slot : plan.order[stage]) most = std::max(most, kept += slot.kind == PassKind::forward ? 1 : -1);
    EXPECT_EQ(most, static_cast<int>(4 - stage));
  }
}

}  // namespace
}  // namespace railyard
