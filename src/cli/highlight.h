// Colour on a terminal for what matters: errors, warnings, the first paragraph of an answer. Never in files or pipes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace railyard {

/// Whether a descriptor leads to a terminal that is to show colours: not where NO_COLOR is set (no-color.org), and not where
/// TERM is dumb or missing.
bool shows_colour(int descriptor);

/// Puts colour into the lines of a stream, one after the other. What a line says stays as it is.
class Highlighter {
 public:
  enum class Stream { output, errors };
  explicit Highlighter(Stream stream) : stream_(stream) {}

  /// `line` without its end. Codes of findings are coloured with their severity, sentences about what went wrong at their
  /// beginning, and the first paragraph below the title of a report, which is its answer.
  std::string line(std::string_view line);

 private:
  Stream stream_;
  std::size_t lines_ = 0;   // seen so far
  bool is_titled_ = false;  // the second was a rule
  bool in_answer_ = false;  // the last belonged to the first paragraph below the title
};

}  // namespace railyard
