// What the packets of transports with windows carry beside their number, in one word: for the sender's own use, and sent back
// to it with the answer.
#pragma once

#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet {

/// Twenty bits of time or load, twelve of the way that was drawn.
inline constexpr std::uint32_t kEchoBits = 20, kEchoMask = (1U << kEchoBits) - 1, kMaxEntropies = 1U << (32 - kEchoBits);
inline constexpr int kStampShift = 13;  // times in steps of 8.192 ns: unambiguous for 8.6 ms

inline std::uint32_t stamp_of(Time at) { return static_cast<std::uint32_t>(at >> kStampShift) & kEchoMask; }
inline std::uint32_t echo_of(std::uint32_t low, std::uint32_t entropy) { return low | entropy << kEchoBits; }
inline std::uint32_t entropy_of(std::uint32_t echo) { return echo >> kEchoBits; }
inline std::uint32_t load_of(std::uint32_t echo) { return echo & kEchoMask; }

/// How long ago a packet was sent, to the step.
inline Time age_of(std::uint32_t echo, Time now) {
  return Time{(stamp_of(now) - (echo & kEchoMask)) & kEchoMask} << kStampShift;
}

/// An ACK's number: the low bits of the packet that is expected next, and how many beyond it have arrived.
inline std::uint32_t receipt_of(std::uint32_t expected, std::uint32_t early) {
  return (expected & kEchoMask) | (early < kMaxEntropies ? early : kMaxEntropies - 1) << kEchoBits;
}
/// How far ahead of `acknowledged` an ACK is; an older one is behind.
inline std::int32_t progress_of(std::uint32_t receipt, std::uint32_t acknowledged) {
  return static_cast<std::int32_t>((receipt - acknowledged) << (32 - kEchoBits)) >> (32 - kEchoBits);
}
inline std::uint32_t early_of(std::uint32_t receipt) { return receipt >> kEchoBits; }

}  // namespace railyard::packet
