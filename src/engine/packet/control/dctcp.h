// DCTCP (RFC 8257): the window shrinks by half the share of marked bytes, once a round trip.
#pragma once

#include "engine/packet/control/window.h"

namespace railyard::packet {

inline constexpr std::int64_t kNoThreshold = std::int64_t{1} << 40;  // slow start until something says otherwise

inline void begin(Dctcp& c, Window& w, const WindowLimits& limits) {
  w.most = limits.most > 0 ? limits.most : kNoThreshold;
  w.size = limits.first > 0 ? limits.first : 10 * std::int64_t{limits.mtu};
  c.slow_start = kNoThreshold;
  c.alpha = 1024;
}

/// Reno's growth: by what arrives below the threshold, by a packet a round trip above it.
inline void grow_as_reno(Window& w, const WindowLimits& limits, std::int64_t threshold, std::int64_t bytes) {
  w.size += w.size < threshold ? bytes : std::max<std::int64_t>(1, std::int64_t{limits.mtu} * bytes / w.size);
  w.size = std::min(w.size, w.most);
}

inline void answer(Dctcp& c, Window& w, const WindowLimits& limits, const Answer& a) {
  c.bytes += a.bytes;
  if (a.marked)
    c.marked += a.bytes;
  else if (a.bytes > 0)
    grow_as_reno(w, limits, c.slow_start, a.bytes);
  if (a.through < c.round_end || c.bytes == 0) return;
  const auto share = static_cast<std::int64_t>(c.marked * 1024 / c.bytes);
  c.alpha = static_cast<std::uint32_t>(std::int64_t{c.alpha} + (share - std::int64_t{c.alpha}) / 16);
  if (share > 0 && c.alpha < 16) c.alpha = 16;  // a sixteenth of what is not seen in whole numbers
  if (c.marked > 0) {
    w.size = std::max<std::int64_t>(2 * std::int64_t{limits.mtu}, w.size - w.size * c.alpha / 2048);
    c.slow_start = w.size;
  }
  c.bytes = c.marked = 0;
  c.round_end = a.next;
}

inline void lose(Dctcp& c, Window& w, const WindowLimits& limits) {
  w.size = c.slow_start = std::max<std::int64_t>(2 * std::int64_t{limits.mtu}, w.size / 2);
}

inline void time_out(Dctcp& c, Window& w, const WindowLimits& limits) {
  c.slow_start = std::max<std::int64_t>(2 * std::int64_t{limits.mtu}, w.size / 2);
  w.size = limits.mtu;
}

}  // namespace railyard::packet
