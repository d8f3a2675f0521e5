// Threads that run points while somebody else waits for messages.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "base/progress.h"
#include "sweep/row.h"
#include "sweep/sweep.h"

namespace railyard {

class PointPool {
 public:
  /// `threads` at least one. Cancelled with `progress`, to which nothing is added.
  PointPool(const Sweep& sweep, unsigned threads, Progress& progress);
  ~PointPool();  // gives up what has not begun, and waits for what has
  PointPool(const PointPool&) = delete;
  PointPool& operator=(const PointPool&) = delete;

  void push(std::span<const std::size_t> points);
  /// Points that are done; waits until there is one, but not for longer than `patience`. Throws Cancelled.
  std::vector<NumberedRow> take(std::chrono::microseconds patience);

 private:
  void work();

  const Sweep& sweep_;
  Progress& progress_;
  std::mutex mutex_;
  std::condition_variable has_work_, has_rows_;
  std::deque<std::size_t> waiting_;
  std::vector<NumberedRow> done_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace railyard
