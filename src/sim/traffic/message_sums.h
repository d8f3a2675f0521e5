// What messages were like together, where there are too many to keep each.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "base/fine_histogram.h"
#include "base/stats.h"
#include "sim/traffic/traffic.h"

namespace railyard {

/// Of runs that may have any number of messages, those that are kept one by one: 170 MB with what is made of them.
inline constexpr std::uint64_t kKeptMessages = std::uint64_t{1} << 20;

/// A message that has arrived, and what it would have needed alone.
struct ArrivedMessage {
  PlannedMessage message;
  Picoseconds delivered, ideal;

  [[nodiscard]] Picoseconds taken() const { return delivered - message.start; }
  [[nodiscard]] double slowdown() const { return seconds(taken()) / seconds(ideal); }
};

/// Takes messages one by one, in any order, and keeps what does not grow with them but with the pairs that they go between.
/// Times are known to a two-thousandth, sums and the slowest exactly.
class MessageSums {
 public:
  static constexpr std::size_t kSlowest = 10;

  struct Times {
    Bytes payload;
    Moments delivery_us, slowdown;
    FineHistogram taken;  // picoseconds
    FineHistogram slowdown_millionths;
  };
  struct Pair {
    EndpointId from, to;
    Bytes payload;
  };

  /// `switches`: that it crosses.
  void add(const ArrivedMessage& arrived, std::uint32_t switches);

  [[nodiscard]] const Times& all() const { return all_; }
  [[nodiscard]] const std::map<std::uint32_t, Times>& by_switches() const { return by_switches_; }
  [[nodiscard]] const std::vector<Pair>& pairs() const { return pairs_; }  // as they first appear
  /// The longest first; of equal ones that which arrived first.
  [[nodiscard]] const std::vector<ArrivedMessage>& slowest() const { return slowest_; }
  [[nodiscard]] Picoseconds begin() const { return begin_; }  // of the first message
  [[nodiscard]] Picoseconds end() const { return end_; }      // of the last

 private:
  void keep_if_slow(const ArrivedMessage& arrived);

  Times all_;
  std::map<std::uint32_t, Times> by_switches_;
  std::vector<Pair> pairs_;
  std::unordered_map<std::uint64_t, std::uint32_t> pair_numbers_;  // never iterated
  std::vector<ArrivedMessage> slowest_;
  Picoseconds begin_ = Picoseconds::max(), end_;
};

}  // namespace railyard
