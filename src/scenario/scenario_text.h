// What a scenario was read from, for those who show it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scenario/load.h"

namespace railyard {

/// Remembers what a scenario was read from, so that a page can show it.
class ScenarioText {
 public:
  /// Reads with `read` and remembers. May outlive this.
  [[nodiscard]] ReadFile reader(ReadFile read) const;

  /// The scenario, then what it extends, each under a comment with its name.
  [[nodiscard]] std::string text() const;

 private:
  using Files = std::vector<std::pair<std::string, std::string>>;
  std::shared_ptr<Files> files_ = std::make_shared<Files>();
};

}  // namespace railyard
