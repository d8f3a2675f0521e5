// Where the models put what leaves a node, on a GPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "engine/packet/device/state.h"

namespace railyard::packet::device {

/// How a thread plays. All events of a node, one after the other; or one port of a switch: by itself, while the switch is calm;
/// to see when packets leave, and nobody hears of it; or for good, when it is known what the buffer makes of that; or what the
/// buffer makes of it, apart from all ports.
enum class Play : std::uint8_t { in_order, calm, dry, last, buffer };

/// Of one thread, for the node or port that it plays.
class Out {
 public:
  static constexpr bool kOnDevice = true;

  Out(const State& state, bool odd, bool hosts_run, Play play = Play::in_order)
      : state_(state), play_(play), odd_(odd), hosts_run_(hosts_run) {}

  // What the models call ------------------------------------------------------------------------------------------

  void send(std::uint32_t index, const Packet& packet, Time at, std::uint16_t bits) {
    if (play_ == Play::dry) return;
    Port& port = state_.net.ports[index];
    if (port.ring_tail == port.ring_published) begin_sending(port, at);
    if (port.ring == nullptr || port.ring_tail - port.ring_head_seen > port.ring_mask) make_room(port);
    Packet& sent = port.ring[port.ring_tail++ & port.ring_mask];
    sent = packet;
    sent.at = at;
    sent.bits = bits;
  }

  void tell(std::uint32_t index, std::uint8_t traffic_class, bool xoff, Time at) {
    if (play_ == Play::dry) return;
    RingOf<Frame>& ring = state_.frames[index];
    FrameWriter& writer = state_.frame_writers[index];
    if (writer.place == 0 || writer.tail - load(&ring.head) > RingOf<Frame>::mask_of(writer.place))
      writer.place = larger<Frame>(writer.place, writer.tail, kFirstFrames);
    RingOf<Frame>::slots_of(writer.place)[writer.tail++ & RingOf<Frame>::mask_of(writer.place)] = {at, traffic_class, xoff};
    const std::uint32_t node = state_.net.ports[index].node;
    if (is_seen_now(is_host(node))) publish_frames(state_, index);
    note_next(at);
    mark(node, is_host(node));
  }
  void grant(std::uint32_t, std::uint8_t, std::uint32_t, Time) {}  // links with credits are not run here

  void port_timer(const Port& port, Time at) {
    state_.port_timers[&port - state_.net.ports] = at;
    if (timers != nullptr) timers->set(port.slot, key_of(at, port.slot));
  }
  void timer(std::uint32_t node, std::uint32_t slot, Time at) {
    state_.net.timer_queues[node].others.set(slot, at >= kNever ? kIdle : key_of(at, slot));
  }

  void count(std::uint64_t& counter) const {
    if (play_ != Play::dry) add(&counter, std::uint64_t{1});
  }
  void log(const PauseRecord& record) {
    if (play_ != Play::dry) state_.pauses[add(&state_.control->pauses, 1)] = record;
  }
  void delivered(std::uint32_t flow, Time at) { state_.delivered[add(&state_.control->delivered, 1)] = {at, flow}; }
  void acknowledged(std::uint32_t flow, Time at) { state_.acknowledged[add(&state_.control->acknowledged, 1)] = {at, flow}; }
  void gave_up(std::uint32_t, bool, Time) {}  // links do not fail here

  void make_room(FlowHeap& heap) {
    if (heap.size == heap.room) grow(heap);
  }

  // Queues: a ring each, by numbers that go on, so that what was taken out is still there if a port is played again. Of a Pool,
  // `room` is how many slots there are, and `free` how many of the last numbers are not to be overwritten.

  static std::uint32_t length(const Queue& queue) { return queue.empty() ? 0 : ((queue.tail - queue.head) & kNumbers) + 1; }

  Packet& append(Pool& pool, Queue& queue, const Packet& packet) {
    if (pool.free == pool.room) make_room(pool, queue);
    const std::uint32_t number = (queue.tail + 1) & kNumbers;
    if (queue.empty()) queue.head = number;
    queue.tail = number;
    queue.bytes += packet.size;
    pool.free++;
    Packet& place = pool.slots[number & (pool.room - 1)];
    place = packet;
    return place;
  }
  static void take_first(const Pool& pool, Queue& queue) {
    queue.bytes -= pool.slots[queue.head & (pool.room - 1)].size;
    queue.head = queue.head == queue.tail ? kNone : (queue.head + 1) & kNumbers;
  }

  // Between a port and the buffer of its switch.

  /// Why there is no room, as Arrival::refusal says it.
  [[nodiscard]] std::uint8_t refused() {
    is_held = true;
    return refusal;
  }
  void released(std::uint32_t link, std::uint32_t traffic_class, std::uint32_t size, Time now) {
    if (play_ == Play::last) return;
    scratch->departures[add(departures, 1)] = {now, link - first_link, own_slot, static_cast<std::uint16_t>(traffic_class),
                                               static_cast<std::uint16_t>(size)};
  }
  [[nodiscard]] const Pause* take_due() { return std::exchange(due, nullptr); }

  bool puts_off(const Pause& pause) {
    if (play_ != Play::buffer) return false;
    put_off = pause;
    return true;
  }
  bool puts_off(DropReason reason) {
    if (play_ != Play::buffer) return false;
    refusal = static_cast<std::uint8_t>(static_cast<std::uint8_t>(reason) + 1);
    return true;
  }

  // A node is done -----------------------------------------------------------------------------------------------------

  /// Others see what a port has sent, unless they may be looking just now.
  void publish(std::uint32_t index) {
    const Port& port = state_.net.ports[index];
    if (port.ring_tail != port.ring_published && is_seen_now(port.to_host)) publish_packets(state_, index);
  }
  static void publish_packets(const State& state, std::uint32_t index) {
    Port& port = state.net.ports[index];
    RingOf<Packet>& ring = state.rings[port.link];
    port.ring_published = port.ring_tail;
    store(&ring.place, place_of(port));
    store(&ring.tail, port.ring_tail);
  }
  static void publish_frames(const State& state, std::uint32_t index) {
    store(&state.frames[index].place, state.frame_writers[index].place);
    store(&state.frames[index].tail, state.frame_writers[index].tail);
  }

  /// A node has something to do later, by what it can see.
  void go_on(std::uint32_t node, Time later) {
    if (later >= kNever) return;
    note_next(later);
    mark(node, is_host(node));
  }

  void note_next(Time at) { next = std::min(next, at); }
  [[nodiscard]] bool is_host(std::uint32_t node) const { return state_.is_host[node] != 0; }

  Time next = kNever;              // of everything that was seen
  EarliestTree* timers = nullptr;  // of all ports of a switch, where one thread plays them

  // Of a port of a switch.
  Scratch* scratch = nullptr;
  std::uint32_t* departures = nullptr;         // how many there are
  std::uint32_t first_link = 0, own_slot = 0;  // of the switch; of the port
  bool is_held = false;                        // the buffer was asked about what arrived last
  std::uint8_t refusal = 0;                    // what it said: Arrival::refusal
  const Pause* due = nullptr;                  // whom it tells what because of that
  Pause put_off = {kNone, 0, kNone, false};    // the same, found out apart from ports; no link: nobody

 private:
  /// Hosts run after switches: what those send to them is for the same window.
  void mark(std::uint32_t node, bool host) { store(&state_.marks[host && !hosts_run_ ? odd_ : !odd_][node], std::uint32_t{1}); }

  void begin_sending(const Port& port, Time at) {
    note_next(at);
    mark(port.to, port.to_host);
  }

  static constexpr std::uint32_t kFirstRing = 5, kFirstFrames = 2, kFirstPool = 16,
                                 kFirstHeap = 4;  // the first two: logarithms

  /// A ring twice as large, for what one writes and another reads. Returns its place.
  template<class T>
  std::uint64_t larger(std::uint64_t place, std::uint32_t tail, std::uint32_t first_log) {
    using Ring = RingOf<T>;
    const std::uint32_t log = place == 0 ? first_log : static_cast<std::uint32_t>(place & Ring::kSizeBits) + 1;
    T* const slots = reinterpret_cast<T*>(take_memory(state_, sizeof(T) << log));
    const std::uint32_t before = place == 0 ? 0 : Ring::mask_of(place) + 1;
    for (std::uint32_t i = tail - before; i != tail; i++)
      slots[i & ((1U << log) - 1)] = Ring::slots_of(place)[i & (before - 1)];
    return Ring::place_of(slots, log);
  }

  static std::uint64_t place_of(const Port& port) {
    if (port.ring == nullptr) return 0;
    return RingOf<Packet>::place_of(port.ring, static_cast<std::uint32_t>(std::countr_one(port.ring_mask)));
  }
  void make_room(Port& port) {
    port.ring_head_seen = load(&state_.rings[port.link].head);
    if (port.ring != nullptr && port.ring_tail - port.ring_head_seen <= port.ring_mask) return;
    const std::uint64_t place = larger<Packet>(place_of(port), port.ring_tail, kFirstRing);
    port.ring = RingOf<Packet>::slots_of(place);
    port.ring_mask = RingOf<Packet>::mask_of(place);
  }

  /// Whether a node of a kind may be told at once. Between hosts what is told is in order.
  [[nodiscard]] bool is_seen_now(bool host) const {
    if (hosts_run_ && host) fence();
    return hosts_run_ || host;
  }

  void make_room(Pool& pool, const Queue& queue) {
    if (play_ != Play::dry) pool.free = length(queue);
    if (pool.free < pool.room) return;
    const std::uint32_t room = pool.room == 0 ? kFirstPool : 2 * pool.room;
    Packet* const slots = reinterpret_cast<Packet*>(take_memory(state_, std::uint64_t{room} * sizeof(Packet)));
    for (std::uint32_t i = 0; i < pool.free; i++) {
      const std::uint32_t number = (queue.tail - i) & kNumbers;
      slots[number & (room - 1)] = pool.slots[number & (pool.room - 1)];
    }
    pool.slots = slots;
    pool.room = room;
  }

  void grow(FlowHeap& heap) {
    const std::uint32_t after = heap.room == 0 ? kFirstHeap : 2 * heap.room;
    TimedFlow* const entries = reinterpret_cast<TimedFlow*>(take_memory(state_, std::uint64_t{after} * sizeof(TimedFlow)));
    for (std::uint32_t i = 0; i < heap.size; i++) entries[i] = heap.entries[i];
    heap.entries = entries;
    heap.room = after;
  }

  static constexpr std::uint32_t kNumbers = 0x7FFFFFFF;  // never kNone

  const State& state_;
  const Play play_;
  const bool odd_, hosts_run_;
};

}  // namespace railyard::packet::device
