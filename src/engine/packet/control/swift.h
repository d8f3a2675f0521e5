// Swift: the window grows by a packet a round trip while packets wait less than the target, and shrinks with how much more
// they wait, once a round trip.
#pragma once

#include "engine/packet/control/window.h"

namespace railyard::packet {

struct SwiftParameters {
  Time queueing = 0;  // that packets may wait in all; zero: half a round trip
};

inline void begin(Swift& c, Window& w, const SwiftParameters& p, const WindowLimits& limits, std::int64_t line) {
  const std::int64_t path = std::max<std::int64_t>(limits.mtu, bytes_in_flight(w.round_trip, line));
  c.target = p.queueing > 0 ? p.queueing : w.round_trip / 2;
  w.most = limits.most > 0 ? limits.most : path + std::max<std::int64_t>(limits.mtu, bytes_in_flight(c.target, line));
  w.size = limits.first > 0 ? std::min(limits.first, w.most) : path;
}

/// Cuts keep at least half.
inline void decrease(Swift& c, Window& w, const WindowLimits& limits, std::int64_t kept, Time now) {
  if (now - c.decreased_at <= w.round_trip) return;
  c.decreased_at = now;
  w.size = std::max<std::int64_t>(limits.mtu, w.size * std::max<std::int64_t>(kept, 512) / 1024);
}

inline void answer(Swift& c, Window& w, const WindowLimits& limits, const Answer& a) {
  w.round_trip = std::min(w.round_trip, a.round_trip);
  const Time delay = a.round_trip - w.round_trip;
  if (delay < c.target) {
    w.size = std::min(w.most, w.size + std::max<std::int64_t>(a.bytes > 0, std::int64_t{limits.mtu} * a.bytes / w.size));
  } else {
    const std::int64_t whole = a.round_trip;  // beta = 0.8 of the share by which the whole trip was too long
    decrease(c, w, limits, 1024 - (delay - c.target) * 1024 / whole * 4 / 5, a.now);
  }
}

inline void lose(Swift& c, Window& w, const WindowLimits& limits, Time now) { decrease(c, w, limits, 512, now); }

}  // namespace railyard::packet
