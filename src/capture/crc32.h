// CRC-32 of IEEE 802.3, which ends RoCE packets as well as Ethernet frames.
#pragma once

#include <cstdint>
#include <span>

namespace railyard {

/// A checksum that is added up bit by bit of a frame.
class Crc32 {
 public:
  void add(std::span<const std::uint8_t> bytes);
  /// As many zero bytes, in no more time than a few bytes take.
  void add_zeros(std::uint32_t count);
  [[nodiscard]] std::uint32_t value() const { return ~state_; }

 private:
  std::uint32_t state_ = 0xFFFFFFFFU;
};

}  // namespace railyard
