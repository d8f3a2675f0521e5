#include "trace/goal_labels.h"

#include <fmt/format.h>

#include <algorithm>
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

void GoalLabels::sort() {
  if (!std::is_sorted(nodes_.begin(), nodes_.end())) std::sort(nodes_.begin(), nodes_.end());
}

TraceNodeId GoalLabels::find(std::uint64_t key) const {
  const auto found =
      std::lower_bound(nodes_.begin(), nodes_.end(), key,
                       [](const std::pair<std::uint64_t, TraceNodeId>& one, std::uint64_t k) { return one.first < k; });
  return found != nodes_.end() && found->first == key ? found->second : TraceNodeId();
}

std::vector<TraceNodeId> GoalLabels::repeated() const {
  std::vector<TraceNodeId> out;
  for (std::size_t i = 1; i < nodes_.size(); i++)
    if (nodes_[i].first == nodes_[i - 1].first) out.push_back(nodes_[i].second);
  return out;
}

void GoalLabels::clear() {
  nodes_.clear();
  words_.clear();
  word_keys_.clear();
}

}  // namespace railyard
