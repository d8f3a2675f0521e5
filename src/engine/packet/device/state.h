// What a GPU keeps of a network beside its rows: packets and pause frames on their way, timers of ports, and what it tells the
// processor. Plain data and addresses of the GPU's memory; compiled for both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/packet/device/atomics.h"
#include "engine/packet/flow_event.h"
#include "engine/packet/net.h"
#include "engine/packet/pause.h"
#include "engine/packet/port_look.h"

namespace railyard::packet::device {

/// A pause frame on its way to a port.
struct Frame {
  Time at;
  std::uint32_t traffic_class;
  std::uint32_t xoff;
};

/// Things that one node writes and another reads, in a power of two of slots. What is told the other is written where that does
/// not run: between a host and a switch at once, between two switches when all switches are done (Windows).
template<class T>
struct RingOf {
  std::uint64_t place = 0;  // address of the slots, and the logarithm of their number in its low bits; zero: none yet
  std::uint32_t tail = 0;   // what the reader may know of
  std::uint32_t head = 0;   // what the writer may know to be read
  std::uint32_t read = 0;   // what is: the reader's own

  static constexpr std::uint64_t kSizeBits = 63;
  static std::uint64_t place_of(T* slots, std::uint32_t log) { return reinterpret_cast<std::uint64_t>(slots) | log; }
  static T* slots_of(std::uint64_t place) { return reinterpret_cast<T*>(place & ~kSizeBits); }
  static std::uint32_t mask_of(std::uint64_t place) { return place == 0 ? 0 : (1U << (place & kSizeBits)) - 1; }
};

/// What its reader sees of a ring.
template<class T>
struct RingView {
  const T* slots;
  std::uint32_t mask, head, tail;

  explicit RingView(const RingOf<T>& ring, bool fenced = false) : head(ring.read), tail(load(&ring.tail)) {
    if (fenced) fence();
    const std::uint64_t place = load(&ring.place);
    slots = RingOf<T>::slots_of(place);
    mask = RingOf<T>::mask_of(place);
  }
  [[nodiscard]] const T& first() const { return slots[head & mask]; }
  [[nodiscard]] Time at() const { return head == tail ? kNever : first().at; }
};
using LinkView = RingView<Packet>;
using FrameView = RingView<Frame>;

/// The writer's own side of pause frames for a port.
struct FrameWriter {
  std::uint64_t place = 0;
  std::uint32_t tail = 0;
};

/// Memory of the GPU that is handed out piece by piece and never given back.
struct Arena {
  std::byte* memory = nullptr;
  std::uint64_t size = 0, used = 0;
};

/// A message that a flow has got. The processor knows its row; the GPU has to be told.
struct Offer {
  std::uint32_t flow, row;
  Outgoing message;
};

/// Why a GPU stops and lets the processor look.
enum class Stop : std::uint32_t { none, done, delivered, sample, look, full };

/// What processor and GPU tell each other.
struct Control {
  // To the GPU.
  Time until = 0, change = kNever, sample = kNever, first = 0;
  std::uint32_t stop_at_delivery = 0, offers = 0, offer_hosts = 0;
  std::uint32_t most_windows = 0;  // in this launch

  // From the GPU.
  Time edge = 0;                                              // everything before is done
  Time known = kNever;                                        // what is first, of all that is known
  Time next[3] = {kNever, kNever, kNever};                    // what is first after a window, by its number
  std::uint32_t stops[3] = {};                                // whether somebody asked to stop in a window, by its number
  std::uint32_t turns[3] = {};                                // switches taken beyond the first of each block, by window
  std::uint64_t windows = 0;                                  // played so far
  std::uint32_t delivered = 0, acknowledged = 0, pauses = 0;  // in the lists
  Stop stop = Stop::none;
  std::uint64_t hops = 0, arrived = 0;  // packets so far, where they were asked for
  std::uint32_t barrier_here = 0, barrier_round = 0;
};

/// Of time: what happens in it at one node matters to no other that runs beside it.
struct Window {
  Time begin, end;
  std::uint32_t slot;  // of Control::next and stops
  bool odd;
};

/// A packet that arrives at a switch in a window.
struct Arrival {
  std::uint64_t key;  // time, and which of the node's links
  const Packet* packet;
  std::uint32_t port;  // by which it leaves, where that is settled
};
/// One that leaves its buffer.
struct Departure {
  Time at;
  std::uint32_t slot;                 // which of the node's links it came by
  std::uint32_t port;                 // which of its ports it left by
  std::uint16_t traffic_class, size;  // of size zero: it did not leave then after all
};

/// What the buffer of a switch makes a port do: it tells a sender something, right after what caused it.
struct Effect {
  std::uint64_t cause;  // event_order.h
  Pause pause;
  std::uint32_t slot;  // of the port
};

/// What one block of threads needs for the switch it is at.
struct Scratch {
  Packet* packets = nullptr;       // that arrive, by the port they leave by, and by time; `in`: the link they come by
  std::uint8_t* notes = nullptr;   // of each: PortRun::kHeld; and why it is dropped, a DropReason, and one, times two
  std::uint32_t* ports = nullptr;  // of arrivals by link
  Arrival* arrivals = nullptr;     // where one thread plays them
  std::uint32_t* order = nullptr;
  Departure* departures = nullptr;
  std::uint64_t* keys = nullptr;  // of arrivals and departures together
  std::uint32_t* words = nullptr;
  Effect* effects = nullptr;
  Ingress* ingress = nullptr;  // by link and class: as it was before the window
  std::uint32_t arrival_room = 0, departure_room = 0, key_room = 0, effect_room = 0;
  std::byte* rows = nullptr;                         // SwitchRows
  std::uint64_t* timers = nullptr;                   // a tree of port timers, where events go one after the other
  std::uint32_t timer_leaves = 0, most_of_port = 0;  // departures of one
};

struct State {
  Net net;
  Time span = 0;
  std::uint32_t nodes = 0, switch_count = 0, host_count = 0, flow_count = 0, port_count = 0;
  std::uint32_t usual = 0, has_runs = 0;    // what the models may leave out
  const std::uint8_t* is_host = nullptr;    // by node
  const std::uint32_t* switches = nullptr;  // nodes
  const std::uint32_t* hosts = nullptr;
  RingOf<Packet>* rings = nullptr;             // by link
  RingOf<Frame>* frames = nullptr;             // by port that is told
  FrameWriter* frame_writers = nullptr;        // by port: its far node's
  Time* port_timers = nullptr;                 // by port of a switch
  std::uint32_t hosts_meet = 0;                // links join hosts to hosts
  std::uint32_t* visited = nullptr;            // switches that have done something in this window
  std::uint32_t* marks[2] = {};                // nodes that have something to do, by whether the window is odd
  const Offer* offers = nullptr;               // by host
  const std::uint32_t* offer_first = nullptr;  // by host that has some: into `offers`; and one past the last
  FlowEvent* delivered = nullptr;
  FlowEvent* acknowledged = nullptr;
  PauseRecord* pauses = nullptr;
  std::uint32_t event_room = 0, pause_room = 0;
  PortLook* looks = nullptr;      // by port
  std::int64_t* rates = nullptr;  // by flow: what it may send, bits per second; negative: it has nothing to
  Scratch* scratch = nullptr;     // by block
  Control* control = nullptr;
  Arena* arena = nullptr;
};

/// A piece of the arena, on a cache line of its own. The processor sees to it that there is enough for a window.
inline std::byte* take_memory(const State& state, std::uint64_t bytes) {
  bytes = (bytes + 127) / 128 * 128;
  const std::uint64_t at = add(&state.arena->used, bytes);
  if (at + bytes > state.arena->size) __builtin_trap();
  return state.arena->memory + at;
}

}  // namespace railyard::packet::device
