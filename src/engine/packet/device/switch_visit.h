// Everything that happens at a switch in one window, played by a block of threads of a GPU: what is due, and who plays it. Most
// often each thread plays a port of its own, and its buffer is looked at afterwards (buffer_run.h). Where ports depend on
// each other in other ways, one thread plays all events in order (in_order.h).
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
#include "engine/packet/device/in_order.h"
#include "engine/packet/device/line_run.h"
#include "engine/packet/device/out.h"
#include "engine/packet/device/port_run.h"

namespace railyard::packet::device {

/// `Block` runs something for each of several numbers, on all of its threads, and waits until all is done: each(count, do), or
/// each_apart(count, do) where what they do differs;
/// by one thread: once(do); or, for each, one event after the other, so that threads stay side by side: in_steps(count, make),
/// where what make(i) returns has begin(), step() and end().
template<class Block>
class SwitchVisit {
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
  static constexpr std::uint32_t kCrowd = 1U << 10;  // at one port: each looks at all others to find its place

  void play_side_by_side() {
    read_arrivals();
    const bool calm = is_calm();
    if (counts_.is_crowded != 0) return play_in_order();
    order_by_port();
    BufferRun<Block> buffer(state_, block_, scratch_, shared_, rows_, node_, begin_, end_);
    if (calm) {
      play_calmly();
      buffer.follow();
    } else if (!play_with_buffer(buffer)) {
      return play_in_order();
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

  /// Whether nobody is paused, and there is room for everything even if nothing leaves: as SwitchBuffer::begin. Notes if most
  /// of very many go to one port, which one thread would play by itself anyway.
  bool is_calm() {
    const Switch& s = net_.switches[node_];
    const std::uint64_t most = s.shared_used + counts_.bytes;
    const bool may_be = counts_.has_frames == 0 && s.pauses == s.resumes && most < s.shared_size && net_.p.queue_limit == 0;
    const std::uint64_t limit = may_be ? net_.p.reserve + ((s.shared_size - most) * net_.p.alpha >> 16) : 0;
    block_.each(std::max(links_, ports_), [&](std::uint32_t slot) {
      if (slot < ports_) {
        const std::uint32_t count = rows_.port_count[slot];
        if (count > kCrowd && 2 * count > counts_.arrivals) store(&counts_.is_crowded, std::uint32_t{1});
        rows_.port_first[slot] = count == 0 ? 0 : add(&counts_.ordered, count);
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
    block_.each_apart(ports_, [&](std::uint32_t slot) {
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
  /// port does, which is played again, and so on. In the end all is known, and is done for good. Returns false, and has done
  /// nothing, where that takes longer than one event after the other would: where most is dropped.
  bool play_with_buffer(BufferRun<Block>& buffer) {
    constexpr std::uint32_t kSort = 16;  // events that could be played while all are put in order
    buffer.keep();
    play(Play::dry);
    const std::uint32_t most = 2 * (counts_.arrivals + counts_.departures);
    std::uint32_t played_again = 0;
    while (buffer.find_effect()) {
      const std::uint32_t slot = shared_.again;
      played_again += rows_.port_count[slot] + kSort;
      if (played_again > most) {
        buffer.restore();
        return false;
      }
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
    return true;
  }

  // One event after the other ---------------------------------------------------------------------------------------------

  void note_arrivals() {
    block_.once([&] { counts_.data = 0; });
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
    InOrder<Block>(state_, block_, scratch_, shared_, rows_, port_at(0)).play();
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
