// What a scenario was read from, for those who show it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/fingerprint.h"
#include "scenario/load.h"

namespace railyard {

/// Remembers what a scenario was read from, so that a page can show it.
class ScenarioText {
 public:
  /// Reads with `read` and remembers. May outlive this.
  [[nodiscard]] ReadFile reader(ReadFile read) const;

  /// The scenario, then what it extends, each under a comment with its name.
  [[nodiscard]] std::string text() const;

  /// A short name for every word of every file that was read: equal where all of them are.
  [[nodiscard]] std::string fingerprint() const { return read_->all.text(); }

  /// Every file that was asked for, in order: the scenario, what it extends, and what its keys name.
  [[nodiscard]] const std::vector<std::filesystem::path>& paths() const { return read_->paths; }

 private:
  struct Read {
    std::vector<std::pair<std::string, std::string>> texts;  // names and contents
    std::vector<std::filesystem::path> paths;
    Fingerprint all;
  };
  std::shared_ptr<Read> read_ = std::make_shared<Read>();
};

}  // namespace railyard
