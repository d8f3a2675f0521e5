// Where the models put what leaves a node, on a GPU.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "engine/packet/device/state.h"

namespace railyard::packet::device {

/// Of one thread, for the node or port that it plays.
class Out {
 public:
  static constexpr bool kOnDevice = true;

  Out(const State& state, bool odd, bool hosts_run) : state_(state), odd_(odd), hosts_run_(hosts_run) {}

  // What the models call ------------------------------------------------------------------------------------------

  void send(std::uint32_t index, const Packet& packet, Time at, std::uint16_t bits) {
    Port& port = state_.net.ports[index];
    if (port.ring_tail == port.ring_published) begin_sending(port, at);
    if (port.ring == nullptr || port.ring_tail - port.ring_head_seen > port.ring_mask) make_room(port);
    Packet& sent = port.ring[port.ring_tail++ & port.ring_mask];
    sent = packet;
    sent.at = at;
    sent.bits = bits;
  }

  void tell(std::uint32_t index, std::uint8_t traffic_class, bool xoff, Time at) {
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

  void count(std::uint64_t& counter) const { add(&counter, std::uint64_t{1}); }
  void log(const PauseRecord& record) { state_.pauses[add(&state_.control->pauses, 1)] = record; }
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

  /// Twice the room for packets of these numbers.
  void grow(Pool& pool, std::uint32_t first, std::uint32_t past) {
    const std::uint32_t room = pool.room == 0 ? kFirstPool : 2 * pool.room;
    Packet* const slots = reinterpret_cast<Packet*>(take_memory(state_, std::uint64_t{room} * sizeof(Packet)));
    for (std::uint32_t number = first; number != past; number = (number + 1) & kNumbers)
      slots[number & (room - 1)] = pool.slots[number & (pool.room - 1)];
    pool.slots = slots;
    pool.room = room;
  }

  void make_room(Port& port) {
    port.ring_head_seen = load(&state_.rings[port.link].head);
    if (port.ring != nullptr && port.ring_tail - port.ring_head_seen <= port.ring_mask) return;
    const std::uint64_t place = larger<Packet>(place_of(port), port.ring_tail, kFirstRing);
    port.ring = RingOf<Packet>::slots_of(place);
    port.ring_mask = RingOf<Packet>::mask_of(place);
  }

  /// A node has something to do. Hosts run after switches: what those send to them is for the same window.
  void mark(std::uint32_t node, bool host) { store(&state_.marks[host && !hosts_run_ ? odd_ : !odd_][node], std::uint32_t{1}); }

  static constexpr std::uint32_t kNumbers = 0x7FFFFFFF;  // never kNone

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

 private:
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
  /// Whether a node of a kind may be told at once. Between hosts what is told is in order.
  [[nodiscard]] bool is_seen_now(bool host) const {
    if (hosts_run_ && host) fence();
    return hosts_run_ || host;
  }

  void make_room(Pool& pool, const Queue& queue) {
    pool.free = length(queue);
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

  const State& state_;
  const bool odd_, hosts_run_;
};

}  // namespace railyard::packet::device
