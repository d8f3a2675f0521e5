// Messages that have been posted and not begun.
#pragma once

#include <cstddef>

#include "base/large_array.h"
#include "engine/engine.h"

namespace railyard {

struct MessageStart {
  Picoseconds at;
  Message message;
};

/// Messages in the order of time. What many need that start at once is given back when all have.
class StartQueue {
 public:
  void push_back(const MessageStart& start) { starts_.push_back(start); }
  void pop_front() {
    if (++first_ == starts_.size()) clear();
  }
  void clear() {
    constexpr std::size_t kMany = 1U << 16;
    starts_.clear();
    if (starts_.capacity() > kMany) give_back(starts_);
    first_ = 0;
  }
  [[nodiscard]] bool empty() const { return starts_.empty(); }
  [[nodiscard]] std::size_t size() const { return starts_.size() - first_; }
  [[nodiscard]] const MessageStart& front() const { return starts_[first_]; }

 private:
  LargeArray<MessageStart> starts_;
  std::size_t first_ = 0;
};

}  // namespace railyard
