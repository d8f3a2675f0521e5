// Traces on a star take what their graphs and the closed forms of messages say.
#include "sim/trace/trace_player.h"

#include <gtest/gtest.h>

#include "engine/testing.h"
#include "fabric/testing.h"
#include "sim/simulate.h"
#include "trace/graph.h"

namespace railyard {
namespace {

constexpr BitsPerSecond kTraceRate = 400_Gbps;
constexpr Picoseconds kTraceLink = 500_ns, kTraceSwitch = 700_ns, kTraceHost = 1100_ns;

/// A message alone: all of it on the wire, its first packet stored once, and the way.
Picoseconds message_alone(Bytes size, std::int64_t count = 1) {
  return transmit_time(testing::kRoceWire.wire_size(size) * count, kTraceRate) +
         transmit_time(testing::kRoceWire.packet_size(size), kTraceRate) + kTraceLink * 2 + kTraceSwitch + kTraceHost * 2;
}

class DraftedTrace {
 public:
  explicit DraftedTrace(std::uint32_t ranks) {
    draft_.files = {"case"};
    draft_.ranks = ranks;
  }
  TraceNodeId compute(std::uint32_t rank, Picoseconds time, std::uint16_t stream = 0) {
    return draft_.nodes.push({.stream = stream, .rank = rank, .amount = time.count()});
  }
  /// The send and its receive.
  std::pair<TraceNodeId, TraceNodeId> message(std::uint32_t from, std::uint32_t to, Bytes size, std::uint32_t tag = 0) {
    const TraceNodeId send =
        draft_.nodes.push({.op = TraceOp::send, .rank = from, .peer = to, .tag = tag, .amount = size.count()});
    return {send, draft_.nodes.push({.op = TraceOp::receive, .rank = to, .peer = from, .tag = tag, .amount = size.count()})};
  }
  std::vector<TraceNodeId> collective(const std::vector<std::uint32_t>& ranks, Bytes size, TraceCollective kind) {
    const TraceGroupId group = draft_.groups.push(ranks);
    return again(group, size, kind);
  }
  std::vector<TraceNodeId> again(TraceGroupId group, Bytes size, TraceCollective kind) {
    std::vector<TraceNodeId> nodes;
    for (const std::uint32_t rank : draft_.groups[group])
      nodes.push_back(draft_.nodes.push(
          {.op = TraceOp::collective, .kind = kind, .rank = rank, .peer = group.index(), .amount = size.count()}));
    return nodes;
  }
  DraftedTrace& after(TraceNodeId before, TraceNodeId later) { return draft_.after_end.add(before, later), *this; }
  [[nodiscard]] std::shared_ptr<const TraceGraph> graph() const {
    Result<TraceGraph> graph = finish_trace(draft_, draft_.ranks);
    RY_CHECK(graph, "a draft of a test can be played");
    return std::make_shared<const TraceGraph>(std::move(*graph));
  }

 private:
  TraceDraft draft_;
};

Run replayed(const DraftedTrace& drafted, Fidelity fidelity, double scale = 1, std::uint64_t kept = kKeptMessages) {
  const auto graph = drafted.graph();
  Scenario scenario = testing::star(graph->ranks, kTraceRate, kTraceLink, kTraceSwitch);
  scenario.fabric.host_latency = kTraceHost;
  scenario.workload.collective.reset();
  scenario.workload.trace.emplace();
  scenario.workload.trace->file = "case";
  scenario.workload.trace->compute_scale = scale;
  scenario.workload.trace->graph = graph;
  scenario.engine.fidelity = fidelity;
  Progress progress;
  Result<Run> run = simulate(scenario, {.threads = 1, .kept_messages = kept}, progress);
  RY_CHECK(run, to_text(run.error().front()));
  return std::move(*run);
}

constexpr Fidelity kBothEngines[] = {Fidelity::analytic, Fidelity::flow};

TEST(TracePlayer, a_message_between_computes_takes_what_it_takes_alone) {
  for (const Fidelity fidelity : kBothEngines) {
    DraftedTrace trace(2);
    const auto [send, receive] = trace.message(0, 1, 1_MiB);
    trace.after(trace.compute(0, 10_us), send).after(receive, trace.compute(1, 20_us));
    const auto run = replayed(trace, fidelity);
    EXPECT_EQ(run.trace->makespan, 10_us + message_alone(1_MiB) + 20_us);
    const TraceRankTimes &first = run.trace->ranks[0], &second = run.trace->ranks[1];
    EXPECT_EQ(first.end, 10_us + message_alone(1_MiB));  // a send is over when it has arrived
    EXPECT_EQ(first.exposed, message_alone(1_MiB));
    EXPECT_EQ(second.waiting, 10_us);
    EXPECT_EQ(second.exposed, message_alone(1_MiB));
    EXPECT_EQ(second.compute, 20_us);
  }
}

/// Every rank sends to the next when it has what the one before it sent: a token goes around.
TEST(TracePlayer, a_token_around_a_ring_takes_as_many_messages_as_ranks) {
  for (const Fidelity fidelity : kBothEngines) {
    constexpr std::uint32_t kRanks = 8;
    DraftedTrace trace(kRanks);
    TraceNodeId before;
    for (std::uint32_t rank = 0; rank < kRanks; rank++) {
      const auto [send, receive] = trace.message(rank, (rank + 1) % kRanks, 64_KiB);
      if (rank > 0) trace.after(before, send);
      before = receive;
    }
    EXPECT_EQ(replayed(trace, fidelity).trace->makespan, message_alone(64_KiB) * kRanks);
  }
}

/// Round k of a broadcast: 2^k ranks have it, and rank r sends to r + 2^k when it is done with the round before.
TEST(TracePlayer, a_binomial_broadcast_takes_log2_rounds) {
  for (const Fidelity fidelity : kBothEngines) {
    constexpr std::uint32_t kRanks = 32;
    DraftedTrace trace(kRanks);
    std::vector<TraceNodeId> last(kRanks);
    for (std::uint32_t have = 1; have < kRanks; have *= 2)
      for (std::uint32_t rank = 0; rank < have; rank++) {
        const auto [send, receive] = trace.message(rank, rank + have, 1_MiB, have);
        if (last[rank].valid()) trace.after(last[rank], send);
        last[rank] = send;
        last[rank + have] = receive;
      }
    EXPECT_EQ(replayed(trace, fidelity).trace->makespan, message_alone(1_MiB) * 5);
  }
}

TEST(TracePlayer, computes_of_one_stream_take_turns_and_others_do_not) {
  DraftedTrace trace(1);
  trace.compute(0, 10_us);
  trace.compute(0, 20_us);
  trace.compute(0, 25_us, 1);
  const auto run = replayed(trace, Fidelity::analytic);
  EXPECT_EQ(run.trace->makespan, 30_us);
  EXPECT_EQ(run.trace->ranks[0].compute, 30_us);
  EXPECT_EQ(replayed(trace, Fidelity::analytic, 0.5).trace->makespan, 15_us);
}

TEST(TracePlayer, compute_hides_a_message) {
  DraftedTrace trace(2);
  trace.message(0, 1, 1_MiB);
  trace.compute(0, 100_us);
  trace.compute(1, 100_us);
  const auto run = replayed(trace, Fidelity::flow);
  EXPECT_EQ(run.trace->makespan, 100_us);
  EXPECT_EQ(run.trace->ranks[1].exposed, Picoseconds::zero());
}

TEST(TracePlayer, a_collective_begins_with_its_last_rank_and_takes_its_closed_form) {
  for (const Fidelity fidelity : kBothEngines) {
    DraftedTrace trace(4);
    const std::vector<TraceNodeId> nodes = trace.collective({0, 1, 2, 3}, 4_MiB, TraceCollective::all_reduce);
    trace.after(trace.compute(2, 50_us), nodes[2]);
    const auto run = replayed(trace, fidelity);
    EXPECT_EQ(run.trace->makespan, 50_us + message_alone(1_MiB) * 6);  // 2 (n - 1) steps of a quarter
    EXPECT_EQ(run.trace->ranks[0].waiting, 50_us);
    ASSERT_EQ(run.trace->ops.size(), 1U);
    EXPECT_EQ(run.trace->ops[0].time, message_alone(1_MiB) * 6);
    EXPECT_EQ(run.trace->ops[0].bus_bytes, 1.5 * (4 << 20));
  }
}

TEST(TracePlayer, collectives_of_a_group_follow_each_other_and_of_one_rank_are_nothing) {
  DraftedTrace trace(2);
  trace.collective({0, 1}, 2_MiB, TraceCollective::all_gather);
  trace.again(TraceGroupId(0), 2_MiB, TraceCollective::all_gather);
  trace.collective({0}, 2_MiB, TraceCollective::all_reduce);
  EXPECT_EQ(replayed(trace, Fidelity::flow).trace->makespan, message_alone(1_MiB) * 2);
}

TEST(TracePlayer, messages_to_oneself_and_without_bytes_end) {
  DraftedTrace trace(2);
  trace.message(0, 0, 1_MiB);
  trace.message(0, 1, 0_B);
  const auto run = replayed(trace, Fidelity::analytic);
  EXPECT_EQ(run.trace->makespan, message_alone(1_B));
  EXPECT_EQ(run.traffic->messages.size(), 1U);
}

/// The second of two messages to one host waits for the first, so that times differ.
TEST(TracePlayer, messages_that_are_summed_up_give_what_they_give_one_by_one) {
  DraftedTrace trace(3);
  for (int i = 0; i < 20; i++)
    for (const std::uint32_t from : {0U, 1U}) trace.message(from, 2, Bytes(100'000 + 1000 * i));
  for (const Fidelity fidelity : kBothEngines) {
    const auto each = replayed(trace, fidelity);
    ASSERT_FALSE(each.traffic->sums);
    for (const std::uint64_t kept : {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{39}}) {
      const auto run = replayed(trace, fidelity, 1, kept);
      ASSERT_TRUE(run.traffic->sums) << kept;
      EXPECT_TRUE(run.traffic->messages.empty() && run.traffic->delivered.empty() && run.traffic->ideal.empty());
      EXPECT_EQ(run.fingerprint, each.fingerprint);
      EXPECT_EQ(run.trace->makespan, each.trace->makespan);
      EXPECT_EQ(run.traffic->end(), each.traffic->end());
      const MessageSums& sums = *run.traffic->sums;
      EXPECT_EQ(sums.pairs().size(), 2U);
      EXPECT_EQ(sums.all().taken.count(), each.traffic->messages.size());
      EXPECT_EQ(sums.slowest().size(), MessageSums::kSlowest);
      Bytes payload;
      double taken = 0, slowdown = 0;
      Picoseconds longest;
      for (std::size_t i = 0; i < each.traffic->messages.size(); i++) {
        const Picoseconds time = each.traffic->delivered[i] - each.traffic->messages[i].start;
        payload += each.traffic->messages[i].size;
        taken += microseconds(time) / 40;
        slowdown += seconds(time) / seconds(each.traffic->ideal[i]) / 40;
        longest = std::max(longest, time);
      }
      EXPECT_EQ(sums.all().payload, payload);
      EXPECT_NEAR(sums.all().delivery_us.mean(), taken, taken * 1e-12);
      EXPECT_NEAR(sums.all().slowdown.mean(), slowdown, slowdown * 1e-12);
      EXPECT_EQ(sums.slowest().front().taken(), longest);
      EXPECT_EQ(sums.all().taken.at(1), static_cast<double>(longest.count()));
      ASSERT_EQ(run.diagnostics.size(), each.diagnostics.size() + 1);
      EXPECT_EQ(run.diagnostics.back().code, "RY-RUN-095");
    }
  }
}

}  // namespace
}  // namespace railyard
