// How far a run is, for the program that started it (--progress-fd).
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "base/progress.h"

namespace railyard {

/// Writes a line of JSON to a descriptor whenever `progress` has got on, five times a second at most, while it lives:
/// {"share":0.45,"now":"Llama 3: placement"}. A reader that goes away is no reason to stop.
class ProgressLog {
 public:
  /// Nothing is written where `descriptor` is negative. `on_sign` is called with the seconds that have passed before each sign.
  ProgressLog(const Progress& progress, int descriptor, std::function<void(double)> on_sign = {});
  ~ProgressLog();
  ProgressLog(const ProgressLog&) = delete;
  ProgressLog& operator=(const ProgressLog&) = delete;

 private:
  void watch();

  const Progress& progress_;
  const int descriptor_;
  const std::function<void(double)> on_sign_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread watcher_;
};

}  // namespace railyard
