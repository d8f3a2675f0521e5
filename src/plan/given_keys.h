// The keys a scenario was given and where each was written: what diagnostics point at.
#pragma once

#include <map>
#include <string>

#include "base/diagnostic.h"

namespace railyard {

/// A key as it was written.
struct GivenKey {
  SourceSpan where;
  std::string value;  // shortened when long; empty for a section
};

struct GivenKeys {
  std::map<std::string, GivenKey> by_path;  // "transport.mtu"
  SourceSpan file;                          // line 0

  [[nodiscard]] bool given(const std::string& path) const { return by_path.contains(path); }

  /// Where a key was written, or the file as a whole.
  [[nodiscard]] SourceSpan where(const std::string& path) const {
    const auto found = by_path.find(path);
    return found == by_path.end() ? file : found->second.where;
  }
};

/// The warning about a key that was given and has no effect.
[[nodiscard]] inline Diagnostic no_effect(const GivenKeys& keys, const std::string& path, const std::string& why) {
  return {Severity::warning, "RY-RUN-020", path + " has no effect: " + why, "remove it", keys.where(path)};
}

}  // namespace railyard
