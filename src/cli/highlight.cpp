#include "cli/highlight.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace railyard {

namespace {

constexpr std::string_view kRed = "\033[1;31m", kYellow = "\033[1;33m", kBold = "\033[1m", kPlain = "\033[0m";

std::string coloured(std::string_view text, std::string_view colour) {
  return std::string(colour) + std::string(text) + std::string(kPlain);
}

/// The first "error RY-SCN-012" of `line` in colour, where that begins a word; the line as it is where there is none.
std::string with_code(std::string_view line, std::string_view severity, std::string_view colour) {
  constexpr std::size_t kCodeSize = 10;  // RY, three letters, three digits
  const std::string wanted = std::string(severity) + " RY-";
  const std::size_t at = line.find(wanted);
  const bool begins_word = at == 0 || (at != std::string_view::npos && line[at - 1] == ' ');
  if (!begins_word) return std::string(line);
  const std::size_t size = severity.size() + 1 + kCodeSize;
  return std::string(line.substr(0, at)) + coloured(line.substr(at, size), colour) +
         std::string(line.substr(std::min(at + size, line.size())));
}

}  // namespace

bool shows_colour(int descriptor) {
  const char* const refused = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (refused && *refused != '\0') return false;
  if (!terminal || *terminal == '\0' || std::string_view(terminal) == "dumb") return false;
  return isatty(descriptor) == 1;
}

std::string Highlighter::line(std::string_view line) {
  constexpr std::string_view kOwn = "railyard:";
  lines_++;
  if (lines_ == 2) is_titled_ = !line.empty() && line.find_first_not_of('=') == std::string_view::npos;
  const bool is_text = !line.empty() && line.front() != ' ';
  in_answer_ = is_text && (lines_ == 3 ? is_titled_ : in_answer_);
  if (stream_ == Stream::output && in_answer_) return coloured(line, kBold);
  if (stream_ == Stream::errors && line.starts_with(kOwn)) return coloured(kOwn, kRed) + std::string(line.substr(kOwn.size()));
  const std::string text = with_code(line, "error", kRed);
  return text.size() > line.size() ? text : with_code(line, "warning", kYellow);
}

}  // namespace railyard
