// Everything that happens at a switch in one window, played by a block of threads of a GPU: what is due, and who plays it. Most
// often each thread plays a port of its own, and its buffer is looked at afterwards (buffer_visit.h). Where ports depend on
// each other in other ways, one thread plays all events in order, as Worker::play does.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/device/block_shared.h"
#include "engine/packet/device/buffer_visit.h"
#include "engine/packet/device/event_order.h"
#include "engine/packet/device/host_visit.h"
#include "engine/packet/device/out.h"
#include "engine/packet/device/port_visit.h"
#include "engine/packet/switch_model.h"

namespace railyard::packet::device {

/// Where no switch runs any more: others hear of what a switch has read and sent.
template<class Block>
void settle(const State& state, Block& block, std::uint32_t node) {
  const Net& net = state.net;
  const std::uint32_t first_link = net.first_link[node], first_port = net.first_port[node];
  block.each(net.first_link[node + 1] - first_link, [&](std::uint32_t slot) {
    RingOf<Packet>& ring = state.rings[first_link + slot];
    if (ring.head != ring.read) ring.head = ring.read;
    const std::uint32_t told = net.links[first_link + slot].port;
    if (state.frames[told].tail != state.frame_writers[told].tail) Out::publish_frames(state, told);
  });
  block.each(net.first_port[node + 1] - first_port, [&](std::uint32_t slot) {
    RingOf<Frame>& ring = state.frames[first_port + slot];
    if (ring.head != ring.read) ring.head = ring.read;
    const Port& port = net.ports[first_port + slot];
    if (port.ring_tail != port.ring_published) Out::publish_packets(state, first_port + slot);
  });
}

/// `Block` runs something for each of several numbers, on all of its threads, and waits until all is done: each(count, do);
/// by one thread: once(do); or, for each, one event after the other, so that threads stay side by side: in_steps(count, make),
/// where what make(i) returns has begin(), step() and end().
template<class Block>
class SwitchVisit {
  using Usual = SwitchModel<Out, true, true>;
  using General = SwitchModel<Out, false>;

 public:
  SwitchVisit(const State& state, Block& block, Scratch& scratch, BlockShared& shared, const Window& window)
      : state_(state),
        net_(const_cast<Net&>(state.net)),
        block_(block),
        scratch_(scratch),
        shared_(shared),
        begin_(window.begin),
        end_(window.end),
        odd_(window.odd),
        next_(&state.control->next[window.slot]) {}

  void visit(std::uint32_t node) {
    node_ = node;
    first_link_ = net_.first_link[node];
    links_ = net_.first_link[node + 1] - first_link_;
    first_port_ = net_.first_port[node];
    ports_ = net_.first_port[node + 1] - first_port_;
    block_.once([&] { shared_.clear(); });
    look_at_links();
    look_at_frames();
    count_arrivals();
    const bool calm = is_calm(), side_by_side = state_.usual != 0 && !by_state() && is_countable();
    read_arrivals(side_by_side);
    BufferVisit<Block> buffer(state_, block_, scratch_, shared_, node_, begin_, end_);
    if (side_by_side) {
      order_by_port();
      if (calm) {
        play(Play::calm);
        buffer.follow();
      } else {
        play_with_buffer(buffer);
      }
    } else {
      play_in_order();
    }
    go_on();
  }

 private:
  // What is due ------------------------------------------------------------------------------------------------------

  /// How many packets every link brings, and how many bytes.
  void look_at_links() {
    block_.each(links_, [&](std::uint32_t slot) {
      LinkView view(state_.rings[first_link_ + slot]);
      std::uint32_t count = 0, bytes = 0, data = 0;
      for (; view.at() < end_; view.head++, count++) {
        bytes += view.first().size;
        data += view.first().is_data();
      }
      scratch_.link_count[slot] = count;
      scratch_.link_bytes[slot] = bytes;
      scratch_.link_departures[slot] = scratch_.link_first[slot] = 0;
      if (count > 0) {
        scratch_.link_first[slot] = add(&shared_.arrivals, count);
        add(&shared_.data, data);
        add(&shared_.bytes, std::uint64_t{bytes});
      }
      if (view.at() < kNever) lower(&shared_.times.later, view.at());
    });
  }

  void look_at_frames() {
    block_.each(ports_, [&](std::uint32_t slot) {
      scratch_.port_count[slot] = 0;
      const Time at = FrameView(state_.frames[first_port_ + slot]).at();
      if (at < end_) store(&shared_.has_frames, std::uint32_t{1});
    });
  }

  void count_arrivals() {
    block_.once([&] {
      Switch& s = net_.switches[node_];
      s.hops += shared_.arrivals;
      s.data_hops += shared_.data;
      if (shared_.arrivals <= scratch_.arrival_room) return;
      const std::uint32_t room = 2 * shared_.arrivals;
      scratch_.arrivals = reinterpret_cast<Arrival*>(take_memory(state_, std::uint64_t{room} * sizeof(Arrival)));
      scratch_.order = reinterpret_cast<std::uint32_t*>(take_memory(state_, std::uint64_t{room} * sizeof(std::uint32_t)));
      scratch_.arrival_room = room;
    });
  }

  /// Whether the port of a packet depends on what is in queues.
  [[nodiscard]] bool by_state() const { return net_.p.choice == Choice::least || net_.p.choice == Choice::flowlet; }
  [[nodiscard]] bool is_held(std::uint32_t c) const { return (net_.classes >> c & 1) != 0 && net_.p.counted[c]; }

  /// Whether nobody is paused, and there is room for everything even if nothing leaves: as SwitchBuffer::begin.
  bool is_calm() {
    Switch& s = net_.switches[node_];
    if (s.is_shared_unknown) {
      sum_shared();
      block_.once([&] {
        s.shared_used = shared_.shared_used;
        s.is_shared_unknown = false;
      });
    }
    if (shared_.has_frames != 0 || s.pauses != s.resumes) return false;
    const std::uint64_t most = s.shared_used + shared_.bytes;
    if (most >= s.shared_size) return false;
    const std::uint64_t limit = net_.p.reserve + ((s.shared_size - most) * net_.p.alpha >> 16);
    block_.each(links_, [&](std::uint32_t slot) {
      for (std::uint32_t c = 0; c < kClasses && scratch_.link_count[slot] > 0; c++)
        if (is_held(c) && net_.ingress[net_.ingress_index(first_link_ + slot, c)].held + scratch_.link_bytes[slot] >= limit)
          store(&shared_.is_calm, std::uint32_t{0});
    });
    return shared_.is_calm != 0;
  }

  void sum_shared() {
    block_.each(links_, [&](std::uint32_t slot) {
      std::uint64_t sum = 0;
      for (std::uint32_t c = 0; c < kClasses; c++) {
        const std::uint32_t held = net_.ingress[net_.ingress_index(first_link_ + slot, c)].held;
        if (is_held(c) && held > net_.p.reserve) sum += held - net_.p.reserve;
      }
      if (sum > 0) add(&shared_.shared_used, sum);
    });
  }

  /// Whether there are numbers for all that may happen.
  [[nodiscard]] bool is_countable() const {
    return ports_ <= EventOrder::kMostSlots && links_ <= EventOrder::kMostSlots && end_ - begin_ < EventOrder::kLongest &&
           shared_.arrivals <= EventOrder::kMostPlaces && scratch_.departure_room <= EventOrder::kMostPlaces / 2;
  }

  /// Notes every packet that is due, and where it goes if that does not depend on queues.
  void read_arrivals(bool side_by_side) {
    block_.each(links_, [&](std::uint32_t slot) {
      LinkView view(state_.rings[first_link_ + slot]);
      Arrival* to = scratch_.arrivals + scratch_.link_first[slot];
      for (std::uint32_t i = 0; i < scratch_.link_count[slot]; i++, view.head++, to++) {
        const Packet& packet = view.first();
        const std::uint32_t port = by_state() ? kNone : port_of(packet);
        *to = {key_of(packet.at, slot), &packet, port, packet.size, 0, 0};
        if (side_by_side) add(&scratch_.port_count[port - first_port_], 1);
      }
    });
  }

  /// Of one that has crossed as many links as it may, any: it is thrown away there.
  [[nodiscard]] std::uint32_t port_of(const Packet& packet) const {
    if (packet.hop() + 1 >= kMostHops) return first_port_;
    if (net_.p.choice != Choice::path) return NextHopChoice(net_).drawn_port(node_, packet);
    return net_.path_port(packet.flow, packet.goes_back(), packet.hop() + 1);
  }

  // Ports side by side --------------------------------------------------------------------------------------------------

  void order_by_port() {
    block_.each(ports_, [&](std::uint32_t slot) {
      if (scratch_.port_count[slot] > kHot) store(&shared_.has_hot_port, std::uint32_t{1});
      scratch_.port_first[slot] = scratch_.port_count[slot] == 0 ? 0 : add(&shared_.ordered, scratch_.port_count[slot]);
      scratch_.port_count[slot] = 0;
    });
    if (shared_.has_hot_port != 0) return sort_for_ports();
    block_.each(shared_.arrivals, [&](std::uint32_t i) {
      const std::uint32_t slot = scratch_.arrivals[i].port - first_port_;
      scratch_.order[scratch_.port_first[slot] + add(&scratch_.port_count[slot], 1)] = i;
    });
  }

  static constexpr std::uint32_t kHot = 24;  // packets: more are not put in order by the thread of their port

  /// All arrivals in order; then each port takes its own.
  void sort_for_ports() {
    std::uint64_t* const keys = keys_for(state_, block_, scratch_, shared_, shared_.arrivals);
    block_.each(shared_.arrivals, [&](std::uint32_t i) {
      const std::uint64_t key = scratch_.arrivals[i].key;
      keys[i] = EventOrder::with_place(EventOrder::arrival(time_of(key) - begin_, slot_of(key)), i);
    });
    sort_keys(block_, keys, shared_.arrivals);
    block_.each(ports_, [&](std::uint32_t slot) {
      std::uint32_t* to = scratch_.order + scratch_.port_first[slot];
      for (std::uint32_t i = 0; i < shared_.arrivals; i++) {
        const std::uint32_t place = EventOrder::place_of(keys[i]);
        if (scratch_.arrivals[place].port == first_port_ + slot) *to++ = place;
      }
      scratch_.port_count[slot] = static_cast<std::uint32_t>(to - scratch_.order) - scratch_.port_first[slot];
    });
  }

  [[nodiscard]] PortVisit port_visit(std::uint32_t slot, Play play) {
    return {state_, scratch_, &shared_.departures, play, node_, slot, begin_, end_, odd_};
  }
  /// All ports.
  void play(Play play) {
    block_.in_steps(
        ports_, [&](std::uint32_t slot) { return port_visit(slot, play); },
        [&](PortVisit& port) { port.begin(shared_.effects); },
        [&](PortVisit& port) {
          if (play != Play::dry) port.end(shared_.times);
        });
  }

  /// First ports are played as if the buffer made nobody do anything. Then it is looked at what it makes of that: the first
  /// thing that it makes a port do changes what that port does, which is played again, and so on. In the end all is known, and
  /// is done for good.
  void play_with_buffer(BufferVisit<Block>& buffer) {
    block_.each(ports_, [&](std::uint32_t slot) { port_visit(slot, Play::dry).save(); });
    play(Play::dry);
    while (buffer.find_effect()) {
      const std::uint32_t slot = shared_.again;
      buffer.forget_departures(slot);
      block_.once([&] {
        buffer.make_room_for_departures();
        PortVisit port = port_visit(slot, Play::dry);
        port.restore();
        port.begin(shared_.effects);
        while (port.step()) {
        }
      });
    }
    block_.each(ports_, [&](std::uint32_t slot) { port_visit(slot, Play::dry).restore(); });
    play(Play::last);
  }

  // One event after the other ---------------------------------------------------------------------------------------------

  void play_in_order() {
    block_.each(shared_.arrivals, [&](std::uint32_t i) {
      const std::uint64_t key = scratch_.arrivals[i].key;
      std::uint32_t rank = 0;
      for (std::uint32_t j = 0; j < shared_.arrivals; j++) rank += scratch_.arrivals[j].key < key;
      scratch_.order[rank] = i;
    });
    block_.once([&] {
      Out out(state_, odd_, false);
      EarliestTree timers = EarliestTree::over(scratch_.timers, scratch_.timer_leaves);
      for (std::uint32_t slot = 0; slot < scratch_.timer_leaves; slot++) {
        const Time at = slot < ports_ ? state_.port_timers[first_port_ + slot] : kNever;
        timers.begin(slot, at < kNever ? key_of(at, slot) : kIdle);
      }
      timers.find_minima();
      out.timers = &timers;
      if (state_.usual != 0) {
        Usual model(net_, out);
        play(model, out, timers);
      } else {
        General model(net_, out);
        play(model, out, timers);
      }
      for (std::uint32_t port = first_port_; port < first_port_ + ports_; port++) {
        out.publish(port);
        shared_.times.later = std::min(shared_.times.later, state_.port_timers[port]);
      }
      shared_.times.later = std::min(shared_.times.later, time_of(net_.timer_queues[node_].others.first()));
      shared_.times.next = std::min(shared_.times.next, out.next);
    });
  }

  /// The port that is told first; none before the end of the window.
  [[nodiscard]] std::uint32_t first_told(Time& at) const {
    at = end_;
    std::uint32_t found = kNone;
    for (std::uint32_t port = first_port_; port < first_port_ + ports_ && shared_.has_frames != 0; port++)
      if (const Time one = FrameView(state_.frames[port]).at(); one < at) at = one, found = port;
    return found;
  }

  template<class Model>
  void play(Model& model, Out&, EarliestTree& timers) {
    TimerQueue& timer_queue = net_.timer_queues[node_];
    const auto here = model.at(node_);
    Time frame_at = end_;
    std::uint32_t told = first_told(frame_at);
    for (std::uint32_t i = 0;;) {
      const std::uint64_t other = Model::kHasOthers ? timer_queue.others.first() : kIdle;
      const std::uint64_t timer_key = std::min(timers.first(), other);
      const std::uint64_t arrival_key = i < shared_.arrivals ? scratch_.arrivals[scratch_.order[i]].key : key_of(end_, 0);
      const Time timer = time_of(timer_key), arrival = time_of(arrival_key);
      if (frame_at < end_ && frame_at <= std::min(timer, arrival)) {
        const FrameView frames(state_.frames[told]);
        const Frame one = frames.first();
        state_.frames[told].read = frames.head + 1;
        model.pause(here, told, one.traffic_class, one.xoff != 0, one.at);
        told = first_told(frame_at);
      } else if (timer <= arrival) {
        if (timer >= end_) break;
        if (timer_key == timers.first()) {
          timers.set(slot_of(timer_key), kIdle);
          state_.port_timers[first_port_ + slot_of(timer_key)] = kNever;
        }
        model.template timer<false>(here, slot_of(timer_key), timer);
      } else {
        if (i == shared_.arrivals) break;
        const Arrival& one = scratch_.arrivals[scratch_.order[i++]];
        model.template arrive<false>(here, first_link_ + slot_of(arrival_key), *one.packet, one.port, arrival);
      }
    }
  }

  // The end of a window -----------------------------------------------------------------------------------------------------

  void go_on() {
    block_.each(links_, [&](std::uint32_t slot) { state_.rings[first_link_ + slot].read += scratch_.link_count[slot]; });
    block_.each(ports_, [&](std::uint32_t slot) {
      const Time at = FrameView(state_.frames[first_port_ + slot]).at();
      if (at < kNever) lower(&shared_.times.later, at);
    });
    block_.once([&] {
      Out out(state_, odd_, false);
      out.note_next(shared_.times.next);
      out.go_on(node_, shared_.times.later);
      state_.visited[node_] = 1;
      if (out.next < kNever) lower(next_, out.next);
    });
  }

  const State& state_;
  Net& net_;
  Block& block_;
  Scratch& scratch_;
  BlockShared& shared_;
  const Time begin_, end_;
  const bool odd_;
  Time* const next_;  // of all nodes
  std::uint32_t node_ = 0, first_link_ = 0, links_ = 0, first_port_ = 0, ports_ = 0;
};

}  // namespace railyard::packet::device
