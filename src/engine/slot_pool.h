// Things that come and go, by slot.
#pragma once

#include <cstdint>

#include "base/large_array.h"

namespace railyard {

/// Hands out slots: the one that became free last, or a new one behind all others.
template<class T>
class SlotPool {
 public:
  std::uint32_t take() {
    if (free_.empty()) {
      all_.emplace_back();
      return static_cast<std::uint32_t>(all_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  /// REQUIRES: it was taken.
  void give(std::uint32_t slot) { free_.push_back(slot); }
  void clear() { all_.clear(), free_.clear(); }

  /// By slot; until the next is taken.
  [[nodiscard]] T* data() { return all_.data(); }
  [[nodiscard]] T& operator[](std::uint32_t slot) { return all_[slot]; }
  [[nodiscard]] const T& operator[](std::uint32_t slot) const { return all_[slot]; }

 private:
  LargeArray<T> all_;
  LargeArray<std::uint32_t> free_;
};

}  // namespace railyard
