// TIMELY (SIGCOMM 2015): a rate that follows how the round trip changes: up while it shrinks, down by how fast it grows,
// between a round trip that is always good and one that is always bad.
#pragma once

#include "engine/packet/control/dctcp.h"

namespace railyard::packet {

inline constexpr std::int64_t kTimelySegment = 16 * 1024;  // bytes that are one completion
inline constexpr std::int64_t kTimelyHighOverLow = 10;     // 500 µs over 50 µs
inline constexpr std::int64_t kTimelySteps = 1000;         // from nothing to the line's rate: 10 Mb/s of 10 Gb/s each
inline constexpr std::uint32_t kTimelyCalm = 5;            // steps in a row after which five are taken at once

struct TimelyParameters {
  Time low = 50'000'000;  // round trip below which the rate grows whatever that does
};

inline void begin(Timely& c, Window& w, const WindowLimits& limits, std::int64_t line) {
  w.size = w.most = limits.most > 0 ? limits.most : kNoThreshold;
  c.rate = c.line = line;
}

/// Cuts keep at least half. `kept` is in 1/1024.
inline void decrease(Timely& c, std::int64_t kept) {
  c.rate = std::max(c.line / kTimelySteps, c.rate / 1024 * std::max<std::int64_t>(kept, 512));
}

inline void grow(Timely& c, std::int64_t steps) { c.rate = std::min(c.line, c.rate + steps * (c.line / kTimelySteps)); }

/// A segment is complete, and a least round trip over since the last step.
inline void step(Timely& c, Time base, const TimelyParameters& p, Time trip) {
  const Time change = c.last_trip == 0 ? 0 : trip - c.last_trip;
  c.last_trip = trip;
  c.trend += (change - c.trend) * 7 / 8;
  c.calm = trip < p.low || c.trend <= 0 ? c.calm + 1 : 0;
  const Time high = p.low * kTimelyHighOverLow;
  if (trip > high) return decrease(c, 1024 - (trip - high) * 1024 / trip * 4 / 5);
  if (trip < p.low || c.trend <= 0) return grow(c, c.calm >= kTimelyCalm ? 5 : 1);
  decrease(c, 1024 - std::min<Time>(c.trend * 1024 / base, 1024) * 4 / 5);
}

inline void answer(Timely& c, Window& w, const TimelyParameters& p, const Answer& a) {
  const Time base = std::max(w.round_trip, p.low * 2 / 5);
  c.bytes += a.bytes;
  if (c.bytes < kTimelySegment || a.now - c.stepped_at < base) return;
  c.bytes = 0;
  c.stepped_at = a.now;
  step(c, base, p, a.round_trip);
}

inline void time_out(Timely& c) { decrease(c, 512); }

/// Meant for networks without loss: where packets are lost all the same, the rate is halved as TCP halves its window.
inline void lose(Timely& c) { decrease(c, 512); }

}  // namespace railyard::packet
