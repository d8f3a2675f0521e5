// What congestion controls that limit bytes in flight have in common: the window, what an answer tells, and the units of both.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet {

/// Which rule sets how much a queue pair may send. `rate`: DCQCN or none; all others go by what ACKs tell, and limit
/// bytes in flight or, as TIMELY and InfiniBand's, pace packets.
enum class Control : std::uint8_t { rate, nscc, dctcp, cubic, swift, hpcc, timely, rccc, ibcc };

/// What an ACK tells beside what has arrived.
struct Answer {
  Time now = 0;
  Time round_trip = 0;        // of the packet it answers
  std::int64_t bytes = 0;     // payload that has arrived since the last one
  std::uint32_t load = 0;     // the busiest port on the way, in 1/4096 of what it can carry; of HPCC
  std::uint32_t through = 0;  // packets before this one have all arrived
  std::uint32_t next = 0;     // the next new packet to be sent
  bool marked = false;        // congestion was experienced
};

/// What all rules are told once.
struct WindowLimits {
  std::uint32_t mtu = 4096;
  std::int64_t first = 0;  // bytes at the start; zero: what the path holds
  std::int64_t most = 0;   // bytes; zero: by the rule
};

struct Nscc {
  Time target = 0, mean_delay = 0;  // of queues
  Time round_end = 0, decreased_at = 0, adjusted_at = 0;
  std::int64_t increase = 0;                // bytes squared: over the window they are what it grows by
  std::int64_t achieved = 0, gained = 0;    // bytes that arrived in this round, and since the last adjustment
  std::int64_t ignored = 0, to_ignore = 0;  // bytes of answers to what was sent before the window was cut to what got through
  std::int64_t quiet = 0;                   // bytes that met no queue
  std::uint32_t scale = 0;                  // of the path to the reference network, in 1/1024
  bool lost = false, fast = false;
};

struct Dctcp {
  std::int64_t slow_start = 0, bytes = 0, marked = 0;  // of the round
  std::uint32_t round_end = 0, alpha = 0;              // alpha in 1/1024
};

struct Cubic {
  std::int64_t slow_start = 0, before = 0, friendly = 0;  // bytes: the threshold, the window at the last loss, Reno's window
  Time since = kNever, inflection = 0;                    // the start of the epoch, and from there to the plateau
};

struct Swift {
  Time target = 0, decreased_at = 0;
};

struct Hpcc {
  std::int64_t reference = 0;
  std::uint32_t round_end = 0, stage = 0;
};

struct Timely {
  std::int64_t rate = 0, line = 0;  // bits per second
  Time last_trip = 0, trend = 0;    // the round trip at the last step, and a mean of how it changes from step to step
  Time stepped_at = 0;
  std::int64_t bytes = 0;  // that arrived since
  std::uint32_t calm = 0;  // steps in a row at which it did not grow
};

struct Ibcc {
  std::int64_t line = 0;    // bits per second
  std::int64_t tick = 0;    // of the timer, up to which the index is right
  std::uint32_t index = 0;  // into the table of delays
};

/// The sending side's state: what may be in flight, what is, and what the rule remembers.
struct Window {
  std::int64_t size = 0, most = 0;  // bytes
  Time round_trip = 0;              // of a packet that meets no other
  std::uint32_t in_flight = 0;      // packets on their way, as far as is known
  std::uint32_t lost = 0;           // packets to be sent again
  std::uint32_t received = 0;       // packets the other side has, by its last word
  std::uint32_t recovered_at = 0;   // losses of packets before this one have been answered for
  Window() : nscc() {}
  union {
    Nscc nscc;
    Dctcp dctcp;
    Cubic cubic;
    Swift swift;
    Hpcc hpcc;
    Timely timely;
    Ibcc ibcc;
  };
};

/// Bytes that a link carries in a time. In whole bits per microsecond, so that nothing overflows.
inline std::int64_t bytes_in_flight(Time time, std::int64_t rate) { return time / 1000 * (rate / 1'000'000) / 8 / 1000; }

}  // namespace railyard::packet
