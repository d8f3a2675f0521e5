#include <algorithm>

#include "base/check.h"
#include "collective/schedule.h"

namespace railyard {

// The buffer is cut into n chunks of ceil(size / n) bytes; the last may be shorter, or the last few empty. In each of n-1
// reducing and n-1 gathering repeats every position passes one chunk to its right: position p starts with chunk p and then
// passes on what came in, which is the chunk before. After n-1 repeats chunk c is complete at position c-1; n-1 more bring it
// everywhere.
Schedule ring_all_reduce(std::uint32_t positions, Bytes size) {
  RY_CHECK(positions >= 2, "a collective has at least two ranks");
  RY_CHECK(size > Bytes::zero(), "a collective moves at least one byte");
  Schedule schedule;
  schedule.algorithm = Algorithm::ring;
  schedule.positions = positions;
  const Bytes chunk((size.count() + positions - 1) / positions);
  for (std::uint32_t i = 0; i < positions; i++) schedule.chunks.push_back(std::clamp(size - chunk * i, Bytes::zero(), chunk));

  Round round;
  round.repeats = 2 * (positions - 1);
  round.reducing_repeats = positions - 1;
  round.chunk_step = positions - 1;  // one chunk back
  for (std::uint32_t p = 0; p < positions; p++) round.transfers.push_back({PositionId(p), PositionId((p + 1) % positions), p});
  schedule.rounds.push_back(std::move(round));
  return schedule;
}

}  // namespace railyard
