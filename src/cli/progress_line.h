// A line on stderr that tells how far a long computation is.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "base/progress.h"

namespace railyard {

/// "45.3 %  Llama 3: placement  12 s, about 14 s left".
std::string progress_text(const Progress& progress, double elapsed_s);

/// Shows `progress` while it lives (how far it is, what it is at, how long it may take), from one second on and only if stderr
/// is a terminal; leaves the line empty behind itself.
class ProgressLine {
 public:
  /// `on_sign` is called with the seconds that have passed before each sign of life.
  ProgressLine(const Progress& progress, bool quiet, std::function<void(double)> on_sign = {});
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void watch();

  const Progress& progress_;
  const std::function<void(double)> on_sign_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread watcher_;
};

}  // namespace railyard
