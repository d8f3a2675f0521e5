// What single packets did: counters of ports, switches and flows, pauses one by one, queues over time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/id.h"
#include "base/stats.h"
#include "base/units.h"
#include "telemetry/port_series.h"

namespace railyard {

/// Why a packet was thrown away.
enum class DropReason : std::uint8_t { buffer, headroom, watchdog, expired, out_of_order, queue };
inline constexpr std::size_t kDropReasons = 6;

/// A port's queues (all classes together) and its wire.
struct PortRecord {
  std::uint64_t packets = 0;
  Bytes bytes;                          // on the wire, control and pauses included
  std::uint64_t marked = 0;             // packets that left with congestion experienced, marked here
  std::uint64_t dropped = 0;            // that should have left here
  std::uint64_t pauses = 0;             // PFC frames that stopped this port
  Picoseconds paused;                   // sum over classes of the time it was
  std::optional<Picoseconds> watchdog;  // when a watchdog first stepped in
  Bytes deepest;                        // backlog
  double backlog_time = 0;              // backlog integrated over time, byte-seconds: over the run's time it is the mean
  Picoseconds emptied;                  // when there was backlog for the last time
  // Of the switch at the far end, for what came in over this port:
  Bytes buffered_most;  // shared buffer and reserve
  Bytes headroom_most;
};

struct SwitchRecord {
  Bytes most;  // of its buffer in use
};

/// A virtual output queue of a scheduled fabric: what waits at one switch for credit of a port of another.
struct VirtualQueueRecord {
  NodeId at;
  PortId port;
  std::uint8_t queue = 0;  // of the port's
  Bytes deepest;           // backlog
};

/// What became of the packets of one class, at all ports. A class that waits in the queue of another is part of that.
struct ClassRecord {
  std::uint64_t marked = 0, dropped = 0;  // by switches
  std::uint64_t pauses = 0;               // times that a port was stopped, by PFC or for want of credits
  Picoseconds paused;                     // over all ports
};

/// PFC at one port and class, where there was any.
struct PortPauses {
  PortId port;
  std::uint8_t traffic_class = 0;
  std::uint64_t sent = 0, received = 0;  // pauses that this port has sent to the other end; that have stopped it
  std::uint64_t transitions = 0;         // times that it was let go on
  Picoseconds paused;
};

/// What one NIC counted.
struct NicRecord {
  NodeId node;
  std::uint64_t cnp_sent = 0, cnp_handled = 0;
  std::uint64_t marked = 0;           // packets of data that came in with congestion experienced
  std::uint64_t out_of_sequence = 0;  // that came in before what was missing
  std::uint64_t naks_sent = 0, timeouts = 0, retransmissions = 0;
};

/// One PFC frame that stops a port.
struct PauseRecord {
  Picoseconds at;      // when it was sent
  PortId paused_port;  // the port it stops, at the other end of the link
  PortId cause;        // the port whose queue the packet joined that tipped the scale; none at a slow host
  std::uint8_t traffic_class = 0;
  friend bool operator==(const PauseRecord&, const PauseRecord&) = default;
};

/// A message from post to the last byte in the receiver's memory, and to the ACK of it at the sender.
struct MessageRecord {
  MessageId id;
  EndpointId from, to;
  Bytes payload;
  Picoseconds posted, delivered, acknowledged;
};

/// Where time stands still: ports that wait for each other in a cycle, or behind one that never resumes.
struct DeadlockRecord {
  Picoseconds at;
  bool is_cycle = false;
  std::vector<PortId> ports;  // each waits for the next; the last for the first if it is a cycle
};

/// Packets that a link has lost, because it was down or had errors.
struct LossRecord {
  PortId port;                          // that sent them
  std::uint64_t packets = 0, data = 0;  // all; those with payload
  Bytes bytes;                          // on the wire
  Picoseconds first, last;
};

/// A host that failed for a while.
struct HostFaultRecord {
  NodeId host;
  bool storms = false;      // its NIC paused its switch for no reason; else it took packets in slowly, or not at all
  Picoseconds from, until;  // max: for good
};

/// Queue pairs that took other paths because links failed or came up.
struct RerouteRecord {
  Picoseconds at;
  std::uint32_t queue_pairs = 0;
};

/// A queue pair that heard nothing for so long that it sent again what was not acknowledged. Where links fail.
struct TimeoutRecord {
  NodeId from, to;
  std::uint32_t timeouts = 0;
  Picoseconds first;
  std::optional<Picoseconds> broken;  // when it gave up for good
};

struct PacketRecord {
  std::uint64_t hops = 0, data_hops = 0;  // links crossed by packets; by those that carry payload
  std::uint64_t marked = 0, cnp_sent = 0, cnp_handled = 0;
  std::uint64_t pauses = 0, resumes = 0;
  Picoseconds paused;               // over all ports and classes
  bool by_credits = false;          // ports wait for credits, not for the end of pauses
  std::uint64_t credit_stalls = 0;  // times that a port had none left
  Picoseconds stalled;              // over all ports and classes
  std::array<std::uint64_t, kDropReasons> drops = {};
  std::uint64_t retransmissions = 0, naks = 0, timeouts = 0, acks = 0;
  std::uint64_t broken = 0;   // queue pairs given up after too many timeouts
  std::uint64_t storms = 0;   // that the watchdog found
  std::uint64_t trimmed = 0;  // packets whose payload a switch has cut off
  std::uint64_t windows = 0;
  std::uint64_t undelivered = 0;  // messages that will never arrive: nothing is under way any more
  bool out_of_time = false;       // or only beyond what the engine simulates
  bool livelocked = false;        // or packets move on and on, and next to none of them is new to its receiver

  Table<PortId, PortRecord> ports;
  Table<NodeId, SwitchRecord> switches;
  std::uint64_t virtual_queues = 0;                        // in which something waited
  std::vector<VirtualQueueRecord> deepest_virtual_queues;  // the first kMostVirtualQueues
  std::vector<ClassRecord> classes;
  std::vector<std::uint32_t> priorities;  // by class, as PFC names them
  std::vector<PortPauses> port_pauses;    // by port and class
  std::vector<NicRecord> nics;            // of all hosts
  std::vector<PauseRecord> pause_log;     // by time; the first kMostPauses of them
  std::vector<MessageRecord> messages;    // in order of delivery
  std::vector<DeadlockRecord> deadlocks;
  std::uint64_t lost = 0;                    // packets, on links that failed
  std::vector<LossRecord> losses;            // by port
  std::vector<RerouteRecord> rerouted;       // by time
  std::vector<TimeoutRecord> timed_out;      // by the time of the first
  std::vector<HostFaultRecord> host_faults;  // by time
  PortSeries series;
  Histogram depth;                   // backlog in bytes that a data packet found at a switch
  std::uint64_t unqueued = 0;        // data packets that left a switch without having been in a queue
  std::vector<std::uint64_t> waits;  // those that had been, by the logarithm of the time there: below 2^k picoseconds
  static constexpr std::size_t kMostVirtualQueues = 8;
  static constexpr std::size_t kMostPauses = 1 << 18;
};

}  // namespace railyard
