// What Railyard tells people: one finding each, with its place, a stable code and what to do about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/printable.h"

namespace railyard {

/// Where in an input something was said. Line 0 means the input as a whole.
struct SourceSpan {
  std::string file;
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

enum class Severity : std::uint8_t { note, warning, error };

/// One thing to tell the user: a scenario mistake, a lint finding, a broken expectation.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string code;       // stable and documented in docs/diagnostics.md, e.g. "RY-SCN-007"
  std::string message;    // what is wrong, with the offending value
  std::string hint = {};  // what to do about it
  SourceSpan where = {};
};
using Diagnostics = std::vector<Diagnostic>;

std::string_view name_of(Severity severity);

/// "case.toml:14:9", "case.toml:14" without a column, "case.toml" when only the file is known, "" when not even that.
std::string to_text(const SourceSpan& where);

/// "case.toml:14:9: error RY-SCN-012: what is wrong; what to do". One line, no newline at the end.
std::string to_text(const Diagnostic& diagnostic);

/// Orders by file, line and column; findings at one place keep their order. Exact repeats are dropped.
void sort_by_location(Diagnostics& diagnostics);

[[nodiscard]] bool has_errors(const Diagnostics& diagnostics);

}  // namespace railyard
