// A line on stderr that tells how far a long computation is.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string_view>
#include <thread>

#include "base/progress.h"

namespace railyard {

/// Shows `progress` while it lives, from one second on and only if stderr is a terminal; leaves the line empty behind itself.
class ProgressLine {
 public:
  ProgressLine(const Progress& progress, bool quiet, std::string_view unit = "messages");
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void watch();

  const Progress& progress_;
  const std::string_view unit_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread watcher_;
};

}  // namespace railyard
