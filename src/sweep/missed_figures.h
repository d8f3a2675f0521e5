// Figures that are named by path and that no point has: typing errors, which show once points are done.
#pragma once

#include <map>
#include <mutex>
#include <span>
#include <string>

#include "base/diagnostic.h"
#include "base/document.h"

namespace railyard {

/// Thread-safe.
class MissedFigures {
 public:
  /// A run has these results, and a number where `path` leads, or none.
  void see(const std::string& path, const Document& results, bool is_there);

  /// RY-SWP-018 for each path that so many runs missed and none had, once.
  [[nodiscard]] Diagnostics found(std::size_t least);
  /// The same for these paths, of which somebody else knows that no point has them.
  [[nodiscard]] Diagnostics found(std::span<const std::string> paths);

 private:
  struct Path {
    std::size_t missed = 0;
    bool is_there = false, is_told = false;
    std::string guess = {};
  };

  static Diagnostic told(const std::string& name, Path& path);

  std::mutex mutex_;
  std::map<std::string, Path> paths_;
};

}  // namespace railyard
