// Memory for pools of packets, side by side on large pages.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "base/large_array.h"
#include "engine/packet/packet.h"

namespace railyard::packet {

/// Hands out pieces of 2^log slots. Safe to use from several threads.
class SlotStore {
 public:
  Packet* take(std::uint32_t log) {
    const std::lock_guard lock(mutex_);
    std::vector<Packet*>& spare = spare_[log];
    if (!spare.empty()) {
      Packet* const piece = spare.back();
      spare.pop_back();
      return piece;
    }
    const std::size_t slots = std::size_t{1} << log;
    if (blocks_.empty() || blocks_.back().size() - used_ < slots) {
      blocks_.emplace_back(std::max(slots, kBlock));
      used_ = 0;
    }
    used_ += slots;
    return blocks_.back().data() + used_ - slots;
  }
  void give_back(Packet* piece, std::uint32_t log) {
    const std::lock_guard lock(mutex_);
    spare_[log].push_back(piece);
  }

 private:
  static constexpr std::size_t kBlock = (std::size_t{2} << 20) / sizeof(Packet);  // a large page

  std::mutex mutex_;
  std::vector<LargeArray<Packet>> blocks_;
  std::size_t used_ = 0;  // of the last block
  std::array<std::vector<Packet*>, 32> spare_;
};

}  // namespace railyard::packet
