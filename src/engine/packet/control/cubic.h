// CUBIC (RFC 9438): after a loss the window grows with the cube of time, first back to where it was, and never slower than
// Reno's would.
#pragma once

#include "engine/packet/control/dctcp.h"

namespace railyard::packet {

inline constexpr Time kCubicTick = Time{1} << 26;  // 67.1 µs: what time is counted in here

/// The largest whole number whose cube is not above `value`.
inline std::int64_t cube_root(std::int64_t value) {
  std::int64_t root = 0;
  for (std::int64_t bit = std::int64_t{1} << 20; bit > 0; bit >>= 1) {
    const std::int64_t next = root + bit;
    if (next * next <= value / next) root = next;
  }
  return root;
}

inline void begin(Cubic& c, Window& w, const WindowLimits& limits) {
  w.most = limits.most > 0 ? limits.most : kNoThreshold;
  w.size = limits.first > 0 ? limits.first : 10 * std::int64_t{limits.mtu};
  c.slow_start = kNoThreshold;
  c.since = kNever;
}

/// 0.4 packets per second cubed, in bytes for a number of ticks: 0.4 · (67.1 µs)³ is 2^-42.9 packets, taken for 2^-43.
inline std::int64_t cubic_growth(std::int64_t ticks, std::uint32_t mtu) {
  const std::int64_t bounded = std::clamp<std::int64_t>(ticks, -(std::int64_t{1} << 19), std::int64_t{1} << 19);
  return bounded * bounded * bounded / (std::int64_t{1} << 22) * mtu / (std::int64_t{1} << 21);
}

inline void answer(Cubic& c, Window& w, const WindowLimits& limits, const Answer& a) {
  if (a.bytes == 0) return;
  if (w.size < c.slow_start) return grow_as_reno(w, limits, c.slow_start, a.bytes);
  if (c.since == kNever) {  // the epoch begins
    c.since = a.now;
    c.friendly = w.size;
    const std::int64_t gap = std::max<std::int64_t>(0, c.before - w.size) / limits.mtu;
    c.inflection = cube_root(gap << 43) * kCubicTick;
  }
  const std::int64_t ticks = (a.now + w.round_trip - c.since - c.inflection) / kCubicTick;
  const std::int64_t aim = std::clamp(std::max(c.before, w.size / 2) + cubic_growth(ticks, limits.mtu), w.size, w.size * 3 / 2);
  c.friendly += std::int64_t{limits.mtu} * a.bytes / w.size * 9 / 17;  // 3 (1 - 0.7) / (1 + 0.7)
  w.size += (aim - w.size) * a.bytes / w.size;
  w.size = std::min(std::max(w.size, c.friendly), w.most);
}

inline void lose(Cubic& c, Window& w, const WindowLimits& limits) {
  c.before = w.size < c.before ? w.size * 17 / 20 : w.size;  // room is made for others where it has lost again early
  w.size = c.slow_start = std::max<std::int64_t>(2 * std::int64_t{limits.mtu}, w.size * 7 / 10);
  c.since = kNever;
}

inline void time_out(Cubic& c, Window& w, const WindowLimits& limits) {
  lose(c, w, limits);
  w.size = limits.mtu;
}

}  // namespace railyard::packet
