#include "trace/numbered_nodes.h"

#include <algorithm>

namespace railyard {

bool NumberedNodes::add(std::uint64_t number, TraceNodeId node) {
  if (!numbers_.empty() && number <= last_) return !find(number).valid() && others_.try_emplace(number, node).second;
  numbers_.push(number);
  nodes_.push(node.index());
  last_ = number;
  return true;
}

std::size_t NumberedNodes::place_of(std::uint64_t number) const {
  std::size_t low = 0, high = numbers_.size();  // what is asked for lies in between
  std::size_t at = std::min(looked_at_, high - 1);
  const std::uint64_t here = numbers_[at];
  const std::uint64_t guess = at + (number - here);  // numbers mostly follow each other
  if (guess < high && numbers_[guess] == number) return guess;
  for (std::size_t step = 1; number < here && at > 0; step *= 2) {
    high = at;
    at -= std::min(step, at);
    if (numbers_[at] <= number) break;
  }
  if (number >= here)
    for (std::size_t step = 1; at + step < high; step *= 2) {
      if (numbers_[at + step] > number) {
        high = at + step;
        break;
      }
      at += step;
    }
  low = at;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (numbers_[middle] < number)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

TraceNodeId NumberedNodes::find(std::uint64_t number) const {
  if (!numbers_.empty() && number <= last_) {
    const std::size_t at = place_of(number);
    looked_at_ = std::min(at, numbers_.size() - 1);
    if (at < numbers_.size() && numbers_[at] == number) return TraceNodeId(static_cast<std::uint32_t>(nodes_[at]));
  }
  const auto other = others_.find(number);
  return other == others_.end() ? TraceNodeId() : other->second;
}

void NumberedNodes::clear() {
  numbers_.clear();
  nodes_.clear();
  others_ = {};
  looked_at_ = 0;
}

}  // namespace railyard
