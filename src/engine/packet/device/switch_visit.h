// Everything that happens at a switch in one window, played by a block of threads of a GPU: what is due, and who plays it. Most
// often each thread plays a port of its own, and its buffer is looked at afterwards (buffer_run.h). Where ports depend on
// each other in other ways, one thread plays all events in order, as Worker::play does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "engine/packet/device/block_shared.h"
#include "engine/packet/device/buffer_run.h"
#include "engine/packet/device/due.h"
#include "engine/packet/device/event_order.h"
#include "engine/packet/device/host_visit.h"
#include "engine/packet/device/line_run.h"
#include "engine/packet/device/out.h"
#include "engine/packet/device/port_run.h"
#include "engine/packet/switch_model.h"

namespace railyard::packet::device {

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
        counts_(shared.counts),
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
    const std::uint32_t length = std::max(links_, ports_);
    rows_ = length <= BlockShared::kPorts ? SwitchRows::over(shared_.some_rows, BlockShared::kPorts)
                                          : SwitchRows::over(scratch_.rows, length);
    clear();
    look_at_links();
    count_arrivals();
    if (is_side_by_side())
      play_side_by_side();
    else
      play_in_order();
    go_on();
  }

 private:
  void clear() {
    constexpr std::uint32_t kWords = sizeof(BlockShared::Counts) / sizeof(std::uint32_t);
    static_assert(kWords * sizeof(std::uint32_t) == sizeof(BlockShared::Counts));
    block_.each(kWords, [&](std::uint32_t i) {
      reinterpret_cast<std::uint32_t*>(&shared_.counts)[i] = 0;
      if (i == 0) shared_.times.next.clear(), shared_.times.later.clear();
    });
  }

  /// How many packets every link brings; pause frames; and, where it was not followed, what the buffer has shared.
  void look_at_links() {
    const bool is_unknown = net_.switches[node_].is_shared_unknown;
    block_.each(std::max(links_, ports_), [&](std::uint32_t slot) {
      if (slot < ports_) {
        rows_.port_count[slot] = rows_.mixed[slot] = 0;
        if (FrameView(state_.frames[first_port_ + slot]).at() < end_) store(&counts_.has_frames, std::uint32_t{1});
      }
      if (slot >= links_) return;
      const LinkView view(state_.rings[first_link_ + slot]);
      Time later = kNever;
      const std::uint32_t count = count_due(view, end_, later);
      rows_.link_count[slot] = count;
      rows_.link_first[slot] = count == 0 ? 0 : add(&counts_.arrivals, count);
      shared_.times.later.note(later, begin_);
      for (std::uint32_t c = 0; c < kClasses; c++)
        rows_.arrived[c * rows_.length + slot] = rows_.departed[c * rows_.length + slot] = 0;
      if (is_unknown) sum_shared(slot);
    });
  }

  void sum_shared(std::uint32_t slot) {
    std::uint64_t sum = 0;
    for (std::uint32_t c = 0; c < kClasses; c++) {
      if (!is_held(c)) continue;
      const std::uint32_t held = net_.ingress[net_.ingress_index(first_link_ + slot, c)].held;
      if (held > net_.p.reserve) sum += held - net_.p.reserve;
    }
    if (sum == 0) return;
    add(&counts_.shared_low, static_cast<std::uint32_t>(sum & 0xFFFF));
    add(&counts_.shared_high, static_cast<std::uint32_t>(sum >> 16));
  }
  [[nodiscard]] bool is_held(std::uint32_t c) const { return (net_.classes >> c & 1) != 0 && net_.p.counted[c]; }

  void count_arrivals() {
    block_.once([&] {
      Switch& s = net_.switches[node_];
      s.hops += counts_.arrivals;
      if (s.is_shared_unknown) {
        s.shared_used = (std::uint64_t{counts_.shared_high} << 16) + counts_.shared_low;
        s.is_shared_unknown = false;
      }
      if (counts_.arrivals <= scratch_.arrival_room) return;
      const std::uint32_t room = 2 * counts_.arrivals;
      const auto take = [&](auto*& to) {
        using T = std::remove_reference_t<decltype(*to)>;
        to = reinterpret_cast<T*>(take_memory(state_, std::uint64_t{room} * sizeof(T)));
      };
      take(scratch_.packets);
      take(scratch_.notes);
      take(scratch_.ports);
      take(scratch_.arrivals);
      take(scratch_.order);
      scratch_.arrival_room = room;
    });
  }

  /// Runs do(slot, j, packet) for the j-th packet that is due by a link.
  template<class Do>
  void each_arrival(const Do& act) {
    constexpr std::uint32_t kLanes = 8;  // of a link
    block_.each(links_ * kLanes, [&](std::uint32_t i) {
      const std::uint32_t slot = i / kLanes, count = rows_.link_count[slot];
      if (i % kLanes >= count) return;
      const LinkView view(state_.rings[first_link_ + slot]);
      for (std::uint32_t j = i % kLanes; j < count; j += kLanes) act(slot, j, view.slots[(view.head + j) & view.mask]);
    });
  }

  /// Of one that has crossed as many links as it may, any: it is thrown away there.
  [[nodiscard]] std::uint32_t port_of(const Packet& packet) const {
    if (packet.hop() + 1 >= kMostHops) return first_port_;
    if (net_.p.choice != Choice::path) return NextHopChoice(net_).drawn_port(node_, packet);
    return net_.path_port(packet.flow, packet.goes_back(), packet.hop() + 1);
  }

  /// Whether ports do not look at each other, and there are numbers for all that may happen.
  [[nodiscard]] bool is_side_by_side() const {
    return state_.usual != 0 && net_.p.trim_size == 0 && net_.p.choice != Choice::least && net_.p.choice != Choice::flowlet &&
           ports_ <= EventOrder::kMostSlots && links_ <= EventOrder::kMostSlots && end_ - begin_ < EventOrder::kLongest &&
           (end_ - begin_) * ports_ <= kLongestOfPorts && counts_.arrivals <= kMostArrivals &&
           scratch_.departure_room <= EventOrder::kMostPlaces / 2;
  }

  // Bytes of a window fit a word.
  static constexpr Time kLongestOfPorts = Time{1} << 34;
  static constexpr std::uint32_t kMostArrivals = 1U << 16;

  void play_side_by_side() {
    read_arrivals();
    const bool calm = is_calm();
    order_by_port();
    BufferRun<Block> buffer(state_, block_, scratch_, shared_, rows_, node_, begin_, end_);
    if (calm) {
      play_calmly();
      buffer.follow();
    } else {
      play_with_buffer(buffer);
    }
    Switch& s = net_.switches[node_];
    block_.each(kWaits, [&](std::uint32_t i) {
      s.waits[i] += counts_.waits[i];
      if (i < std::size(s.depth)) s.depth[i] += counts_.depth[i];
      if (i < kClasses) s.marked[i] += counts_.marked[i];
      if (i == 0) s.data_hops += counts_.data;
    });
  }

  /// Where every packet goes, and what it brings to the buffer.
  void read_arrivals() {
    each_arrival([&](std::uint32_t slot, std::uint32_t j, const Packet& packet) {
      const std::uint32_t port = port_of(packet) - first_port_, size = packet.size, c = packet.traffic_class();
      scratch_.ports[rows_.link_first[slot] + j] = port;
      add(&rows_.port_count[port], 1);
      add(&counts_.bytes, size);
      if (packet.is_data()) add(&counts_.data, 1);
      const bool is_expired = packet.hop() + 1 >= kMostHops;
      if (c != kDataClass || is_expired) store(&rows_.mixed[port], std::uint32_t{1});
      if (is_expired || !net_.p.counted[c]) return;
      add(&rows_.arrived[c * rows_.length + slot], size);
      add(&counts_.arrived_bytes, size);
    });
  }

  /// Whether nobody is paused, and there is room for everything even if nothing leaves: as SwitchBuffer::begin.
  bool is_calm() {
    const Switch& s = net_.switches[node_];
    const std::uint64_t most = s.shared_used + counts_.bytes;
    const bool may_be = counts_.has_frames == 0 && s.pauses == s.resumes && most < s.shared_size && net_.p.queue_limit == 0;
    const std::uint64_t limit = may_be ? net_.p.reserve + ((s.shared_size - most) * net_.p.alpha >> 16) : 0;
    block_.each(std::max(links_, ports_), [&](std::uint32_t slot) {
      if (slot < ports_) {
        rows_.port_first[slot] = rows_.port_count[slot] == 0 ? 0 : add(&counts_.ordered, rows_.port_count[slot]);
        rows_.port_count[slot] = 0;
      }
      if (!may_be || slot >= links_ || rows_.link_count[slot] == 0) return;
      std::uint64_t bytes = 0;
      for (std::uint32_t c = 0; c < kClasses; c++) bytes += rows_.arrived[c * rows_.length + slot];
      for (std::uint32_t c = 0; c < kClasses; c++)
        if (is_held(c) && net_.ingress[net_.ingress_index(first_link_ + slot, c)].held + bytes >= limit)
          store(&counts_.is_stormy, std::uint32_t{1});
    });
    return may_be && counts_.is_stormy == 0;
  }

  /// Each port's packets, one after the other, by time.
  void order_by_port() {
    const Keys keys = keys_for(state_, block_, scratch_, shared_, counts_.arrivals);
    const auto key_of_arrival = [&](std::uint32_t slot, std::uint32_t j, const Packet& packet) {
      return EventOrder::with_place(EventOrder::arrival(packet.at - begin_, slot), j);
    };
    each_arrival([&](std::uint32_t slot, std::uint32_t j, const Packet& packet) {
      const std::uint32_t port = scratch_.ports[rows_.link_first[slot] + j];
      keys.keys[rows_.port_first[port] + add(&rows_.port_count[port], 1)] = key_of_arrival(slot, j, packet);
    });
    each_arrival([&](std::uint32_t slot, std::uint32_t j, const Packet& packet) {
      const std::uint32_t port = scratch_.ports[rows_.link_first[slot] + j];
      const std::uint64_t* const others = keys.keys + rows_.port_first[port];
      const std::uint32_t count = rows_.port_count[port];
      const std::uint64_t key = key_of_arrival(slot, j, packet);
      std::uint32_t place = rows_.port_first[port];
      for (std::uint32_t i = 0; i < count; i++) place += others[i] < key ? 1 : 0;
      Packet own = packet;
      own.in = first_link_ + slot;
      scratch_.packets[place] = own;
      scratch_.notes[place] = 0;
    });
  }

  [[nodiscard]] PortAt port_at(std::uint32_t slot) const { return {node_, slot, begin_, end_, odd_}; }
  template<bool kCalm>
  [[gnu::always_inline]] PortRun<kCalm> port_run(std::uint32_t slot, Play play) {
    return {state_, scratch_, shared_, rows_, play, port_at(slot)};
  }

  /// Most ports in few steps, then the others.
  void play_calmly() {
    block_.each(ports_, [&](std::uint32_t slot) {
      LineRun line(state_, scratch_, shared_, rows_, port_at(slot));
      if (!line.play()) rows_.others[add(&counts_.others, 1)] = slot;
    });
    if (counts_.others == 0) return;
    block_.in_steps(
        counts_.others, [&](std::uint32_t i) { return port_run<true>(rows_.others[i], Play::calm); },
        [&](PortRun<true>& port) { port.begin(0); }, [&](PortRun<true>& port) { port.end(); });
  }

  /// All ports.
  void play(Play play) {
    block_.in_steps(
        ports_, [&](std::uint32_t slot) { return port_run<false>(slot, play); },
        [&](PortRun<false>& port) { port.begin(counts_.effects); }, [&](PortRun<false>& port) { port.end(); });
  }

  /// First ports are played as if the buffer made nobody do anything. The first thing that it makes a port do changes what that
  /// port does, which is played again, and so on. In the end all is known, and is done for good.
  void play_with_buffer(BufferRun<Block>& buffer) {
    play(Play::dry);
    while (buffer.find_effect()) {
      const std::uint32_t slot = shared_.again;
      buffer.forget_departures(slot);
      block_.once([&] {
        buffer.make_room_for_departures();
        PortRun<false> port = port_run<false>(slot, Play::dry);
        port.begin(counts_.effects);
        while (port.step()) {
        }
      });
    }
    play(Play::last);
  }

  // One event after the other ---------------------------------------------------------------------------------------------

  void note_arrivals() {
    const bool by_state = net_.p.choice == Choice::least || net_.p.choice == Choice::flowlet;
    each_arrival([&](std::uint32_t slot, std::uint32_t j, const Packet& packet) {
      const std::uint32_t port = by_state ? kNone : port_of(packet);
      scratch_.arrivals[rows_.link_first[slot] + j] = {key_of(packet.at, slot), &packet, port};
      if (packet.is_data()) add(&counts_.data, 1);
    });
    block_.once([&] { net_.switches[node_].data_hops += counts_.data; });
  }

  void play_in_order() {
    note_arrivals();
    block_.each(counts_.arrivals, [&](std::uint32_t i) {
      const std::uint64_t key = scratch_.arrivals[i].key;
      std::uint32_t rank = 0;
      for (std::uint32_t j = 0; j < counts_.arrivals; j++) rank += scratch_.arrivals[j].key < key;
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
        shared_.times.later.note(state_.port_timers[port], begin_);
      }
      shared_.times.later.note(time_of(net_.timer_queues[node_].others.first()), begin_);
      shared_.times.next.note(out.next, begin_);
    });
  }

  /// The port that is told first; none before the end of the window.
  [[nodiscard]] std::uint32_t first_told(Time& at) const {
    at = end_;
    std::uint32_t found = kNone;
    for (std::uint32_t port = first_port_; port < first_port_ + ports_ && counts_.has_frames != 0; port++)
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
      const std::uint64_t arrival_key = i < counts_.arrivals ? scratch_.arrivals[scratch_.order[i]].key : key_of(end_, 0);
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
        if (i == counts_.arrivals) break;
        const Arrival& one = scratch_.arrivals[scratch_.order[i++]];
        model.template arrive<false>(here, first_link_ + slot_of(arrival_key), *one.packet, one.port, arrival);
      }
    }
  }

  void go_on() {
    block_.each(std::max(links_, ports_), [&](std::uint32_t slot) {
      if (slot < links_) state_.rings[first_link_ + slot].read += rows_.link_count[slot];
      if (slot >= ports_) return;
      const Time at = FrameView(state_.frames[first_port_ + slot]).at();
      shared_.times.later.note(at, begin_);
    });
    block_.once([&] {
      Out out(state_, odd_, false);
      out.note_next(shared_.times.next.value(begin_));
      out.go_on(node_, shared_.times.later.value(begin_));
      state_.visited[node_] = 1;
      if (out.next < kNever) lower(next_, out.next);
    });
  }

  const State& state_;
  Net& net_;
  Block& block_;
  Scratch& scratch_;
  BlockShared& shared_;
  BlockShared::Counts& counts_;
  SwitchRows rows_ = {};
  const Time begin_, end_;
  const bool odd_;
  Time* const next_;  // of all nodes
  std::uint32_t node_ = 0, first_link_ = 0, links_ = 0, first_port_ = 0, ports_ = 0;
};

}  // namespace railyard::packet::device
