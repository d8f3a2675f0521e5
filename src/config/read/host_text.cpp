#include "config/read/host_text.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/printable.h"

namespace railyard::host_text {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_letter(char c) { return is_letter(c) || is_digit(c) || c == '_'; }

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (is_blank(text.front()) || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> lines_of(std::string_view text) { return split_at(text, '\n'); }

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at]) || text[at] == '\n') {
      at++;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !is_blank(text[end]) && text[end] != '\n') end++;
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view b) { return text.starts_with(b); });
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::optional<std::vector<std::uint8_t>> number_list(std::string_view text, std::uint8_t largest) {
  std::vector<std::uint8_t> numbers;
  for (const std::string_view untrimmed : split_at(text, ',')) {
    const std::string_view part = trimmed(untrimmed);
    if (part.empty()) continue;
    const std::size_t dash = part.find('-');
    const auto first = whole_number(part.substr(0, dash), largest);
    const auto last = dash == std::string_view::npos ? first : whole_number(part.substr(dash + 1), largest);
    if (!first || !last) return std::nullopt;
    for (std::uint64_t n = *first; n <= *last; n++) numbers.push_back(static_cast<std::uint8_t>(n));
  }
  return numbers;
}

std::optional<KeyValue> key_value(std::string_view line, std::string_view separators) {
  const std::size_t at = line.find_first_of(separators);
  if (at == std::string_view::npos) return std::nullopt;
  return KeyValue{trimmed(line.substr(0, at)), trimmed(line.substr(at + 1))};
}

std::string pci_address(std::string_view text) {
  const auto is_hex = [](std::string_view part, std::size_t length) {
    return part.size() == length &&
           std::all_of(part.begin(), part.end(), [](char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; });
  };
  const auto parts = split_at(text, ':');
  if (parts.size() < 2 || parts.size() > 3) return {};
  const std::string_view slot = parts.back();
  const bool is_address = is_hex(parts[parts.size() - 2], 2) && slot.size() == 4 && is_hex(slot.substr(0, 2), 2) &&
                          slot[2] == '.' && slot[3] >= '0' && slot[3] <= '7' && (parts.size() == 2 || is_hex(parts[0], 4));
  if (!is_address) return {};
  return lower_case(parts.size() == 2 ? "0000:" + std::string(text) : std::string(text));
}

std::string_view assigned_name(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos || equals == 0 || is_digit(word[0])) return {};
  const std::string_view name = word.substr(0, equals);
  return std::all_of(name.begin(), name.end(), is_name_letter) ? name : std::string_view();
}

std::vector<ScriptLine> script_lines(std::string_view text) {
  std::vector<ScriptLine> out;
  bool goes_on = false;
  std::uint32_t number = 0;
  for (const std::string_view raw : lines_of(text)) {
    number++;
    std::string_view line = trimmed(raw);
    const bool continued = line.ends_with('\\');
    if (continued) line.remove_suffix(1);
    if (goes_on)
      out.back().text += " " + std::string(line);
    else
      out.push_back({number, std::string(line)});
    goes_on = continued;
  }
  return out;
}

bool is_library_variable(std::string_view name) {
  return starts_with_any(name, {"NCCL_", "RCCL_", "UCX_", "HSA_", "TORCH_NCCL_", "CUDA_DEVICE_", "CUDA_VISIBLE_",
                                "ROCR_VISIBLE_", "HIP_VISIBLE_", "GLOO_SOCKET_", "SHARP_"});
}

void set_environment(Device& device, std::string_view name, std::string_view value, const SourceSpan& where) {
  if (is_library_variable(name)) device.environment[std::string(name)] = {std::string(value), where};
}

Diagnostics broken_file(Diagnostics errors) {
  for (Diagnostic& error : errors) error.hint = "mend the file, or leave it out";
  return errors;
}

void add_unread(Device& device, std::string_view statement, const SourceSpan& where) {
  constexpr std::size_t kKinds = 256, kLongest = 80;
  const std::string kind = printable(statement.substr(0, kLongest));
  for (Device::Unread& one : device.unread)
    if (one.statement == kind) {
      one.times++;
      return;
    }
  if (device.unread.size() < kKinds) device.unread.push_back({kind, 1, where});
}

}  // namespace railyard::host_text
