// The state of ports, switches, NICs and queue pairs: plain rows in plain arrays. What happens to them is in switch_model.h
// and nic_model.h; who calls that in which order is in lookahead_scheduler.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/packet/control/control.h"
#include "engine/packet/counters.h"
#include "engine/packet/dcqcn.h"
#include "engine/packet/flow_heap.h"
#include "engine/packet/packet.h"
#include "engine/packet/profile.h"
#include "plan/packet_plan.h"
#include "telemetry/packets.h"

namespace railyard::packet {

/// How a switch picks among equal ports: as the flow was hashed, at random, the one with the shortest queue, that one for as
/// long as packets follow closely, or by what the packet's sender has drawn for it.
enum class Choice : std::uint8_t { path, random, least, flowlet, entropy };

inline constexpr std::uint32_t kMostAnswers = 6;      // that one packet makes a host send
inline constexpr std::uint32_t kMostInFlight = 2048;  // packets of one flow, where they have to be told apart

/// What holds for the whole network, in the units the state has.
struct Parameters {
  std::uint32_t mtu = 4096, header = 0, message_header = 0;
  std::uint32_t ack_size = 0, cnp_size = 0, ack_every = 1, reorder = 0;
  bool ack_with_data = true;  // in the class of what they answer; else in that of control
  bool selective = false;
  std::uint32_t window = 0;  // packets in flight of one queue pair; zero: no limit
  Time timeout = kNever;
  std::uint32_t retries = 0;   // zero: no limit
  std::int64_t host_rate = 0;  // bits per second; zero: no limit
  std::uint64_t receive_buffer = 0;

  bool ecn = false;
  std::uint32_t kmin = 0, kmax = 0;
  std::uint64_t mark_slope = 0;  // probability per byte above kmin, in units of 2^-64
  std::uint64_t seed = 0;

  bool pfc = false, fixed_thresholds = false, release_at_start = false, counted[kClasses] = {}, lossless[kClasses] = {};
  std::uint32_t frame = 0, reserve = 0, xoff = 0, xon = 0, xon_offset = 0;
  std::uint64_t alpha = 0;  // in units of 2^-16
  bool watchdog = false, watchdog_forwards = false;
  Time detection = 0, restoration = 0, poll = 1;
  Shares shares;            // by class
  bool by_profile = false;  // nodes differ, or classes share queues: what the above says of classes is up to each node
  bool cut_through = false, mixed_rates = false;
  Choice choice = Choice::path;
  Time flowlet_gap = 0;
  bool reacts = false;  // some NIC slows down when it is told to, by a set of DCQCN that Net has

  // Transports that limit what is in flight.
  ControlParameters control;
  std::uint32_t entropies = 1;    // ways that a sender draws from for every packet
  bool recycles = false;          // it takes those again first that were found good
  bool backs_off = false;         // waits twice as long after every timeout in a row
  std::int64_t flow_rate = 0;     // bits per second a host's processor manages for one queue pair; zero: no limit
  std::uint32_t admission = 0;    // messages that a host lets others send to it at once; zero: all
  bool receiver_credits = false;  // receivers give credit for packets, and senders wait for it

  // What switches do beside: queues that end, and data cut down to its headers instead of being dropped.
  std::uint32_t queue_limit = 0, trim_size = 0;  // bytes; zero: none, and nothing is trimmed
  bool marks_roots = false;                      // only queues that had credits all the time mark
  bool tells_load = false;                       // packets are told how busy ports are
  std::uint32_t credit_step = 0;                 // bytes freed that senders are told of; zero: no credits
  bool island = false;                           // only some links have credits, and there nothing is marked
  bool reduces = false;                          // switches have reducers
  std::uint32_t most_packet = 0;                 // bytes on the wire
  bool fails = false;                            // links go down, lose packets or change their rates
  bool mixed = false, marks_beside = false;      // some flows are of a second transport; its packets may be marked
  bool scheduled = false;                        // hosts' packets wait at their first switch for credit of the last one
  Time credit_delay = 0;                         // that the scheduler there takes

  [[nodiscard]] bool has_windows() const { return control.kind != Control::rate; }
};

/// The sending side of a link: queues by class, and what is on the wire. Four cache lines, the most used first.
struct alignas(64) Port {
  Queue queue[kClasses];
  std::uint32_t backlog = 0;   // bytes in all queues
  std::uint32_t per_byte = 0;  // picoseconds, where they are whole
  std::uint16_t paused = 0;    // classes, as bits, by PFC
  std::uint16_t filled = 0;    // classes with packets in their queues, as bits
  bool busy = false, to_host = false, cuts_through = false, by_credits = false;

  Time delay = 0;          // from the wire to the far node: cable, and what that node needs to look at a packet
  Time busy_until = 0;     // what is on the wire has left
  Time frame_until = 0;    // pause frames keep the wire until then
  Packet* ring = nullptr;  // packets on their way: slots, a power of two of them
  std::uint32_t ring_mask = 0, ring_tail = 0, ring_head_seen = 0, ring_published = 0;
  std::uint32_t on_wire_in = 0;    // the link that what is on the wire came by
  std::uint16_t on_wire_size = 0;  // zero: its place in the buffer is free already
  std::uint16_t on_wire_class = 0;
  std::uint32_t node = 0;  // whose port it is
  std::uint16_t slot = 0;  // which of its node's ports it is
  std::uint16_t turn = 1;  // class whose share is being used up

  std::uint32_t link = 0, to = 0;  // the same link, as the far node counts what comes in; and that node
  std::uint16_t stormed = 0;       // of the paused classes, those where the watchdog has stepped in, as bits
  bool has_past = false;           // it has marked or dropped packets, was paused or has paused others

  // What was seen.
  std::uint32_t deepest = 0;
  std::uint64_t packets = 0, bytes = 0;
  std::uint64_t backlog_time = 0;  // in units of 1024 byte-picoseconds
  Time backlog_at = 0;

  // Seldom touched.
  std::int64_t rate = 0;  // bits per second
  std::uint64_t marked = 0, dropped = 0, pauses = 0;
  Time paused_sum = 0;  // over classes

  [[nodiscard]] Time wire_time(std::uint32_t size) const {
    if (per_byte != 0) return Time{per_byte} * size;
    return static_cast<Time>((std::uint64_t{size} * 8'000'000'000'000 + static_cast<std::uint64_t>(rate) - 1) /
                             static_cast<std::uint64_t>(rate));
  }
};
static_assert(sizeof(Port) == 256);

/// Of a wire of this rate; zero where it is no whole number, or a very large one.
inline std::uint32_t picoseconds_per_byte(std::int64_t rate) {
  constexpr std::int64_t kPicosecondsPerByte = 8'000'000'000'000;  // at one bit per second
  const std::int64_t whole = kPicosecondsPerByte / rate;
  return whole * rate == kPicosecondsPerByte && whole < kNone ? static_cast<std::uint32_t>(whole) : 0;
}

/// The receiving side of a link at a switch: what came in by it and one class and is still in the buffer.
struct Ingress {
  std::uint32_t held = 0;      // reserve and shared buffer
  std::uint32_t headroom = 0;  // in use
  std::uint32_t headroom_size = 0;
  std::uint32_t held_most = 0, headroom_most = 0;
  bool paused = false;  // the sender was told to stop
};

/// The receiving side of a link, seen from its far node.
struct Link {
  std::uint32_t port = 0;      // that sends on it
  std::uint32_t back = kNone;  // port of the far node that sends the other way
  Time cable = 0;              // from end to end
  Time response = 0;           // of the sender to a pause frame, from its arrival on
};

/// What is wrong with a link, where links fail; what became of packets on it.
struct LinkFault {
  Time clear_from = 0;                               // what was put on the wire before is lost; never: it is down
  std::uint64_t loss = 0, loss_per_byte = 0;         // probabilities, in units of 2^-64
  bool withdrawn = false;                            // the sender does not use it where another leads on
  std::uint64_t lost = 0, lost_data = 0, bytes = 0;  // packets; those with payload; on the wire
  Time first = kNever, last = 0;                     // when packets were lost
};

struct Switch {
  std::uint64_t shared_size = 0, shared_used = 0;
  std::uint64_t used = 0, used_most = 0;
  bool is_shared_unknown = false;    // shared_used was not followed: it is to be summed up from what links hold
  std::uint64_t depth[32] = {};      // data packets by the logarithm of the backlog they found
  std::uint64_t waits[kWaits] = {};  // those that had to wait, by the logarithm of the time in their queue in picoseconds
  std::uint64_t drops[kDropReasons] = {};
  std::uint64_t marked[kClasses] = {}, dropped[kClasses] = {};
  std::uint64_t pauses = 0, resumes = 0, hops = 0, data_hops = 0, storms = 0, trimmed = 0;
};

/// A message waiting at, or leaving, a NIC.
struct Outgoing {
  Time from = 0;            // when the NIC knows of it
  std::uint32_t first = 0;  // number of its first packet
  std::uint32_t packets = 0;
  std::uint32_t payload = 0, last_payload = 0;  // of a packet, and of the last one
  std::uint32_t next = kNone;                   // of the same flow
};

/// Ways that packets took and were not marked on, to be taken again (REPS).
struct EntropyCache {
  static constexpr std::uint32_t kRoom = 8;
  std::uint16_t entropies[kRoom] = {};
  std::uint8_t first = 0, count = 0;

  void keep(std::uint32_t entropy) {
    entropies[(first + count) % kRoom] = static_cast<std::uint16_t>(entropy);
    if (count < kRoom)
      count++;
    else
      first = static_cast<std::uint8_t>((first + 1) % kRoom);
  }
  std::uint32_t take() {
    const std::uint32_t entropy = entropies[first];
    first = static_cast<std::uint8_t>((first + 1) % kRoom);
    count--;
    return entropy;
  }
};

/// The sending side of a queue pair. Four cache lines: what every packet touches is on the first.
struct alignas(64) Sender {
  Sender() : rate() {}
  std::uint32_t next_number = 0, acknowledged = 0, sent_most = 0;  // packets
  std::uint32_t message = kNone;                                   // that next_number belongs to, or the next one to come
  std::uint32_t oldest = kNone, newest = kNone;                    // messages not yet acknowledged
  std::uint32_t port = 0;                                          // of its host
  std::uint32_t behind = kNone;                                    // in the list of those that are ready
  std::uint32_t resend_from = 0, resend_to = 0;  // under selective repeat: numbers to look through for lost ones
  Time deadline = kNever;                        // until it sends again what was not acknowledged
  std::uint16_t traffic_class = kDataClass;
  enum class State : std::uint16_t { idle, ready, waiting, blocked } state = State::idle;
  std::uint16_t retries = 0;            // timeouts since something was acknowledged
  bool has_alarm = false;               // an entry among its port's alarms
  bool broken = false, beside = false;  // given up for good; of the second transport
  bool asked = false;                   // a packet wants an answer; or, under admission, the receiver is to say when
  std::uint16_t dcqcn = 0;              // its set of parameters, that of its host
  std::uint32_t pace = kNone;           // a port that it never sends faster than, if any
  union {
    ReactionPoint rate;
    Window window;  // where the transport limits what is in flight
  };
  EntropyCache entropy_cache;
  std::uint32_t cnps = 0;
  Time free_at = 0;  // when the processor has time for the next packet
  std::uint32_t retransmissions = 0;
  std::uint32_t host_from = 0, host_to = 0;  // nodes
  std::uint32_t asked_by = 0;                // the number of the packet that wants an answer
  std::uint32_t admitted_to = 0;             // packets before this one may be sent, where receivers admit messages
};
static_assert(sizeof(Sender) == 256);

/// The receiving side of a queue pair.
struct Receiver {
  Time last_cnp = -kNever;
  std::uint32_t expected = 0;
  std::uint32_t unacknowledged = 0;  // packets since the last ACK
  std::uint32_t early = 0;           // packets beyond the one expected, where they may come in any order
  std::uint32_t beyond = 0;          // one past the last number seen
  std::uint32_t named_to = 0;        // what is missing before this number was asked for
  std::uint32_t behind = kNone;      // in the list of those that wait to be admitted, or for credit
  bool nak_sent = false, mark_pending = false;
};

/// What a sender may send by its receiver's word, where that gives credit for packets.
struct Allowance {
  std::uint32_t left = 0;        // packets
  std::uint32_t granted = 0;     // in all, by the receiver's last word
  std::uint32_t first = 1;       // that may be sent unasked, where the receiver knows of nothing to come
  std::uint32_t unasked = 0;     // of them, what is for messages that nobody knows of yet
  std::uint32_t told_to = 0;     // it knows of packets before this one
  std::uint32_t untold = kNone;  // the first message it does not know of
  bool lost_touch = false;       // nothing was heard for long: the next packet says so
};

/// The receiver's side of that.
struct Demand {
  std::uint32_t needed = 0;       // packets that credit is still to be given for
  std::uint32_t granted = 0;      // in all
  std::uint32_t first = 1;        // that senders send unasked
  std::uint32_t unasked_to = 0;   // packets before this one were, or will be
  std::uint32_t wanted_to = 0;    // packets before this one are known of
  std::uint32_t unknown = kNone;  // the first message that is not
  bool listed = false;            // among those whose turn will come
};

/// What a host adds to each of its ports.
struct NicPort {
  FlowHeap waiting;  // flows by when they may send
  FlowHeap alarms;   // flows by when they give up waiting for an ACK
  std::uint32_t ready_head[kClasses] = {kNone, kNone, kNone, kNone}, ready_tail[kClasses] = {kNone, kNone, kNone, kNone};
  std::uint32_t ready = 0;  // classes with flows that are, as bits
  Time host_free = 0;       // when the host hands out the next packet of data
};

struct alignas(64) Host {
  bool is_reducer = false;                 // inside a switch
  bool stuck = false;                      // it takes nothing in
  std::uint8_t data_class = kDataClass;    // of what it sends as data
  std::uint8_t cnp_class = kControlClass;  // of CNPs that it sends
  bool has_paused = false;
  std::uint16_t dcqcn = 0;     // its set of parameters
  bool storms = false;         // its NIC pauses its switch, whatever it holds
  std::int64_t take_rate = 0;  // bits per second it takes packets in at; zero: at once
  std::uint64_t hops = 0, data_hops = 0, acks = 0;
  Time latency = 0;                                           // from its NIC to its memory
  Time drained = 0;                                           // when the host has taken in what its NIC holds
  std::uint64_t held = 0;                                     // by a stuck host, bytes
  std::uint32_t admitted = 0;                                 // messages that others are sending to it
  std::uint32_t waiting_first = kNone, waiting_last = kNone;  // flows that have asked, or are to get credit, in turn
  Time grant_at = 0;                                          // when the next credit may be given
  std::uint64_t cnp_sent = 0, cnp_handled = 0, naks = 0, timeouts = 0, pauses = 0, resumes = 0;
  std::uint64_t marked_in = 0, out_of_sequence = 0;  // data that came marked; before what is missing
  std::uint64_t out_of_order = 0, broken = 0;
  std::uint64_t overflowed = 0;  // packets that its NIC had no room for
};

/// A packet that waits in the NIC of a host that takes nothing in.
struct KeptPacket {
  Packet packet;
  std::uint32_t link;
};

/// Everything, by index: ports sorted by node, links sorted by far node, flows as opened.
struct Net {
  Parameters p;
  const DcqcnParameters* dcqcn_sets = nullptr;  // the first holds for all hosts but those that have another
  const Profile* profiles = nullptr;
  const std::uint32_t* profile_of = nullptr;      // by node
  const std::uint32_t* port_profiles = nullptr;   // by port, where ports of one node differ
  std::uint8_t* stopped = nullptr;                // by port: priorities that a pause is in force for, as bits, where by_profile
  std::uint32_t data_classes = 1U << kDataClass;  // that hosts send data as, as bits
  Port* ports = nullptr;
  Link* links = nullptr;
  PauseCounter* pause_counters = nullptr;  // by port and class
  LinkFault* faults = nullptr;             // by link, where links fail
  Ingress* ingress = nullptr;              // by class and link: most often only one class is in use
  std::uint32_t link_count = 0;
  Switch* switches = nullptr;                 // by node
  Host* hosts = nullptr;                      // by node
  std::vector<KeptPacket>* kept = nullptr;    // by node, where hosts may be stuck for a while
  NicPort* nics = nullptr;                    // by port
  Pool* pools = nullptr;                      // by node
  TimerQueue* timer_queues = nullptr;         // by node
  const std::uint32_t* first_port = nullptr;  // by node, and one past the last
  const std::uint32_t* first_link = nullptr;

  struct Ends {
    std::uint32_t from, to;  // nodes
  };
  const Ends* ends = nullptr;  // by flow
  Sender* senders = nullptr;
  Receiver* receivers = nullptr;
  Outgoing* messages = nullptr;
  const std::uint32_t* paths = nullptr;  // ports, by flow and direction
  std::uint32_t stride_shift = 0;        // a path has 2^this entries
  std::uint32_t classes = 0;             // that packets may be of, as bits

  // Where switches choose: ports towards the leaf of a destination, or towards the destination itself at its own leaf.
  const std::uint32_t* group_of = nullptr;        // by host node
  const std::uint32_t* next_hop_first = nullptr;  // by node and group, into `next_hops`
  const std::uint32_t* next_hops = nullptr;
  std::uint32_t groups = 0;
  const std::uint32_t* last_first = nullptr;  // by host node: ports of switches that lead to it alone, into `lasts`
  struct LastHop {
    std::uint32_t node, port;
  };
  const LastHop* lasts = nullptr;
  struct Flowlet {
    Time at;
    std::uint32_t which;  // flow and direction: answers go elsewhere
    std::uint32_t port;
  };
  Flowlet* flowlets = nullptr;  // kFlowlets rows by node
  static constexpr std::uint32_t kFlowlets = 256;

  // Where a sender has to know of room at the far end: by port and class, what it may still send; by link and class, what
  // was freed and the sender was not told of.
  std::int64_t* credits = nullptr;
  std::uint32_t* freed = nullptr;
  struct Load {
    Time at = 0;
    std::uint32_t mean = 0;
  };
  Load* loads = nullptr;  // by port, where packets are told of it

  struct VoqSwitch* voqs = nullptr;                   // by node, in a scheduled fabric
  const struct CreditPlace* credit_places = nullptr;  // likewise

  Allowance* allowances = nullptr;  // by flow, where receivers give credit
  Demand* demands = nullptr;

  // Under selective repeat: bits by flow and number, for what arrived early and for what was said to have.
  std::uint64_t* arrived = nullptr;
  std::uint64_t* told = nullptr;
  std::uint32_t bitmap = 0;  // numbers it covers; a multiple of 64

  [[nodiscard]] const Profile& profile(std::uint32_t node) const { return profiles[profile_of[node]]; }
  [[nodiscard]] const Profile& profile_at(std::uint32_t port) const {
    return port_profiles == nullptr ? profile(ports[port].node) : profiles[port_profiles[port]];
  }
  [[nodiscard]] const DcqcnParameters& dcqcn(const Sender& s) const { return dcqcn_sets[s.dcqcn]; }
  [[nodiscard]] const DcqcnParameters& dcqcn(const Host& host) const { return dcqcn_sets[host.dcqcn]; }
  [[nodiscard]] std::size_t ingress_index(std::uint32_t link, std::uint32_t traffic_class) const {
    return std::size_t{traffic_class} * link_count + link;
  }
  [[nodiscard]] std::uint32_t path_port(std::uint32_t flow, bool back, std::uint32_t hop) const {
    return paths[path_offset(flow, back) + hop];
  }
  [[nodiscard]] std::size_t path_offset(std::uint32_t flow, bool back) const {
    return (std::size_t{flow} * 2 + back) << stride_shift;
  }
};

/// Sixty-four bits that depend on nothing but what is named.
inline std::uint64_t scramble(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t x = a * 0x9e3779b97f4a7c15ULL ^ b * 0xbf58476d1ce4e5b9ULL ^ c * 0x94d049bb133111ebULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

}  // namespace railyard::packet
