// Spans that overlap, dealt to lanes so that those of one lane do not.
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#include "base/units.h"

namespace railyard {

/// Takes spans in the order of their starts; each gets the lowest lane that is free.
class Lanes {
 public:
  std::uint32_t take(Picoseconds start, Picoseconds end) {
    while (!busy_.empty() && busy_.top().first <= start) {
      free_.insert(busy_.top().second);
      busy_.pop();
    }
    const std::uint32_t lane = free_.empty() ? lanes_++ : *free_.begin();
    free_.erase(lane);
    busy_.emplace(end, lane);
    return lane;
  }

  [[nodiscard]] std::uint32_t count() const { return lanes_; }

 private:
  using Ending = std::pair<Picoseconds, std::uint32_t>;
  std::priority_queue<Ending, std::vector<Ending>, std::greater<>> busy_;
  std::set<std::uint32_t> free_;
  std::uint32_t lanes_ = 0;
};

}  // namespace railyard
