// NSCC, the sender's congestion control of Ultra Ethernet: four answers to whether a packet was marked and whether it waited
// longer than the target, and a jump to what got through where that is little (docs/models.md, NSCC).
#pragma once

#include "engine/packet/control/window.h"

namespace railyard::packet {

inline constexpr Time kNsccReferenceTrip = 12'000'000;        // 12 µs at 100 Gb/s: the network its constants are for
inline constexpr std::int64_t kNsccReferenceBytes = 150'000;  // in flight there
inline constexpr Time kNsccNoQueue = 1'000'000;               // a packet that waited less met no queue
inline constexpr std::uint32_t kNsccGate = 3;                 // jumps are for windows below most / 2^3
inline constexpr std::int64_t kNsccMean = 80;                 // a sample's weight in the mean delay is one in 80

struct NsccParameters {
  bool trims = true;  // switches do, so that the target may be lower
  Time target = 0;    // zero: three quarters of the round trip where switches trim, else all of it
};

/// One and a half of what the path holds, unless something else is asked for.
inline std::int64_t most_in_flight(const Window& w, const WindowLimits& limits, std::int64_t line) {
  const std::int64_t path = std::max<std::int64_t>(limits.mtu, bytes_in_flight(w.round_trip, line));
  return limits.most > 0 ? limits.most : path * 3 / 2;
}

inline void begin(Nscc& c, Window& w, const NsccParameters& p, const WindowLimits& limits, std::int64_t line) {
  const std::int64_t path = std::max<std::int64_t>(limits.mtu, bytes_in_flight(w.round_trip, line));
  w.most = most_in_flight(w, limits, line);
  w.size = limits.first > 0 ? std::min(limits.first, w.most) : w.most;
  c.target = p.target > 0 ? p.target : p.trims ? w.round_trip / 4 * 3 : w.round_trip;
  c.scale = static_cast<std::uint32_t>(std::max<std::int64_t>(1, path * 1024 / kNsccReferenceBytes));
}

inline void bound(Window& w, std::uint32_t mtu) {
  w.size = std::clamp<std::int64_t>(w.size, mtu, std::max<std::int64_t>(mtu, w.most));
}

inline void take_delay(Nscc& c, const Window& w, Time delay, bool marked) {
  const Time sample = !marked && delay > c.target ? w.round_trip / 4 : delay;
  c.mean_delay += (sample - c.mean_delay) / kNsccMean;
}

/// Once a round: where packets were lost or waited very long and little got through, the window becomes what did. True if it
/// did, or if the answer is to what was sent before that.
inline bool jump(Nscc& c, Window& w, std::uint32_t mtu, Time delay, bool loss, bool marked, Time now) {
  bool done = false;
  if (c.ignored < c.to_ignore && marked) {
    done = true;
  } else if (now > c.round_end) {
    const bool bad = c.lost || loss || delay > 4 * c.target;
    if (c.round_end != 0 && bad && c.achieved < w.most >> kNsccGate) {
      w.size = std::max<std::int64_t>(c.achieved, mtu);
      c.to_ignore = std::int64_t{w.in_flight} * mtu;
      c.ignored = 0;
      c.lost = false;
      done = true;
    }
    c.achieved = 0;
    c.round_end = now + w.round_trip + c.target;
  }
  if (done) c.increase = c.gained = 0;
  return done;
}

/// A packet that met no queue, after a window of such: the window grows by a quarter of what arrives.
inline bool grow_fast(Nscc& c, Window& w, std::int64_t bytes, Time delay) {
  if (delay >= kNsccNoQueue) {
    c.quiet = 0;
    return c.fast = false;
  }
  c.quiet += bytes;
  c.fast = c.fast || c.quiet > w.size;
  if (c.fast) w.size += bytes * c.scale / 4096;
  return c.fast;
}

inline void grow(Nscc& c, Window& w, std::uint32_t mtu, const Answer& a, Time delay) {
  if (delay >= c.target) {  // fairly: all by as much
    c.increase += std::int64_t{5} * mtu * c.scale / 1024 * a.bytes;
    return;
  }
  if (grow_fast(c, w, a.bytes, delay)) return;
  const std::int64_t share = (c.target - delay) * 1024 / c.target;  // the less it waited
  const std::int64_t gain = std::int64_t{4} * mtu * c.scale / 1024 * (c.target * 1024 / kNsccReferenceTrip) / 1024;
  c.increase += gain * a.bytes / 1024 * share;
}

inline void shrink(Nscc& c, Window& w, Time now) {
  c.fast = false;
  c.quiet = 0;
  if (c.mean_delay <= c.target || now - c.decreased_at <= w.round_trip) return;
  const std::int64_t over = (c.mean_delay - c.target) * 1024 / c.mean_delay;
  w.size = w.size * std::max<std::int64_t>(1024 - over * 4 / 5, 512) / 1024;
  c.decreased_at = now;
}

inline void answer(Nscc& c, Window& w, const WindowLimits& limits, const Answer& a) {
  w.round_trip = std::min(w.round_trip, a.round_trip);
  const Time delay = a.round_trip - w.round_trip;
  take_delay(c, w, delay, a.marked);
  c.achieved += a.bytes;
  c.gained += a.bytes;
  c.ignored += a.bytes;
  if (jump(c, w, limits.mtu, delay, false, a.marked, a.now)) return;
  if (!a.marked)
    grow(c, w, limits.mtu, a, delay);
  else if (delay >= c.target)
    shrink(c, w, a.now);
  bound(w, limits.mtu);
  if (c.gained <= 8 * std::int64_t{limits.mtu} && a.now - c.adjusted_at <= w.round_trip) return;
  w.size += c.increase / w.size;
  if (a.now - c.adjusted_at >= w.round_trip) {
    w.size += std::int64_t{limits.mtu} * c.scale * 15 / 102400;
    c.adjusted_at = a.now;
  }
  c.increase = c.gained = 0;
  bound(w, limits.mtu);
}

/// A packet is known to be lost.
inline void lose(Nscc& c, Window& w, const WindowLimits& limits, Time now) {
  c.ignored += limits.mtu;
  take_delay(c, w, w.round_trip, true);
  c.lost = true;
  if (jump(c, w, limits.mtu, 0, true, true, now)) return;
  w.size -= limits.mtu;
  bound(w, limits.mtu);
}

}  // namespace railyard::packet
