// What threads that run one interval share: where they meet, and which nodes are to be visited.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

namespace railyard::packet {

/// Threads meet here before they go on. Who waits long sleeps: on a busy machine a thread that spins takes the time that the
/// others need to arrive.
class Barrier {
 public:
  explicit Barrier(unsigned threads) : threads_(threads) {}
  void wait() {
    if (threads_ == 1) return;
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (here_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      here_.store(0, std::memory_order_relaxed);
      round_.store(round + 1);
      if (sleeping_.load() > 0) round_.notify_all();
      return;
    }
    constexpr unsigned kSpins = 4096;  // some microseconds
    for (unsigned spins = 0; spins < kSpins; spins++)
      if (round_.load(std::memory_order_acquire) != round) return;
    sleeping_.fetch_add(1);  // in one order with the round for all: whoever ends it sees this, or this sees its end
    while (round_.load() == round) round_.wait(round);
    sleeping_.fetch_sub(1);
  }

 private:
  const unsigned threads_;
  std::atomic<std::uint32_t> here_{0}, round_{0}, sleeping_{0};
};

/// Which nodes have something to do: a bit each.
class Marks {
 public:
  explicit Marks(std::uint32_t nodes) : words_((nodes + 63) / 64), bits_(new std::atomic<std::uint64_t>[words_]) {
    for (std::uint32_t i = 0; i < words_; i++) bits_[i].store(0, std::memory_order_relaxed);
  }
  void set(std::uint32_t node) {
    std::atomic<std::uint64_t>& word = bits_[node / 64];
    const std::uint64_t bit = std::uint64_t{1} << node % 64;
    if ((word.load(std::memory_order_relaxed) & bit) == 0) word.fetch_or(bit, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t word(std::uint32_t i) const { return bits_[i].load(std::memory_order_relaxed); }
  /// Clears bits; returns those that were set, and that nobody else has cleared.
  std::uint64_t claim(std::uint32_t i, std::uint64_t bits) {
    return bits_[i].fetch_and(~bits, std::memory_order_relaxed) & bits;
  }
  [[nodiscard]] std::uint32_t words() const { return words_; }
  /// The group that the first of some bits is in, of those that divide a word. REQUIRES: size is a power of two below 64.
  static std::uint64_t group_of(std::uint64_t bits, std::uint32_t size) {
    const auto first = static_cast<std::uint32_t>(std::countr_zero(bits));
    return ((std::uint64_t{1} << size) - 1) << (first & ~(size - 1));
  }

 private:
  std::uint32_t words_;
  std::unique_ptr<std::atomic<std::uint64_t>[]> bits_;
};

}  // namespace railyard::packet
