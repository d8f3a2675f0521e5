// What most ports of switches do in a calm window, in few steps: packets of one class leave in the order they came, as soon as
// the wire is free. It is what SwitchModel<Out, true, true> does then; everything else is PortRun's.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/device/port_run.h"

namespace railyard::packet::device {

/// A port of a switch in a calm window. REQUIRES: what PortRun does.
class LineRun {
  static constexpr std::uint32_t kClass = kDataClass, kBit = 1U << kClass;

 public:
  LineRun(const State& state, Scratch& scratch, BlockShared& shared, const SwitchRows& rows, const PortAt& at)
      : state_(state),
        net_(state.net),
        packets_(scratch.packets),
        departures_(scratch.departures),
        shared_(shared),
        at_(at),
        index_(net_.first_port[at.node] + at.slot),
        first_link_(net_.first_link[at.node]),
        row_(net_.ports[index_]),
        pool_(net_.pools[std::size_t{index_} * kClasses + kClass]),
        next_(rows.port_first[at.slot]),
        past_(rows.port_first[at.slot] + rows.port_count[at.slot]),
        is_mixed_(rows.mixed[at.slot] != 0) {}

  /// Plays the window. Returns false, and has done nothing, if the port is none of those.
  [[gnu::always_inline]] bool play() {
    timer_ = state_.port_timers[index_];
    if (next_ == past_ && timer_ >= at_.end) {
      shared_.times.later.note(timer_, at_.begin);
      return true;
    }
    busy_ = row_.busy;
    const Queue queue = row_.queue[kClass];
    const bool fits = !is_mixed_ && (row_.filled & ~kBit) == 0 && (row_.paused & kBit) == 0 &&
                      (busy_ ? row_.frame_until <= timer_ : row_.filled == 0);
    if (!fits) return false;
    head_ = queue.head;
    left_ = Out::length(queue);
    first_ = next_;
    backlog_ = row_.backlog;
    deepest_ = row_.deepest;
    backlog_time_ = row_.backlog_time;
    backlog_at_ = row_.backlog_at;
    per_byte_ = row_.per_byte;
    on_wire_size_ = row_.on_wire_size;
    on_wire_in_ = row_.on_wire_in;
    on_wire_class_ = row_.on_wire_class;
    ring_ = row_.ring;
    ring_mask_ = row_.ring_mask;
    ring_tail_ = row_.ring_tail;
    ring_head_ = row_.ring_head_seen;
    delay_ = row_.delay;
    cuts_through_ = row_.cuts_through;
    arrival_ = next_ == past_ ? at_.end : packets_[next_].at;
    while (step()) {
    }
    write_row(queue);
    return true;
  }

 private:
  [[gnu::always_inline]] bool step() {
    const Packet* from = nullptr;
    Time now = arrival_;
    std::uint16_t hop = Packet::kOneHop;
    if (busy_ && timer_ <= arrival_) {
      now = timer_;
      if (now >= at_.end) return false;
      if (on_wire_size_ != 0 && net_.p.counted[on_wire_class_]) note_departure(now);
      on_wire_size_ = 0;
      if (left_ == 0 && first_ == next_) {
        busy_ = false;
        timer_ = kNever;
        return true;
      }
      from = take_first(hop);
      account_backlog(now);
    } else {
      if (now >= at_.end) return false;
      from = &packets_[next_++];
      arrival_ = next_ == past_ ? at_.end : packets_[next_].at;
      if ((from->bits & Packet::kKind) == 0) add(&shared_.counts.depth[std::bit_width(backlog_)], 1);
      if (busy_) {
        account_backlog(now);
        backlog_ += from->size;
        deepest_ = std::max(deepest_, backlog_);
        return true;
      }
      first_ = next_;
    }
    Packet packet = *from;
    const bool has_waited = busy_;
    if (has_waited) {
      backlog_ -= packet.size;
      has_served_ = true;
      served_size_ = packet.size;
      if (packet.is_data()) {
        const auto wait = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(now - packet.at)));
        add(&shared_.counts.waits[std::min(wait, kWaits - 1)], 1);
      }
    }
    packet.bits = static_cast<std::uint16_t>(packet.bits + hop);
    leave(packet, now);
    return true;
  }

  /// The packet that waits longest: in the queue from before, or of those that have come since.
  [[gnu::always_inline]] const Packet* take_first(std::uint16_t& hop) {
    if (left_ == 0) return &packets_[first_++];
    hop = 0;
    const Packet* const slots = pool_.slots;
    const std::uint32_t mask = pool_.room - 1;
    const Packet* const from = &slots[head_ & mask];
    left_--;
    head_ = (head_ + 1) & Out::kNumbers;
    if (left_ > 0) fetch(&slots[head_ & mask]);
    return from;
  }

  [[gnu::always_inline]] void leave(Packet& packet, Time now) {
    if (backlog_ > net_.p.kmin && is_marked_at(net_, packet, backlog_)) {
      packet.bits |= Packet::kMarked;
      more_marked_++;
      add(&shared_.counts.marked[kClass], 1);
    }
    on_wire_size_ = packet.size;
    on_wire_in_ = packet.in;
    on_wire_class_ = kClass;
    const Time end = now + (per_byte_ != 0 ? Time{per_byte_} * packet.size : row_.wire_time(packet.size));
    busy_ = true;
    timer_ = last_until_ = end;
    more_packets_++;
    more_bytes_ += packet.size;
    packet.at = (cuts_through_ ? now : end) + delay_;
    if (sent_at_ == kNever) sent_at_ = packet.at;
    if (ring_ == nullptr || ring_tail_ - ring_head_ > ring_mask_) make_room();
    ring_[ring_tail_++ & ring_mask_] = packet;
  }

  [[gnu::always_inline]] void account_backlog(Time now) { add_backlog(backlog_time_, backlog_at_, backlog_, now); }

  [[gnu::always_inline]] void note_departure(Time now) {
    departures_[add(&shared_.counts.departures, 1)] = {now, on_wire_in_ - first_link_, at_.slot,
                                                       static_cast<std::uint16_t>(on_wire_class_),
                                                       static_cast<std::uint16_t>(on_wire_size_)};
  }

  [[gnu::always_inline]] void make_room() {
    row_.ring_tail = ring_tail_;
    make_room_in_ring(state_, row_);
    ring_ = row_.ring;
    ring_mask_ = row_.ring_mask;
    ring_head_ = row_.ring_head_seen;
  }

  [[gnu::always_inline]] void write_row(Queue queue) {
    const std::uint32_t more = next_ - first_;
    const std::uint32_t tail = (queue.tail + more) & Out::kNumbers;
    if (more > 0) {
      if (left_ == 0) head_ = (queue.tail + 1) & Out::kNumbers;
      while (left_ + more > pool_.room) grow_pool(state_, pool_, head_, (queue.tail + 1) & Out::kNumbers);
      for (std::uint32_t i = 0; i < more; i++) {
        Packet packet = packets_[first_ + i];
        packet.bits = static_cast<std::uint16_t>(packet.bits + Packet::kOneHop);
        pool_.slots[(queue.tail + 1 + i) & Out::kNumbers & (pool_.room - 1)] = packet;
      }
    }
    Port& port = row_;
    const std::uint32_t count = left_ + more;
    pool_.free = count;
    if (has_served_) {
      if ((net_.p.shares.strict & kBit) == 0)
        for (Queue& one : port.queue) one.credit = 0;
      queue.credit = -static_cast<std::int32_t>(served_size_);
    }
    queue.head = count == 0 ? kNone : head_;
    queue.tail = tail;
    queue.bytes = backlog_;
    port.queue[kClass] = queue;
    port.filled = static_cast<std::uint16_t>(count == 0 ? 0 : kBit);
    port.backlog = backlog_;
    port.busy = busy_;
    if (more_packets_ > 0) port.busy_until = last_until_;
    port.on_wire_in = on_wire_in_;
    port.on_wire_size = static_cast<std::uint16_t>(on_wire_size_);
    port.on_wire_class = static_cast<std::uint16_t>(on_wire_class_);
    port.deepest = deepest_;
    port.backlog_time = backlog_time_;
    port.backlog_at = backlog_at_;
    state_.port_timers[index_] = timer_;
    shared_.times.later.note(timer_, at_.begin);
    if (more_packets_ == 0) return;
    port.ring_tail = ring_tail_;
    port.ring_head_seen = ring_head_;
    port.packets += more_packets_;
    port.bytes += more_bytes_;
    if (more_marked_ > 0) port.marked += more_marked_, port.has_past = true;
    Out out(state_, at_.odd, false);
    out.mark(port.to, port.to_host);
    out.publish(index_);
    shared_.times.next.note(sent_at_, at_.begin);
  }

  const State& state_;
  const Net& net_;
  const Packet* const packets_;  // that arrive
  Departure* const departures_;
  BlockShared& shared_;
  const PortAt at_;
  const std::uint32_t index_, first_link_;
  Port& row_;
  Pool& pool_;
  std::uint32_t next_;  // arrival
  const std::uint32_t past_;
  const bool is_mixed_;
  std::uint32_t first_ = 0;            // arrival that waits; all from it to the next do
  std::uint32_t head_ = 0, left_ = 0;  // of the queue from before
  Time timer_ = kNever, arrival_ = 0, sent_at_ = kNever, last_until_ = 0;
  bool busy_ = false, has_served_ = false, cuts_through_ = false;
  std::uint32_t backlog_ = 0, deepest_ = 0, per_byte_ = 0;
  std::uint64_t backlog_time_ = 0;
  Time backlog_at_ = 0, delay_ = 0;
  std::uint32_t on_wire_size_ = 0, on_wire_in_ = 0, on_wire_class_ = 0, served_size_ = 0;
  Packet* ring_ = nullptr;
  std::uint32_t ring_mask_ = 0, ring_tail_ = 0, ring_head_ = 0;
  std::uint32_t more_packets_ = 0, more_marked_ = 0, more_bytes_ = 0;
};

}  // namespace railyard::packet::device
