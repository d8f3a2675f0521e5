// Carries schedules out on integers: every collective, algorithm and shape leaves what it is meant to leave, and no more is
// sent than it takes.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "base/rng.h"
#include "collective/testing.h"

namespace railyard {
namespace {

using enum CollectiveKind;
using testing::for_every_schedule;
using testing::shapes_for;

/// What everybody has of every chunk; nothing where it has none.
using Memory = std::vector<std::vector<std::optional<std::uint64_t>>>;

/// A number of its own for every rank and chunk, such that sums tell what is in them.
std::uint64_t value(std::uint32_t position, std::uint32_t chunk) {
  return Rng(1, "value", std::uint64_t{position} << 32 | chunk).next();
}

std::uint64_t sum_over_ranks(std::uint32_t positions, std::uint32_t chunk) {
  std::uint64_t sum = 0;
  for (std::uint32_t p = 0; p < positions; p++) sum += value(p, chunk);
  return sum;
}

bool has_at_first(const Schedule& s, std::uint32_t p, std::uint32_t chunk) {
  switch (s.kind) {
    case all_gather:
      return chunk / (s.chunks.count() / s.positions) == p;
    case all_to_all:
      return chunk / s.positions == p;
    case broadcast:
      return p == 0;
    case send:
      return chunk == p;
    default:
      return true;
  }
}

/// What rank p must have of a chunk in the end; nothing if that does not matter.
std::optional<std::uint64_t> wanted(const Schedule& s, const Shape& shape, std::uint32_t p, std::uint32_t chunk) {
  const std::uint32_t owner = chunk / std::max(1U, s.chunks.count() / s.positions);
  switch (s.kind) {
    case all_reduce:
      return sum_over_ranks(s.positions, chunk);
    case all_gather:
      return value(owner, chunk);
    case reduce_scatter:
      return owner == p ? std::optional(sum_over_ranks(s.positions, chunk)) : std::nullopt;
    case broadcast:
      return value(0, chunk);
    case reduce:
      return p == 0 ? std::optional(sum_over_ranks(s.positions, chunk)) : std::nullopt;
    case send:
      return (chunk + 1) % s.positions == p ? std::optional(value(chunk, chunk)) : std::nullopt;
    case all_to_all: {
      const std::uint32_t from = chunk / s.positions;
      const bool mine = chunk_of_pair(shape, PositionId(from), PositionId(p)) == chunk;
      return mine ? std::optional(value(from, chunk)) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// One repeat: what is sent is what the sender had before. A switch starts with nothing, so that the first to add sets.
void replay(const Schedule& s, const Round& round, std::uint32_t repeat, Memory& memory) {
  std::vector<std::tuple<const Transfer*, std::uint32_t, std::uint64_t>> moved;
  for (const Transfer& t : round.transfers) {
    if (!round.active(t, repeat)) continue;
    for (std::uint32_t i = 0; i < t.chunks; i++) {
      const std::uint32_t chunk = (s.chunk_of(round, t, repeat) + i * t.stride) % s.chunks.count();
      const auto& sent = memory[t.from.index()][chunk];
      ASSERT_TRUE(sent || s.chunks[chunk] == 0_B) << t.from.index() << " sends chunk " << chunk << " which it does not have";
      moved.emplace_back(&t, chunk, sent.value_or(0));
    }
  }
  for (const auto& [t, chunk, sent] : moved) {
    auto& target = memory[t->to.index()][chunk];
    target = t->reduce && target ? *target + sent : sent;
  }
}

Memory replay(const Schedule& s) {
  Memory memory(s.positions + s.switches, std::vector<std::optional<std::uint64_t>>(s.chunks.count()));
  for (std::uint32_t p = 0; p < s.positions; p++)
    for (std::uint32_t c = 0; c < s.chunks.count(); c++)
      if (has_at_first(s, p, c)) memory[p][c] = value(p, c);
  for (const Round& round : s.rounds)
    for (std::uint32_t repeat = 0; repeat < round.repeats; repeat++) replay(s, round, repeat, memory);
  return memory;
}

void expect_right(const Schedule& s, const Shape& shape) {
  const Memory memory = replay(s);
  for (std::uint32_t p = 0; p < s.positions; p++)
    for (std::uint32_t c = 0; c < s.chunks.count(); c++) {
      const auto want = wanted(s, shape, p, c);
      if (want && s.chunks[c] > 0_B) {
        ASSERT_EQ(memory[p][c], want) << "rank " << p << ", chunk " << c;
      }
    }
}

TEST(Schedules, every_collective_and_algorithm_leaves_the_right_result) {
  for_every_schedule(33, {1, 1'000'000}, [](const Schedule& s, const Shape& shape, Bytes) { expect_right(s, shape); });
}

TEST(Schedules, uneven_all_to_all_gives_everyone_its_own) {
  Rng rng(1, "uneven all to all", 0);
  for (const CollectiveAlgorithm algorithm : algorithms_for(all_to_all))
    for (std::uint32_t n = 2; n <= 24; n++)
      for (const Shape& shape : shapes_for(algorithm, n)) {
        std::vector<Bytes> sizes;
        Bytes sent;
        for (std::uint32_t i = 0; i < n * n; i++) {
          sizes.push_back(Bytes(rng.below(4)));
          if (i / n != i % n) sent += sizes.back();
        }
        const auto s = lower(all_to_all, algorithm, shape, 1_B, {.pair_sizes = sizes});
        expect_right(*s, shape);
        for (std::uint32_t i = 0; i < n * n; i++)
          EXPECT_EQ(s->chunks[chunk_of_pair(shape, PositionId(i / n), PositionId(i % n))], sizes[i]);
        if (algorithm != CollectiveAlgorithm::direct) continue;
        Bytes load;
        for (const EdgeLoad& edge : edge_loads(*s)) load += edge.bytes;
        EXPECT_EQ(load, sent);
      }
}

}  // namespace
}  // namespace railyard
