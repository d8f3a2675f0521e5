// One door to the rules that limit what a queue pair has in flight, or how fast it sends.
#pragma once

#include "engine/packet/control/cubic.h"
#include "engine/packet/control/dctcp.h"
#include "engine/packet/control/hpcc.h"
#include "engine/packet/control/ibcc.h"
#include "engine/packet/control/nscc.h"
#include "engine/packet/control/swift.h"
#include "engine/packet/control/timely.h"

namespace railyard::packet {

struct ControlParameters {
  Control kind = Control::rate;
  WindowLimits limits;
  NsccParameters nscc;
  SwiftParameters swift;
  TimelyParameters timely;
  IbccParameters ibcc;
  Time load_period = 1;  // of HPCC: what ports take the mean of their load over
};

/// A queue pair at the start. REQUIRES: w.round_trip is set.
inline void begin(Window& w, const ControlParameters& p, std::int64_t line) {
  switch (p.kind) {
    case Control::rate:
      return;
    case Control::nscc:
      return begin(w.nscc = {}, w, p.nscc, p.limits, line);
    case Control::dctcp:
      return begin(w.dctcp = {}, w, p.limits);
    case Control::cubic:
      return begin(w.cubic = {}, w, p.limits);
    case Control::swift:
      return begin(w.swift = {}, w, p.swift, p.limits, line);
    case Control::hpcc:
      return begin(w.hpcc = {}, w, p.limits, line);
    case Control::timely:
      return begin(w.timely = {}, w, p.limits, line);
    case Control::rccc:  // the receiver's word counts; this is how far it may be wrong
      w.size = w.most = most_in_flight(w, p.limits, line);
      return;
    case Control::ibcc:
      return begin(w.ibcc = {}, w, p.limits, line);
  }
}

inline void answer(Window& w, const ControlParameters& p, const Answer& a) {
  switch (p.kind) {
    case Control::rate:
    case Control::rccc:
      return;
    case Control::nscc:
      return answer(w.nscc, w, p.limits, a);
    case Control::dctcp:
      return answer(w.dctcp, w, p.limits, a);
    case Control::cubic:
      return answer(w.cubic, w, p.limits, a);
    case Control::swift:
      return answer(w.swift, w, p.limits, a);
    case Control::hpcc:
      return answer(w.hpcc, w, p.limits, a);
    case Control::timely:
      return answer(w.timely, w, p.timely, a);
    case Control::ibcc:
      return answer(w.ibcc, p.ibcc, a);
  }
}

/// A packet was lost, and the sender knows of it by word of the receiver. All but NSCC answer once for all that was in flight.
inline void lose(Window& w, const ControlParameters& p, std::uint32_t number, std::uint32_t next, Time now) {
  if (p.kind == Control::nscc) return lose(w.nscc, w, p.limits, now);
  if (number < w.recovered_at) return;
  w.recovered_at = next;
  if (p.kind == Control::dctcp) lose(w.dctcp, w, p.limits);
  if (p.kind == Control::cubic) lose(w.cubic, w, p.limits);
  if (p.kind == Control::swift) lose(w.swift, w, p.limits, now);
  if (p.kind == Control::hpcc) lose(w.hpcc, w, p.limits);
  if (p.kind == Control::timely) lose(w.timely);
  if (p.kind == Control::ibcc) lose(w.ibcc, p.ibcc, now);
}

/// Nothing was heard for long.
inline void time_out(Window& w, const ControlParameters& p, std::uint32_t next) {
  w.recovered_at = next;
  if (p.kind == Control::dctcp) return time_out(w.dctcp, w, p.limits);
  if (p.kind == Control::cubic) return time_out(w.cubic, w, p.limits);
  if (p.kind == Control::timely) return time_out(w.timely);
  if (p.kind == Control::rccc || p.kind == Control::ibcc) return;
  w.size = p.limits.mtu;
}

/// Whether a window lets nothing more go with so many packets in flight. HPCC's is left only when it is used up, since what
/// paces it keeps what is in flight near the window; others hold whole packets.
inline bool is_used_up(const Window& w, const ControlParameters& p, std::uint32_t in_flight) {
  if (p.kind == Control::hpcc) return std::int64_t{in_flight} * p.limits.mtu >= w.size;
  return (std::int64_t{in_flight} + 1) * p.limits.mtu > w.size;
}

/// Bits per second that packets are paced at; zero: not at all.
inline std::int64_t pace_of(Window& w, const ControlParameters& p, Time now) {
  if (p.kind == Control::hpcc) return pace_of(w);
  if (p.kind == Control::timely) return w.timely.rate;
  if (p.kind == Control::ibcc) return pace_of(w.ibcc, p.ibcc, now);
  return 0;
}

}  // namespace railyard::packet
