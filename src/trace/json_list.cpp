#include "trace/json_list.h"

namespace railyard {

namespace {

constexpr std::size_t kLargestObject = std::size_t{16} << 20;

}  // namespace

std::size_t length_of_object(std::string_view text) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); at++) {
    const char c = text[at];
    if (in_text && c == '\\')
      at++;
    else if (c == '"')
      in_text = !in_text;
    else if (!in_text && c == '{')
      depth++;
    else if (!in_text && c == '}' && --depth == 0)
      return at + 1;
  }
  return 0;
}

bool skip_behind_text(BufferedBytes& bytes, std::string_view mark) {
  constexpr std::size_t kLook = std::size_t{1} << 16;
  for (;;) {
    const std::string_view text = bytes.peek(kLook);
    const std::size_t found = text.find(mark);
    if (found != std::string_view::npos) return bytes.skip(found + mark.size()), true;
    if (text.size() < kLook) return false;
    bytes.skip(text.size() - mark.size() + 1);
  }
}

std::string_view next_json_object(BufferedBytes& bytes, bool& is_whole) {
  is_whole = false;
  for (std::string_view one = bytes.peek(1); one.empty() || one != "{"; one = bytes.peek(1)) {
    is_whole = one == "]";
    if (one.empty() || is_whole || std::string_view(" \t\r\n,").find(one.front()) == std::string_view::npos) return {};
    bytes.skip(1);
  }
  for (std::size_t look = 1024; look <= kLargestObject; look *= 2) {
    const std::string_view text = bytes.peek(look);
    if (const std::size_t length = length_of_object(text); length > 0) return text.substr(0, length);
    if (text.size() < look) break;
  }
  return {};
}

}  // namespace railyard
