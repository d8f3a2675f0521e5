// When messages that start together on idle lanes are through.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/analytic/ways.h"

namespace railyard {

/// What one queue pair carries of one message.
struct Sending {
  std::uint32_t way;
  Bytes size;  // on the wire
  Picoseconds takes;
};

/// The closed form: on a lane of rate R a message of size b among b_1 … b_k is through after sum(min(b_i, b)) / R, which is
/// processor sharing of simultaneous arrivals. A message is limited by the slowest of its lanes.
class BatchTimes {
 public:
  explicit BatchTimes(const Ways& ways) : ways_(ways) {}

  /// Finds how long each takes. False if these are not the times of fair sharing: some lane holds some of its messages back
  /// while others, held back elsewhere, leave room on it.
  bool find(std::span<Sending> batch);

  /// What is left of each after `elapsed`, by index; of those that are through nothing. REQUIRES: find() was called for them.
  std::span<const Bytes> left(std::span<const Sending> batch, Picoseconds elapsed);

 private:
  /// Claims on a lane while a batch is looked at.
  struct Lane {
    std::uint32_t waiting = 0, held = 0, others = 0;  // messages it holds back, and those that other lanes do
    Bytes through;                                    // of messages that are no larger than the one at hand
    Bytes size;                                       // the last that was asked for; a batch asks for the same again and again
    Picoseconds time_of_size;
    BitsPerSecond rate;  // that it was asked for at
  };

  [[nodiscard]] Picoseconds time(std::uint32_t lane, Bytes size);
  void serve(Sending& sending);
  const std::vector<std::uint32_t>& by_size(std::span<const Sending> batch);

  const Ways& ways_;
  std::vector<Lane> lanes_;
  std::vector<std::uint32_t> order_;
  std::vector<Picoseconds> on_lane_;  // of one message
  std::vector<Bytes> left_;
};

}  // namespace railyard
