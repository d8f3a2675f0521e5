#include "base/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace railyard {

namespace {

std::uint8_t byte_of(char c) { return static_cast<std::uint8_t>(c); }

/// Bytes of the character that begins with `c`; 0 where none does.
std::size_t length_of(std::uint8_t c) {
  if (c < 0x80) return 1;
  if (c < 0xC2) return 0;  // goes on from somewhere, or is a longer way to write a shorter one
  if (c < 0xE0) return 2;
  if (c < 0xF0) return 3;
  return c < 0xF5 ? 4 : 0;
}

/// The character at the front of `text` and its bytes; none (and one byte) where that is no UTF-8.
struct Character {
  std::uint32_t code = 0xFFFF;  // no character
  std::size_t bytes = 1;
};

Character front_of(std::string_view text) {
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};  // by bytes
  const std::size_t bytes = length_of(byte_of(text.front()));
  if (bytes == 0 || bytes > text.size()) return {};
  std::uint32_t code = bytes == 1 ? byte_of(text.front()) : byte_of(text.front()) & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; i++) {
    if ((byte_of(text[i]) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte_of(text[i]) & 0x3FU);
  }
  const bool is_surrogate = code >= 0xD800 && code < 0xE000;
  return code < kSmallest[bytes] || code > 0x10FFFF || is_surrogate ? Character{} : Character{code, bytes};
}

bool is_shown(std::uint32_t code) {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;  // C0, DEL, C1
  if (code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E)) return false;
  return !(code >= 0x2066 && code <= 0x2069) && code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
}

std::string shown(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const Character next = front_of(text);
    if (is_shown(next.code) || kept.find(text.front()) != std::string_view::npos)
      out += text.substr(0, next.bytes);
    else
      out += '?';
    text.remove_prefix(next.bytes);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view text) { return shown(text, ""); }

std::string printable_lines(std::string_view text) { return shown(text, "\n\t"); }

std::string escaped_in_json(std::string json) {
  if (std::all_of(json.begin(), json.end(), [](char c) { return byte_of(c) < 0x7F; })) return json;
  std::string out;
  for (std::string_view text = json; !text.empty();) {
    const Character next = front_of(text);
    if (is_shown(next.code))
      out += text.substr(0, next.bytes);
    else
      out += fmt::format("\\u{:04x}", next.code);
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::size_t unfinished_bytes(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); back++) {
    const std::uint8_t c = byte_of(text[text.size() - back]);
    if (c >= 0xC0) return length_of(c) > back ? back : 0;
    if (c < 0x80) return 0;
  }
  return 0;
}

std::string csv_cell(std::string_view text) {
  std::string cell = printable(text);
  if (cell.find_first_of(",\"") == std::string::npos) return cell;
  for (std::size_t i = 0; (i = cell.find('"', i)) != std::string::npos; i += 2) cell.insert(i, 1, '"');
  return '"' + cell + '"';
}

}  // namespace railyard
