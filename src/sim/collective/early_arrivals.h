// Messages that arrive before their turn.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace railyard {

/// What has arrived in repeats that a thread has not come to, from fast neighbours. These may be thousands of repeats ahead.
class EarlyArrivals {
 public:
  /// One of the repeat that is `ahead`, at least one.
  void add(std::uint32_t ahead) {
    if (ahead > counts_.size()) grow(ahead);
    size_ = std::max(size_, ahead);
    at(ahead)++;
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// The thread goes on by `repeats`, at least one. Returns what has arrived of the repeat that it comes to.
  std::uint32_t pass(std::uint32_t repeats) {
    const std::uint32_t arrived = repeats <= size_ ? at(repeats) : 0, gone = std::min(repeats, size_);
    for (std::uint32_t i = 1; i <= gone; i++) at(i) = 0;
    begin_ += gone;
    size_ -= gone;
    return arrived;
  }

 private:
  [[nodiscard]] std::uint32_t& at(std::uint32_t ahead) { return counts_[(begin_ + ahead - 1) & (counts_.size() - 1)]; }
  void grow(std::uint32_t ahead) {
    std::vector<std::uint32_t> counts(std::bit_ceil(ahead), 0);
    for (std::uint32_t i = 1; i <= size_; i++) counts[i - 1] = at(i);
    counts_.swap(counts);
    begin_ = 0;
  }

  std::vector<std::uint32_t> counts_;  // as many as a power of two, the next repeat's at begin_ modulo their number
  std::uint32_t begin_ = 0, size_ = 0;
};

}  // namespace railyard
