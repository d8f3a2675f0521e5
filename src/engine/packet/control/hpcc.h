// HPCC: switches tell how busy the busiest port on the way is, and the window is set so that it would be 95 % busy. Ports keep
// a mean of their own, as in PINT, instead of a record per hop in every packet.
#pragma once

#include "engine/packet/control/window.h"

namespace railyard::packet {

inline constexpr std::int64_t kHpccAim = 3891;        // 95 %, in 1/4096
inline constexpr std::uint32_t kHpccStages = 5;       // rounds of additive increase before a multiplicative one
inline constexpr std::int64_t kHpccFlows = 100;       // that the additive part leaves room for
inline constexpr std::uint32_t kMostLoad = 0xFFFFFU;  // that a packet can tell

inline void begin(Hpcc& c, Window& w, const WindowLimits& limits, std::int64_t line) {
  const std::int64_t path = std::max<std::int64_t>(limits.mtu, bytes_in_flight(w.round_trip, line));
  w.most = limits.most > 0 ? limits.most : path + limits.mtu;
  w.size = c.reference = limits.first > 0 ? std::min(limits.first, w.most) : w.most;
}

inline void answer(Hpcc& c, Window& w, const WindowLimits& limits, const Answer& a) {
  const std::int64_t extra = std::max<std::int64_t>(1, w.most * (4096 - kHpccAim) / 4096 / kHpccFlows);
  const bool round_over = a.through >= c.round_end;
  if (a.load >= kHpccAim || c.stage >= kHpccStages) {
    w.size = c.reference * kHpccAim / std::max<std::int64_t>(1, a.load) + extra;
    if (round_over) c.stage = 0;
  } else {
    w.size = c.reference + extra;
    if (round_over) c.stage++;
  }
  w.size = std::clamp<std::int64_t>(w.size, limits.mtu, std::max<std::int64_t>(limits.mtu, w.most));
  if (!round_over) return;
  c.reference = w.size;
  c.round_end = a.next;
}

/// A window per round trip, in bits per second: packets leave evenly, and none is held back for want of a whole one.
inline std::int64_t pace_of(const Window& w) {
  return std::max<std::int64_t>(1, w.size * 8'000'000'000 / std::max<Time>(1, w.round_trip / 1000));
}

/// Meant for networks without loss: where packets are lost all the same, the window is halved as TCP does.
inline void lose(Hpcc& c, Window& w, const WindowLimits& limits) {
  w.size = c.reference = std::max<std::int64_t>(limits.mtu, w.size / 2);
  c.stage = 0;
}

/// A port's mean load over a period, one packet later: what waits and what left, as shares of what the port carries in it.
inline std::uint32_t load_after(std::uint32_t load, Time since, std::uint32_t backlog, std::uint32_t size, std::int64_t room,
                                Time period) {
  const std::int64_t share = std::min(since, period) * 4096 / period;
  const std::int64_t mean =
      std::int64_t{load} * (4096 - share) / 4096 + backlog * share / room + std::int64_t{size} * 4096 / room;
  return static_cast<std::uint32_t>(std::min<std::int64_t>(mean, kMostLoad));
}

}  // namespace railyard::packet
