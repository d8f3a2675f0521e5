// How far a long computation is, for whoever watches. Workers only add; a watcher on another thread only reads.
#pragma once

#include <atomic>
#include <cstdint>

namespace railyard {

/// Thread-safe. Values are for display and never influence a result.
class Progress {
 public:
  void expect(std::uint64_t work) { total_.fetch_add(work, std::memory_order_relaxed); }
  void add(std::uint64_t work) { done_.fetch_add(work, std::memory_order_relaxed); }

  [[nodiscard]] std::uint64_t done() const { return done_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::uint64_t total() const { return total_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> done_{0};
  std::atomic<std::uint64_t> total_{0};
};

}  // namespace railyard
