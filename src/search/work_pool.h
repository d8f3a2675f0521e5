// Threads that work on numbers while somebody else waits for messages.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/progress.h"

namespace railyard {

class WorkPool {
 public:
  struct Made {
    std::size_t number = 0;
    std::string text;
  };

  /// `threads` at least one. Cancelled with `progress`, to which nothing is added. `make` is called by all threads, and may
  /// throw Cancelled.
  WorkPool(const std::function<std::string(std::size_t, Progress&)>& make, unsigned threads, Progress& progress);
  ~WorkPool();  // gives up what has not begun, and waits for what has
  WorkPool(const WorkPool&) = delete;
  WorkPool& operator=(const WorkPool&) = delete;

  void push(std::span<const std::size_t> numbers);
  /// What is done; waits until something is, but not for longer than `patience`. Throws Cancelled.
  std::vector<Made> take(std::chrono::microseconds patience);

 private:
  void work();

  const std::function<std::string(std::size_t, Progress&)>& make_;
  Progress& progress_;
  std::mutex mutex_;
  std::condition_variable has_work_, has_made_;
  std::deque<std::size_t> waiting_;
  std::vector<Made> made_;
  bool is_over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace railyard
