// Congestion control of InfiniBand (specification, volume 1, annex A10): every BECN raises a queue pair's index into a table of
// delays between packets, and a timer lowers it.
#pragma once

#include "engine/packet/control/dctcp.h"

namespace railyard::packet {

struct IbccParameters {
  std::uint32_t increase = 1, limit = 127;  // of the index
  Time timer = 153'600'000;
};

inline void begin(Ibcc& c, Window& w, const WindowLimits& limits, std::int64_t line) {
  w.size = w.most = limits.most > 0 ? limits.most : kNoThreshold;
  c.line = line;
}

/// The timer of a port runs freely and is that of all its queue pairs.
inline void catch_up(Ibcc& c, const IbccParameters& p, Time now) {
  const std::int64_t tick = now / p.timer, gone = tick - c.tick;
  c.tick = tick;
  c.index -= gone < c.index ? static_cast<std::uint32_t>(gone) : c.index;
}

inline void answer(Ibcc& c, const IbccParameters& p, const Answer& a) {
  catch_up(c, p, a.now);
  if (a.marked) c.index = std::min(c.index + p.increase, p.limit);
}

/// Links with credits lose nothing; elsewhere a loss counts as a mark.
inline void lose(Ibcc& c, const IbccParameters& p, Time now) {
  catch_up(c, p, now);
  c.index = std::min(c.index + p.increase, p.limit);
}

/// The table is a straight line: at index i a packet is followed by a pause of i times its length.
inline std::int64_t pace_of(Ibcc& c, const IbccParameters& p, Time now) {
  catch_up(c, p, now);
  return c.index == 0 ? 0 : c.line / (1 + std::int64_t{c.index});
}

}  // namespace railyard::packet
