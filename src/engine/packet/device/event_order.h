// The order of what happens at a switch in a window: by time; at one instant what leaves before what comes; then by port or by
// link. And how a block of threads puts many such events into it.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet::device {

/// When something happens, and to what, as a number: time since the window began, what it is, and which of the node's ports or
/// links. Its place in a list may follow.
struct EventOrder {
  static constexpr std::uint32_t kSlotBits = 11, kPlaceBits = 20;
  static constexpr std::uint32_t kMostSlots = 1U << kSlotBits, kMostPlaces = 1U << kPlaceBits;
  static constexpr Time kLongest = Time{1} << 32;

  static std::uint64_t departure(Time since, std::uint32_t port) {
    return (static_cast<std::uint64_t>(since) << 1) << kSlotBits | port;
  }
  static std::uint64_t arrival(Time since, std::uint32_t link) {
    return (static_cast<std::uint64_t>(since) << 1 | 1) << kSlotBits | link;
  }
  static Time since_of(std::uint64_t order) { return static_cast<Time>(order >> (kSlotBits + 1)); }
  static std::uint64_t with_place(std::uint64_t order, std::uint32_t place) { return order << kPlaceBits | place; }
  static std::uint64_t order_of(std::uint64_t key) { return key >> kPlaceBits; }
  static bool is_arrival(std::uint64_t key) { return (key >> (kPlaceBits + kSlotBits) & 1) != 0; }
  static std::uint32_t place_of(std::uint64_t key) { return static_cast<std::uint32_t>(key) & (kMostPlaces - 1); }
};

/// Puts keys in order (a bitonic sort). Those behind `count`, up to the next power of two, are written, too.
template<class Block>
void sort_keys(Block& block, std::uint64_t* keys, std::uint32_t count) {
  const std::uint32_t all = std::bit_ceil(count);
  block.each(all - count, [&](std::uint32_t i) { keys[count + i] = kIdle; });
  for (std::uint32_t size = 2; size <= all; size *= 2)
    for (std::uint32_t apart = size / 2; apart > 0; apart /= 2)
      block.each(all / 2, [&](std::uint32_t i) {
        const std::uint32_t a = (i & ~(apart - 1)) << 1 | (i & (apart - 1)), b = a | apart;
        const std::uint64_t x = keys[a], y = keys[b];
        if ((x > y) != ((a & size) == 0)) return;
        keys[a] = y;
        keys[b] = x;
      });
}

}  // namespace railyard::packet::device
