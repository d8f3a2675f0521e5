// A collective lowered to transfers between the positions of its group, and switches that compute where it has them.
#pragma once

#include <cstdint>
#include <vector>

#include "base/id.h"
#include "base/units.h"
#include "collective/chunks.h"
#include "plan/choices.h"

namespace railyard {

/// One transfer of a round: `from` sends `chunks` chunks, `stride` apart and modulo the number of chunks, as one message to
/// `to`, which adds them to its own copy or replaces it.
struct Transfer {
  PositionId from = {}, to = {};
  std::uint32_t chunk = 0;  // the first, when the transfer is done for the first time
  std::uint32_t chunks = 1;
  std::uint32_t stride = 1;
  std::uint32_t start = 0;                 // the repeat of its round in which it is done for the first time
  std::uint32_t sender = 0, receiver = 0;  // which thread of `from` and of `to`
  bool reduce = false;
};

/// Transfers that are done again and again; each time a transfer moves chunks that lie `chunk_step` further on (modulo the
/// number of chunks), so that a ring or a pipeline of any length is one Round.
struct Round {
  std::vector<Transfer> transfers;
  std::uint32_t repeats = 1;  // of the round: the latest start + times
  std::uint32_t times = 1;    // each transfer is done in so many repeats, from its start on
  std::uint32_t chunk_step = 0;
  std::uint32_t window = 0;  // a thread sends when what it sent so many repeats before has arrived, too; 0: at once

  [[nodiscard]] bool active(const Transfer& transfer, std::uint32_t repeat) const {
    return repeat >= transfer.start && repeat - transfer.start < times;
  }
};

/// What waits for what: a position sends its transfers of one repeat when everything sent to it in the repeats before has
/// arrived. Where it has several threads, each sends when everything sent to this thread has. The schedule depends on shape and
/// size alone, so every communicator of one shape shares one.
///
/// Chunks are those of the buffer of a rank for all_reduce, broadcast and reduce. All_gather and reduce_scatter have as many
/// per position, in order: position p owns chunks p * k … p * k + k - 1. For send chunk p is the buffer of position p, for
/// all_to_all chunk_of_pair (collective/lower.h) tells what a position has for another.
struct Schedule {
  CollectiveKind kind = CollectiveKind::all_reduce;
  CollectiveAlgorithm algorithm = CollectiveAlgorithm::ring;
  std::uint32_t positions = 0;           // ranks
  std::uint32_t switches = 0;            // that compute: positions `positions`, `positions` + 1, …
  std::uint32_t threads = 1;             // of every position
  Table<PositionId, PositionId> parent;  // of ranks and switches: the switch they hang on; empty without switches
  Chunks chunks;
  std::vector<Round> rounds;

  [[nodiscard]] std::uint64_t messages() const;  // over all rounds and repeats
  /// Over all rounds. Each waits for the one before: the longest chain of messages is as long, or one shorter where the first
  /// and the last round concern different ranks.
  [[nodiscard]] std::uint64_t repeats() const;
  [[nodiscard]] bool is_switch(PositionId position) const { return position.index() >= positions; }

  /// The first chunk that `transfer` moves in one repeat of its round. REQUIRES: it is active then.
  [[nodiscard]] std::uint32_t chunk_of(const Round& round, const Transfer& transfer, std::uint32_t repeat) const {
    const std::uint64_t moved = transfer.chunk + std::uint64_t{round.chunk_step} * (repeat - transfer.start);
    return static_cast<std::uint32_t>(moved % chunks.count());
  }
  /// The size of its message then.
  [[nodiscard]] Bytes bytes_of(const Round& round, const Transfer& transfer, std::uint32_t repeat) const {
    const std::uint32_t first = chunk_of(round, transfer, repeat);
    return transfer.chunks == 1 ? chunks[first] : chunks.sum(first, transfer.stride, transfer.chunks);
  }
};

/// What goes from one position to another over the whole schedule.
struct EdgeLoad {
  PositionId from, to;
  Bytes bytes;
  std::uint64_t messages = 0;
};

/// Every pair that is used, ordered by `from` and `to`. Takes time per transfer, not per repeat.
std::vector<EdgeLoad> edge_loads(const Schedule& schedule);

}  // namespace railyard
