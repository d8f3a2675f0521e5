#include "trace/goal_labels.h"

#include <fmt/format.h>

#include <charconv>

namespace railyard {

namespace {

constexpr std::uint64_t kFirstWord = std::uint64_t{1} << 63;  // keys from here on are words

/// "l17" is 17; words are "l017", "17", "send_3".
bool is_numbered(std::string_view label, std::uint64_t& number) {
  if (label.size() < 2 || label.size() > 18 || label[0] != 'l' || (label[1] == '0' && label.size() > 2)) return false;
  const auto [end, error] = std::from_chars(label.data() + 1, label.data() + label.size(), number);
  return error == std::errc() && end == label.data() + label.size();
}

}  // namespace

std::uint64_t GoalLabels::key(std::string_view label) {
  std::uint64_t number = 0;
  if (is_numbered(label, number)) return number;
  const auto [entry, is_new] = word_keys_.try_emplace(std::string(label), kFirstWord + words_.size());
  if (is_new) words_.emplace_back(label);
  return entry->second;
}

std::string GoalLabels::name(std::uint64_t key) const {
  return key < kFirstWord ? fmt::format("l{}", key) : words_[key - kFirstWord];
}

bool GoalLabels::add(std::string_view label, TraceNodeId node) {
  const std::uint64_t number = key(label);
  return (number < kFirstWord ? numbers_ : by_word_).add(number, node);
}

TraceNodeId GoalLabels::find(std::uint64_t key) const { return (key < kFirstWord ? numbers_ : by_word_).find(key); }

void GoalLabels::clear() {
  numbers_.clear();
  by_word_.clear();
  words_.clear();
  word_keys_.clear();
}

}  // namespace railyard
