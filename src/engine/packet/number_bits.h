// Bits by row and packet number, in a circle: what selective repeat remembers of packets around a gap.
#pragma once

#include <cstdint>

#include "engine/packet/net.h"

namespace railyard::packet {

inline std::size_t word_of(const Net& net, std::uint32_t row, std::uint32_t number) {
  return (std::size_t{row} * net.bitmap + number % net.bitmap) / 64;
}

/// Nothing is remembered where numbers have no bits.
inline bool bit_of(const Net& net, const std::uint64_t* bits, std::uint32_t row, std::uint32_t number) {
  return net.bitmap != 0 && (bits[word_of(net, row, number)] >> number % 64 & 1) != 0;
}

inline void set_bit(const Net& net, std::uint64_t* bits, std::uint32_t row, std::uint32_t number) {
  bits[word_of(net, row, number)] |= std::uint64_t{1} << number % 64;
}

/// All bits but one, put together from halves: of ~(1 << bit) clang 14 makes a rotation of 64 bits, which its PTX gets wrong.
inline std::uint64_t all_but(std::uint32_t bit) {
  constexpr std::uint64_t kLower = 0xFFFF'FFFF;
  const std::uint64_t half = ~(1U << bit % 32);
  return bit < 32 ? ~kLower | half : half << 32 | kLower;
}

inline void clear_bits(const Net& net, std::uint64_t* bits, std::uint32_t row, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t number = from; number != to; number++) bits[word_of(net, row, number)] &= all_but(number % 64);
}

}  // namespace railyard::packet
