// Whether packets that cross links bring anything new.
#pragma once

#include <cstdint>

namespace railyard::packet {

/// Lossy networks that collapse need a thousand hops and more for a packet that counts; thirty times that for long is no
/// progress any more.
class ProgressWatch {
 public:
  static constexpr std::uint64_t kWindows = 1 << 10;  // after so many it looks

  /// Packets have crossed so many links by now. Returns whether it wants to know how many have arrived.
  [[nodiscard]] bool is_due(std::uint64_t hops) const { return hops - hops_ >= kHops; }

  void look(std::uint64_t hops, std::uint64_t arrived) {
    is_livelocked = arrived < arrived_ + (hops - hops_) / kHopsPerPacket;
    hops_ = hops, arrived_ = arrived;
  }

  bool is_livelocked = false;

 private:
  static constexpr std::uint64_t kHops = 1 << 24, kHopsPerPacket = 1 << 15;
  std::uint64_t hops_ = 0, arrived_ = 0;  // when it last looked
};

}  // namespace railyard::packet
