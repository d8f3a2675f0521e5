#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace railyard {

std::string_view name_of(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      break;
  }
  return "error";
}

std::string to_text(const SourceSpan& where) {
  if (where.line == 0) return where.file;
  if (where.column == 0) return fmt::format("{}:{}", where.file, where.line);
  return fmt::format("{}:{}:{}", where.file, where.line, where.column);
}

std::string to_text(const Diagnostic& diagnostic) {
  std::string text = to_text(diagnostic.where);
  if (!text.empty()) text += ": ";
  text += fmt::format("{} {}: {}", name_of(diagnostic.severity), diagnostic.code, diagnostic.message);
  if (!diagnostic.hint.empty()) text += "; " + diagnostic.hint;
  return printable(text);
}

void sort_by_location(Diagnostics& diagnostics) {
  const auto location = [](const Diagnostic& d) { return std::tie(d.where.file, d.where.line, d.where.column); };
  std::stable_sort(diagnostics.begin(), diagnostics.end(),
                   [&](const Diagnostic& a, const Diagnostic& b) { return location(a) < location(b); });
  const auto repeats = [](const Diagnostic& a, const Diagnostic& b) {
    return a.where == b.where && a.code == b.code && a.message == b.message;
  };
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end(), repeats), diagnostics.end());
}

bool has_errors(const Diagnostics& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
}

}  // namespace railyard
