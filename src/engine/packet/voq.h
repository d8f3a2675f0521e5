// Rows of a scheduled fabric: virtual output queues at the first switch of packets, and what its last switch knows of them.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "engine/packet/net.h"

namespace railyard::packet {

/// What waits at a first switch for credit of one queue of one port of a last switch.
struct VirtualQueue {
  std::uint32_t port = 0, nth = 0;  // of the last switch; which of its queues
  Queue queue;
  std::int64_t credit = 0;       // bytes that may leave
  Time way = 0;                  // to the last switch
  std::uint32_t behind = kNone;  // in the line of those that may send
  std::uint32_t deepest = 0;     // bytes that waited at most
  bool is_ready = false;         // it is there: its credit is enough for its first packet
};

/// Those that may send take turns at the links of the fabric.
struct ReadyLine {
  std::uint32_t first = kNone, last = kNone;
};

/// What a last switch knows of one virtual queue: bytes.
struct CreditDemand {
  std::uint32_t from = 0;        // the first switch
  Time way = 0;                  // to it
  std::int64_t wanted = 0;       // asked for, and not granted
  std::int64_t under_way = 0;    // granted, and not here
  std::int64_t most = 0;         // that may be under way
  std::uint32_t behind = kNone;  // in the line of those whose turn will come
  bool is_listed = false;
};

/// Who waits for credit of one queue of a port. Queues of other switches are in a line; that of the port's own switch, which
/// needs no link of the fabric, has its turn once in a round.
struct CreditLine {
  std::uint32_t first = kNone, last = kNone, size = 0;
  std::uint32_t own = kNone, since_own = 0;  // how many others had a turn since
  std::int32_t credit = 0;                   // of this queue's share of the port
};

/// A port to a host grants what its wire takes.
struct CreditPort {
  CreditLine queue[kClasses];
  Time paid_until = 0;  // what was granted will have left
  std::uint16_t turn = 1;
  bool is_full = false;     // too much waits to leave: it goes on when some of that has left
  bool is_waiting = false;  // for its turn at the links of the fabric
  bool has_turn = false;    // a packet's worth of them is paid for
};

/// Where a leaf is: how long credits are under way.
struct CreditPlace {
  std::uint32_t pod = kNone;
  Time up = 0, down = 0;          // to the block above and from it
  Time pod_up = 0, pod_down = 0;  // likewise of that block
};

/// A leaf.
struct VoqSwitch {
  static std::uint64_t key_of(std::uint32_t high, std::uint32_t port, std::uint32_t nth) {
    return std::uint64_t{high} << 34 | std::uint64_t{port} << 2 | nth;
  }
  static_assert(kClasses == 4);

  // As the first switch.
  std::vector<VirtualQueue> queues;
  std::unordered_map<std::uint64_t, std::uint32_t> queue_of;
  ReadyLine ready[kClasses];  // by nth; queues of this switch's own ports are in none

  // As the last one.
  std::vector<CreditDemand> demands;
  std::unordered_map<std::uint64_t, std::uint32_t> demand_of;
  std::vector<CreditPort> ports;             // by slot
  std::int64_t fabric_rate = 0;              // bits per second that come in; zero: as much as all its hosts take
  Time fabric_paid_until = 0;                // what was granted, or is somebody's turn, will have come in
  std::deque<std::uint32_t> fabric_waiting;  // ports, by index
  std::uint64_t grants = 0;
};

/// From one leaf to another; leaves of different pods meet above those.
inline Time credit_way(const Net& net, std::uint32_t from, std::uint32_t to) {
  if (from == to) return 0;
  const CreditPlace &a = net.credit_places[from], &b = net.credit_places[to];
  return a.up + (a.pod == b.pod ? 0 : a.pod_up + b.pod_down) + b.down;
}

}  // namespace railyard::packet
