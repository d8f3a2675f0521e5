// What happens at one port of a switch in a window, event by event: what is at the other ports does not matter, apart from what
// the buffer makes this one do. It is what SwitchModel<Out, true, true> does, with the row of the port in registers; what a GPU
// waits for is the busiest port of each switch.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/device/block_shared.h"
#include "engine/packet/device/event_order.h"
#include "engine/packet/device/out.h"
#include "engine/packet/device/port_at.h"

namespace railyard::packet::device {

/// A port of the switch at `node`, from `begin` up to `end`. Pauses before timers before arrivals, by time; what the buffer
/// causes, right after its cause. `kCalm`: nothing but timers
/// and arrivals. REQUIRES: usual parameters, and nothing is trimmed.
template<bool kCalm>
class PortRun {
 public:
  PortRun(const State& state, Scratch& scratch, BlockShared& shared, const SwitchRows& rows, Play play, const PortAt& at)
      : state_(state),
        net_(state.net),
        scratch_(scratch),
        shared_(shared),
        queues_(rows.queues + std::size_t{at.slot} * kClasses),
        row_(state.net.ports[state.net.first_port[at.node] + at.slot]),
        play_(play),
        odd_(at.odd),
        node_(at.node),
        slot_(at.slot),
        index_(state.net.first_port[at.node] + at.slot),
        first_link_(state.net.first_link[at.node]),
        begin_(at.begin),
        end_(at.end),
        next_(rows.port_first[at.slot]),
        past_(rows.port_first[at.slot] + rows.port_count[at.slot]) {}

  /// Whether a window has anything to do for a port at all.
  [[nodiscard]] bool is_idle() const { return next_ == past_ && timer_ >= end_ && told_ >= end_ && effects_ == 0; }

  [[gnu::always_inline]] void begin(std::uint32_t effects) {
    timer_ = state_.port_timers[index_];
    const FrameView frames(state_.frames[index_]);
    frame_ = frames.head;
    told_ = frames.at();
    effects_ = effects;
    if (is_idle()) return;
    const Port& port = row_;
    for (std::uint32_t c = 0; c < kClasses; c++) queues_[c] = port.queue[c];
    backlog_ = port.backlog;
    per_byte_ = port.per_byte;
    paused_ = port.paused;
    filled_ = port.filled;
    busy_ = port.busy;
    has_past_ = port.has_past;
    delay_ = port.delay;
    busy_until_ = port.busy_until;
    frame_until_ = port.frame_until;
    ring_ = port.ring;
    ring_mask_ = port.ring_mask;
    ring_tail_ = port.ring_tail;
    ring_head_ = port.ring_head_seen;
    cuts_through_ = port.cuts_through;
    on_wire_in_ = port.on_wire_in;
    on_wire_size_ = port.on_wire_size;
    on_wire_class_ = port.on_wire_class;
    turn_ = port.turn;
    deepest_ = port.deepest;
    backlog_time_ = port.backlog_time;
    backlog_at_ = port.backlog_at;
    find_effect();
    look_ahead();
  }

  /// One event. Returns whether there was one.
  [[gnu::always_inline]] bool step() {
    const Time arrival = arrival_;
    Time now = std::min(timer_, arrival);
    const bool is_timer = timer_ <= arrival;
    bool is_cause = false, serves = false, leaves = false;
    Packet packet;
    if constexpr (!kCalm) {
      const std::uint64_t order = now >= end_ ? kIdle
                                  : is_timer  ? EventOrder::departure(now - begin_, slot_)
                                              : EventOrder::arrival(now - begin_, packet_.in - first_link_);
      const std::uint64_t cause = effect_ == kNone ? kIdle : scratch_.effects[effect_].cause;
      const Time caused_at = effect_ == kNone ? end_ : begin_ + EventOrder::since_of(cause);
      if (told_ < end_ && told_ <= std::min(now, caused_at)) {
        now = told_;
        if (!hear()) return true;
        serves = true;
      } else if (cause < order) {
        tell(caused_at);
        return true;
      } else {
        is_cause = cause == order && now < end_;  // something at this very port
      }
    }
    if (!serves) {
      if (now >= end_) return false;
      if (is_timer) {
        timer_ = kNever;
        serves = free_wire(now, is_cause);
      } else {
        packet = packet_;
        const std::uint32_t place = next_ - 1;
        look_ahead();
        if (!is_let_in(packet, place, now, is_cause)) return true;
        packet.bits = static_cast<std::uint16_t>(packet.bits + Packet::kOneHop);
        const std::uint32_t c = packet.traffic_class();
        leaves = !busy_ && queues_[c].empty() && (paused_ >> c & 1) == 0;
        if (!leaves) enqueue(c, packet, now);
        serves = !leaves && !busy_;
      }
    }
    if (serves) leaves = take_first(packet, now);
    if (leaves) leave(packet, now);
    return true;
  }

  /// It has happened for good: others see what was sent.
  [[gnu::always_inline]] void end() {
    if (is_dry()) return;
    if (has_begun_) {
      write_row();
      Out out(state_, odd_, false);
      state_.port_timers[index_] = timer_;
      state_.frames[index_].read = frame_;
      out.publish(index_);
    }
    const Time later = std::min(timer_, told_);
    shared_.times.later.note(later, begin_);
    shared_.times.next.note(sent_at_, begin_);
  }

 private:
  [[nodiscard]] bool is_dry() const { return !kCalm && play_ == Play::dry; }

  // Events ----------------------------------------------------------------------------------------------------------------

  /// What was on the wire has left. Returns whether the wire is free.
  [[gnu::always_inline]] bool free_wire(Time now, bool is_cause) {
    if (on_wire_size_ != 0 && net_.p.counted[on_wire_class_]) {
      if (kCalm || play_ != Play::last) note_departure(now);
      if (!kCalm && is_cause) tell(now);
    }
    on_wire_size_ = 0;
    if (frame_until_ > now) {
      busy_until_ = timer_ = frame_until_;
      return false;
    }
    busy_ = false;
    return true;
  }

  /// Whether a packet that arrives is not dropped.
  [[gnu::always_inline]] bool is_let_in(const Packet& packet, std::uint32_t place, Time now, bool is_cause) {
    const std::uint32_t c = packet.traffic_class();
    if (is_dry()) scratch_.notes[place] &= static_cast<std::uint8_t>(~kHeld);
    if (packet.hop() + 1 >= kMostHops) return drop(c, DropReason::expired, false);
    if (net_.p.queue_limit != 0 && packet.is_data() && queues_[c].bytes + packet.size > net_.p.queue_limit)
      return drop(c, DropReason::queue, true);
    if (!kCalm && net_.p.counted[c]) {
      const std::uint32_t refusal = scratch_.notes[place] >> 1;
      if (is_dry()) scratch_.notes[place] |= kHeld;
      if (refusal != 0) return drop(c, static_cast<DropReason>(refusal - 1), true);
      if (is_cause) tell(now);
    }
    if (!is_dry() && packet.is_data()) add(&shared_.counts.depth[std::bit_width(backlog_)], 1);
    return true;
  }

  /// A pause frame, or one that ends a pause, takes effect. Returns whether the wire is to be served.
  [[gnu::always_inline]] bool hear() {
    FrameView frames(state_.frames[index_]);
    frames.head = frame_++;
    const Frame one = frames.first();
    frames.head++;
    told_ = frames.at();
    const std::uint32_t c = one.traffic_class, bit = 1U << c;
    if (((paused_ & bit) != 0) == (one.xoff != 0)) return false;
    paused_ ^= bit;
    has_past_ = true;
    if (play_ == Play::last) count_pause(net_, row_, index_, one);
    return one.xoff == 0 && !busy_;
  }

  /// Tells a sender what the buffer makes this port tell it next; as PortModel::tell_sender.
  [[gnu::always_inline]] void tell(Time now) {
    const Pause pause = scratch_.effects[effect_].pause;
    find_effect();
    const Link& link = net_.links[pause.link];
    Time sent = now;
    if (net_.p.frame > 0) {
      const Time begin = std::max(busy_ ? busy_until_ : now, std::max(now, frame_until_));
      sent = frame_until_ = begin + wire_time(net_.p.frame);
      more_bytes_ += net_.p.frame;
      if (!busy_) {
        busy_ = true;
        busy_until_ = timer_ = sent;
      }
    }
    has_past_ = true;
    if (is_dry()) return;
    Out out(state_, odd_, false);
    out.tell(link.port, static_cast<std::uint8_t>(pause.traffic_class), pause.xoff, sent + link.cable + link.response);
    sent_at_ = std::min(sent_at_, out.next);
    if (!pause.xoff) return;
    net_.pause_counters[std::size_t{index_} * kClasses + pause.traffic_class].sent++;
    out.log({Picoseconds(now), PortId(link.port), PortId(pause.cause), static_cast<std::uint8_t>(pause.traffic_class)});
  }

  [[gnu::always_inline]] bool drop(std::uint32_t c, DropReason reason, bool here) {
    if (is_dry()) return false;
    Switch& s = net_.switches[node_];
    add(&s.drops[static_cast<std::size_t>(reason)], std::uint64_t{1});
    add(&s.dropped[c], std::uint64_t{1});
    if (here) row_.dropped++, has_past_ = true;
    return false;
  }

  // The wire -----------------------------------------------------------------------------------------------------------------

  /// The next packet for a free wire. Returns whether there is one.
  [[gnu::always_inline]] bool take_first(Packet& packet, Time now) {
    const std::uint32_t waiting = filled_ & ~paused_;
    if (waiting == 0) return false;
    const std::uint32_t c = choose_class(net_, queues_, turn_, waiting);
    account_backlog(now);
    Queue& queue = queues_[c];
    const Pool& pool = net_.pools[std::size_t{index_} * kClasses + c];
    packet = pool.slots[queue.head & (pool.room - 1)];
    queue.bytes -= packet.size;
    if (queue.head == queue.tail) {
      queue.head = kNone;
      filled_ &= ~(1U << c);
    } else {
      queue.head = (queue.head + 1) & Out::kNumbers;
      fetch(&pool.slots[queue.head & (pool.room - 1)]);
    }
    backlog_ -= packet.size;
    queue.credit -= packet.size;
    if (!is_dry() && packet.is_data()) {
      const auto wait = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint64_t>(now - packet.at)));
      add(&shared_.counts.waits[std::min(wait, kWaits - 1)], 1);
    }
    return true;
  }

  [[gnu::always_inline]] void leave(Packet& packet, Time now) {
    const std::uint32_t c = packet.traffic_class();
    if (const std::uint32_t depth = queues_[c].bytes; depth > net_.p.kmin && is_marked_at(net_, packet, depth)) {
      packet.bits |= Packet::kMarked;
      more_marked_++;
      has_past_ = true;
      if (!is_dry()) add(&shared_.counts.marked[c], 1);
    }
    on_wire_size_ = packet.size;
    on_wire_in_ = packet.in;
    on_wire_class_ = c;
    const Time end = now + wire_time(packet.size);
    busy_ = true;
    busy_until_ = timer_ = end;
    more_packets_++;
    more_bytes_ += packet.size;
    if (is_dry()) return;
    packet.at = (cuts_through_ ? now : end) + delay_;
    send(packet);
  }

  [[gnu::always_inline]] void send(const Packet& packet) {
    if (!has_sent_) {
      has_sent_ = true;
      sent_at_ = std::min(sent_at_, packet.at);
      Out(state_, odd_, false).mark(row_.to, row_.to_host);
    }
    if (ring_ == nullptr || ring_tail_ - ring_head_ > ring_mask_) make_room();
    ring_[ring_tail_++ & ring_mask_] = packet;
  }

  // Queues -------------------------------------------------------------------------------------------------------------------

  /// Slots of packets that waited when the window began are not written to: the port may be played again.
  [[gnu::always_inline]] void enqueue(std::uint32_t c, const Packet& packet, Time now) {
    account_backlog(now);
    Queue& queue = queues_[c];
    Pool& pool = net_.pools[std::size_t{index_} * kClasses + c];
    const Queue before = row_.queue[c];
    const std::uint32_t kept = before.empty() ? (before.tail + 1) & Out::kNumbers : before.head;
    const std::uint32_t number = (queue.tail + 1) & Out::kNumbers;
    if (((number - kept) & Out::kNumbers) >= pool.room) grow_pool(state_, pool, kept, number);
    if (queue.empty()) queue.head = number;
    queue.tail = number;
    queue.bytes += packet.size;
    filled_ |= 1U << c;
    backlog_ += packet.size;
    deepest_ = std::max(deepest_, backlog_);
    Packet queued = packet;
    queued.at = now;
    pool.slots[number & (pool.room - 1)] = queued;
  }

  [[gnu::always_inline]] void account_backlog(Time now) { add_backlog(backlog_time_, backlog_at_, backlog_, now); }

  [[nodiscard]] [[gnu::always_inline]] Time wire_time(std::uint32_t size) const {
    return per_byte_ != 0 ? Time{per_byte_} * size : row_.wire_time(size);
  }

  [[gnu::always_inline]] void note_departure(Time now) {
    const std::uint32_t place = add(&shared_.counts.departures, 1);
    scratch_.departures[place] = {now, on_wire_in_ - first_link_, slot_, static_cast<std::uint16_t>(on_wire_class_),
                                  static_cast<std::uint16_t>(on_wire_size_)};
  }

  [[gnu::always_inline]] void make_room() {
    row_.ring_tail = ring_tail_;
    make_room_in_ring(state_, row_);
    ring_ = row_.ring;
    ring_mask_ = row_.ring_mask;
    ring_head_ = row_.ring_head_seen;
  }
  // Rows ---------------------------------------------------------------------------------------------------------------------

  [[gnu::always_inline]] void write_row() {
    Port& port = row_;
    for (std::uint32_t c = 0; c < kClasses; c++) {
      port.queue[c] = queues_[c];
      net_.pools[std::size_t{index_} * kClasses + c].free = Out::length(queues_[c]);
    }
    port.backlog = backlog_;
    port.paused = static_cast<std::uint16_t>(paused_);
    port.filled = static_cast<std::uint16_t>(filled_);
    port.busy = busy_;
    port.has_past = has_past_;
    port.busy_until = busy_until_;
    port.frame_until = frame_until_;
    port.ring_tail = ring_tail_;
    port.ring_head_seen = ring_head_;
    port.on_wire_in = on_wire_in_;
    port.on_wire_size = static_cast<std::uint16_t>(on_wire_size_);
    port.on_wire_class = static_cast<std::uint16_t>(on_wire_class_);
    port.turn = static_cast<std::uint16_t>(turn_);
    port.deepest = deepest_;
    port.packets += more_packets_;
    port.bytes += more_bytes_;
    port.backlog_time = backlog_time_;
    port.backlog_at = backlog_at_;
    port.marked += more_marked_;
  }

  /// The next arrival is fetched while the one before is played.
  [[gnu::always_inline]] void look_ahead() {
    has_begun_ = true;
    arrival_ = end_;
    if (next_ == past_) return;
    packet_ = scratch_.packets[next_++];
    arrival_ = packet_.at;
  }

  [[gnu::always_inline]] void find_effect() {
    effect_ = kNone;
    for (; next_effect_ < effects_ && effect_ == kNone; next_effect_++)
      if (scratch_.effects[next_effect_].slot == slot_) effect_ = next_effect_;
  }

  const State& state_;
  const Net& net_;
  Scratch& scratch_;
  BlockShared& shared_;
  Queue* const queues_;
  Port& row_;
  const Play play_;
  const bool odd_;
  const std::uint32_t node_, slot_, index_, first_link_;
  const Time begin_, end_;
  std::uint32_t next_;  // arrival to be fetched
  const std::uint32_t past_;
  bool has_begun_ = false, has_sent_ = false;
  Time timer_ = kNever, arrival_ = kNever, told_ = kNever, sent_at_ = kNever;
  std::uint32_t frame_ = 0;  // the next that it is told
  Packet packet_;            // that arrives next
  std::uint32_t effects_ = 0, next_effect_ = 0, effect_ = kNone;

  // Of the row.
  std::uint32_t backlog_ = 0, per_byte_ = 0, paused_ = 0, filled_ = 0;
  bool busy_ = false, has_past_ = false, cuts_through_ = false;
  Time delay_ = 0, busy_until_ = 0, frame_until_ = 0;
  Packet* ring_ = nullptr;
  std::uint32_t ring_mask_ = 0, ring_tail_ = 0, ring_head_ = 0;
  std::uint32_t on_wire_in_ = 0, on_wire_size_ = 0, on_wire_class_ = 0, turn_ = 0, deepest_ = 0;
  std::uint64_t backlog_time_ = 0;
  Time backlog_at_ = 0;
  std::uint32_t more_packets_ = 0, more_marked_ = 0;
  std::uint64_t more_bytes_ = 0;
};

}  // namespace railyard::packet::device
