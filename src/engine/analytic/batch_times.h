// When messages that start together on idle links are through.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/analytic/analytic_paths.h"

namespace railyard {

/// What takes one way of one message.
struct Sending {
  std::uint32_t path;
  Bytes size;  // on the wire
  Picoseconds takes;
};

/// The closed form: on a link of rate R a message of size b among b_1 … b_k that put fractions p_1 … p_k of their rates on it
/// is through after sum(p_i min(b_i, b)) / R, which is processor sharing of simultaneous arrivals. A message is limited by the
/// slowest of its links.
class BatchTimes {
 public:
  explicit BatchTimes(const AnalyticPaths& paths) : paths_(paths) {}

  /// Finds how long each takes. False if these may not be the times of fair sharing: some link holds some of its messages back
  /// while others, held back elsewhere, leave room on it; or could not carry those others once smaller ones are through.
  bool find(std::span<Sending> batch);

  /// What is left of each after `elapsed`, by index, in the units of volume_of; of those that are through nothing. REQUIRES:
  /// find() was called for them, and links run as they did then.
  std::vector<Int128> left(std::span<const Sending> batch, Picoseconds elapsed);

 private:
  /// Claims on a link while a batch is looked at. Fractions are in 2^-32.
  struct Link {
    std::uint64_t waiting = 0;     // fractions of messages that are no smaller than the one at hand
    Int128 through = 0;            // bytes times fractions of those before
    Bytes size;                    // of the one before
    std::uint64_t no_smaller = 0;  // what was waiting at the first of that size
    bool holds = false;            // somebody back
    double others = 0;             // what those who are held back elsewhere may ever put on it, in bit/s
  };

  struct LastTime {
    Bytes size;
    BitsPerSecond rate;
    Picoseconds time;
  };

  bool find_alone(std::span<Sending> batch);
  [[nodiscard]] std::vector<Int128> left_alone(std::span<const Sending> batch, Picoseconds elapsed) const;
  [[nodiscard]] BitsPerSecond slowest(std::uint32_t path) const;
  void serve(Sending& sending);
  [[nodiscard]] Picoseconds time_of(Bytes size, BitsPerSecond rate);
  [[nodiscard]] bool is_fair(std::span<const Sending> batch, bool equal) const;
  void forget(std::span<const Sending> batch);
  const LargeArray<std::uint32_t>& by_size(std::span<const Sending> batch);

  const AnalyticPaths& paths_;
  std::vector<Link> links_;
  LargeArray<std::uint32_t> order_;
  std::vector<Picoseconds> on_link_;  // of one message
  LastTime last_;
  bool alone_ = false;               // of the batch that was looked at last nobody shares a link
  std::vector<std::uint32_t> seen_;  // by link: the last batch that crossed it
  std::uint32_t batch_number_ = 0;
};

}  // namespace railyard
