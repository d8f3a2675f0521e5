// A collective lowered to point-to-point transfers between the positions of its group.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/csr.h"
#include "base/id.h"
#include "base/units.h"

namespace railyard {

enum class Algorithm : std::uint8_t { ring };
std::string_view name_of(Algorithm algorithm);

/// One transfer of a round: `from` sends one chunk to `to`, which adds it to its own copy or replaces it.
struct Transfer {
  PositionId from, to;
  std::uint32_t chunk;  // in the first repeat of the round
};

/// Transfers that are done `repeats` times over; each time every transfer moves the chunk `chunk_step` further on (modulo the
/// number of chunks), so that a ring of any length is one Round.
struct Round {
  std::vector<Transfer> transfers;
  std::uint32_t repeats = 1;
  std::uint32_t chunk_step = 0;
  std::uint32_t reducing_repeats = 0;  // the first so many repeats add, the rest replace
};

/// What waits for what: a position sends its transfers of one repeat when everything sent to it in the repeats before has
/// arrived. The schedule depends on shape and size alone, so every communicator of one shape shares one.
struct Schedule {
  Algorithm algorithm = Algorithm::ring;
  std::uint32_t positions = 0;
  std::vector<Bytes> chunks;  // sizes; they sum to the buffer
  std::vector<Round> rounds;

  [[nodiscard]] std::uint64_t messages() const;  // over all rounds and repeats
  [[nodiscard]] std::uint64_t repeats() const;   // over all rounds

  /// The chunk that `transfer` moves in one repeat of its round.
  [[nodiscard]] std::uint32_t chunk_of(const Round& round, const Transfer& transfer, std::uint32_t repeat) const {
    const std::uint64_t moved = transfer.chunk + std::uint64_t{round.chunk_step} * repeat;
    return static_cast<std::uint32_t>(moved % chunks.size());
  }
};

/// REQUIRES: positions >= 2, size > 0.
Schedule ring_all_reduce(std::uint32_t positions, Bytes size);

/// Bytes that must cross between a set of positions and the rest, in each direction, whatever the algorithm: every rank outside
/// needs the sum over the inside, which is as long as the buffer.
Bytes all_reduce_cut_bytes(Bytes size);

/// Bytes all positions together must send, without help from switches: 2 (n - 1) times the buffer (Patarasuk and Yuan, 2009).
Bytes all_reduce_total_bytes(std::uint32_t positions, Bytes size);

}  // namespace railyard
