// What holds of every schedule: its bytes, its loads, its bounds.
#include "collective/schedule.h"

#include <algorithm>
#include <map>

#include "collective/limits.h"
#include "collective/testing.h"

namespace railyard {
namespace {

using testing::for_every_schedule;

TEST(Schedules, chunks_sum_to_the_buffer) {
  for_every_schedule(17, {1, 1000, 1'000'003}, [](const Schedule& s, const Shape&, Bytes size) {
    const bool copies = s.kind == CollectiveKind::all_to_all || s.kind == CollectiveKind::send;
    EXPECT_EQ(s.chunks.total(), size * (copies ? s.positions : 1));
  });
}

TEST(Schedules, empty_messages_are_sent_around_rings_only) {
  for_every_schedule(17, {1, 5, 1000}, [](const Schedule& s, const Shape&, Bytes) {
    for (const Round& round : s.rounds)
      for (const Transfer& t : round.transfers)
        if (round.window > 0 || round.chunk_step == 0) {
          for (std::uint32_t repeat = t.start; repeat < t.start + round.times; repeat++)
            ASSERT_GT(s.bytes_of(round, t, repeat), 0_B);
        }
  });
}

/// The same by looking at every message.
std::map<std::pair<PositionId, PositionId>, std::pair<Bytes, std::uint64_t>> counted_loads(const Schedule& s) {
  std::map<std::pair<PositionId, PositionId>, std::pair<Bytes, std::uint64_t>> loads;
  for (const Round& round : s.rounds)
    for (std::uint32_t repeat = 0; repeat < round.repeats; repeat++)
      for (const Transfer& t : round.transfers) {
        if (!round.active(t, repeat)) continue;
        auto& [bytes, messages] = loads[{t.from, t.to}];
        bytes += s.bytes_of(round, t, repeat);
        messages++;
      }
  return loads;
}

TEST(Schedules, edge_loads_are_those_of_the_single_messages) {
  for_every_schedule(17, {3, 1'000'003}, [](const Schedule& s, const Shape&, Bytes) {
    const auto counted = counted_loads(s);
    const auto loads = edge_loads(s);
    ASSERT_EQ(loads.size(), counted.size());
    std::uint64_t messages = 0;
    for (const EdgeLoad& load : loads) {
      ASSERT_EQ(counted.at({load.from, load.to}), std::pair(load.bytes, load.messages));
      messages += load.messages;
    }
    EXPECT_EQ(messages, s.messages());
  });
}

TEST(Schedules, no_schedule_beats_the_lower_bounds) {
  for_every_schedule(17, {1000, 1'000'003}, [](const Schedule& s, const Shape&, Bytes size) {
    const auto loads = edge_loads(s);
    Bytes sent;
    for (const EdgeLoad& load : loads)
      if (!s.is_switch(load.from)) sent += load.bytes;
    const SwitchHelp help = s.switches > 0 ? SwitchHelp::reduce_and_multicast : SwitchHelp::none;
    EXPECT_GE(sent, least_bytes_sent(s.kind, s.positions, size, help));
    // Switches may lie on either side; some cuts of every size, root in and out.
    for (std::uint32_t inside = 1; inside < s.positions; inside++)
      for (const std::uint32_t shift : {0U, 1U, s.positions / 2}) {
        const auto is_inside = [&](PositionId p) {
          return s.is_switch(p) ? p.index() % 2 == 0 : (p.index() + shift) % s.positions < inside;
        };
        CutBytes cut;
        for (const EdgeLoad& load : loads) {
          if (is_inside(load.from) && !is_inside(load.to)) cut.out += load.bytes;
          if (!is_inside(load.from) && is_inside(load.to)) cut.in += load.bytes;
        }
        const CutBytes least = least_bytes_across(s.kind, s.positions, inside, is_inside(PositionId(0)), size);
        ASSERT_GE(cut.out, least.out) << inside << " inside";
        ASSERT_GE(cut.in, least.in) << inside << " inside";
      }
  });
}

/// The longest chain of messages: a message waits for all that came to its sender in repeats before.
std::uint64_t longest_chain(const Schedule& s) {
  std::vector<std::uint64_t> reached(s.positions + s.switches, 0);
  for (const Round& round : s.rounds)
    for (std::uint32_t repeat = 0; repeat < round.repeats; repeat++) {
      auto after = reached;
      for (const Transfer& t : round.transfers) {
        if (!round.active(t, repeat)) continue;
        const std::uint64_t end = reached[t.from.index()] + 1;
        after[t.to.index()] = std::max(after[t.to.index()], end);
        if (round.window > 0) after[t.from.index()] = std::max(after[t.from.index()], end);
      }
      reached = std::move(after);
    }
  return *std::max_element(reached.begin(), reached.end());
}

TEST(Schedules, rounds_depend_on_each_other) {
  for_every_schedule(17, {1'000'003}, [](const Schedule& s, const Shape&, Bytes) {
    EXPECT_GE(s.repeats(), longest_chain(s));
    EXPECT_LE(s.repeats(), longest_chain(s) + 1);
  });
}

}  // namespace
}  // namespace railyard
