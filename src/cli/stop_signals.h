// Signals that end a long computation between two steps of it instead of at once.
#pragma once

#include <atomic>
#include <csignal>
#include <thread>

#include "base/progress.h"

namespace railyard {

/// While it lives, SIGINT and SIGTERM cancel `progress`. Make it before other threads: they inherit that nobody else is told.
class StopSignals {
 public:
  explicit StopSignals(Progress& progress);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  /// The signal that came, or 0.
  [[nodiscard]] int came() const { return came_; }

 private:
  sigset_t watched_{}, before_{};
  std::atomic<int> came_ = 0;
  std::atomic<bool> over_ = false;
  std::thread watcher_;
};

}  // namespace railyard
