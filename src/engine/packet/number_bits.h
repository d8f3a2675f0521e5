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

inline void clear_bits(const Net& net, std::uint64_t* bits, std::uint32_t row, std::uint32_t from, std::uint32_t to) {
  for (std::uint32_t number = from; number != to; number++)
    bits[word_of(net, row, number)] &= ~(std::uint64_t{1} << number % 64);
}

}  // namespace railyard::packet
