// Windows of time, one after the other, on a grid of threads: first all switches, then all hosts. The same steps as
// LookaheadScheduler's; what the processor does between them is in device_runner.cpp.
#pragma once

#include <cstdint>

#include "engine/packet/device/host_visit.h"
#include "engine/packet/device/settle.h"
#include "engine/packet/device/switch_visit.h"

namespace railyard::packet::device {

inline constexpr std::uint32_t kLookWindows = 1024;  // after so many the processor looks whether anything new arrives

/// `Grid` runs something for each of several numbers on blocks of threads, blocks(count, do(block, i)), or on threads,
/// threads(count, do(i)); in_turn(count, turn, do(block, i)) is blocks() where a block that is done takes the next. sync()
/// waits until all of that is done everywhere, and is_first() is true for one of its threads.
template<class Grid>
class Windows {
 public:
  Windows(const State& state, Grid& grid) : state_(state), control_(*state.control), grid_(grid) {}

  /// Hosts get messages, each its own in order.
  void offer() {
    const bool odd = control_.windows % 2 != 0;
    grid_.threads(control_.offer_hosts, [&](std::uint32_t i) {
      Out out(state_, odd, true);
      HostVisit host(state_, out, 0);
      for (std::uint32_t k = state_.offer_first[i]; k < state_.offer_first[i + 1]; k++)
        host.offer(state_.offers[k], control_.edge);
      lower(&control_.known, out.next);
    });
  }

  /// From control.first on, until there is a reason to stop.
  void run() {
    const Time until = control_.until;
    std::uint64_t number = control_.windows;
    Time begin = control_.first;
    for (std::uint32_t played = 1;; played++) {
      number++;
      Time end = begin + state_.span;
      if (control_.change < end) end = control_.change;
      const Window window{begin, end, static_cast<std::uint32_t>(number % 3), number % 2 != 0};
      play(window, number);
      const Time known = load(&control_.next[window.slot]);
      begin = known < end ? end : known;
      const Stop stop = reason(window, begin, until, number, played);
      if (stop == Stop::none) continue;
      if (grid_.is_first()) {
        control_.edge = end;
        control_.known = known;
        control_.windows = number;
        control_.stop = stop;
      }
      return;
    }
  }

  /// Adds up packets that have crossed links, and those that have arrived in order.
  void look() {
    grid_.threads(state_.nodes, [&](std::uint32_t node) {
      add(&control_.hops, state_.net.switches[node].hops + state_.net.hosts[node].hops);
    });
    grid_.threads(state_.flow_count, [&](std::uint32_t flow) {
      const Receiver& r = state_.net.receivers[flow];
      if (r.expected != 0 || r.early != 0) add(&control_.arrived, std::uint64_t{r.expected} + r.early);
    });
  }

  /// What samples are made of.
  void sample() {
    grid_.threads(state_.port_count, [&](std::uint32_t i) {
      state_.looks[i] = look_at_port(state_.net, state_.is_host[state_.net.ports[i].node] != 0, i, control_.edge);
    });
    grid_.threads(state_.flow_count, [&](std::uint32_t flow) {
      const Sender& s = state_.net.senders[flow];
      state_.rates[flow] = s.state == Sender::State::idle ? -1 : s.rate.rate;
    });
  }

 private:
  void play(const Window& window, std::uint64_t number) {
    if (grid_.is_first()) {  // two windows ago all have read it
      control_.next[(number + 1) % 3] = kNever;
      control_.stops[(number + 1) % 3] = 0;
      control_.turns[(number + 1) % 3] = 0;
    }
    const auto visit = [&](auto& block, Scratch& scratch, BlockShared& shared, std::uint32_t i) {
      const std::uint32_t node = state_.switches[i];
      if (!block.claim(&state_.marks[window.odd][node])) return;
      SwitchVisit(state_, block, scratch, shared, window).visit(node);
    };
    grid_.in_turn(state_.switch_count, &control_.turns[window.slot], visit);
    grid_.sync();
    if (grid_.is_first() && is_full()) control_.stops[window.slot] = 1;
    grid_.blocks(state_.switch_count, [&](auto& block, Scratch&, BlockShared&, std::uint32_t i) {
      if (block.claim(&state_.visited[state_.switches[i]])) settle(state_, block, state_.switches[i]);
    });
    grid_.threads(state_.host_count, [&](std::uint32_t i) {
      const std::uint32_t node = state_.hosts[i];
      if (state_.marks[window.odd][node] == 0) return;
      state_.marks[window.odd][node] = 0;
      Out out(state_, window.odd, true);
      HostVisit host(state_, out, window.end);
      host.visit(node);
      if (out.next < kNever) lower(&control_.next[window.slot], out.next);
    });
    grid_.sync();
  }

  [[nodiscard]] bool is_full() const {
    return control_.pauses > state_.pause_room / 2 || control_.delivered > state_.event_room / 2 ||
           control_.acknowledged > state_.event_room / 2 || state_.arena->used > state_.arena->size / 2;
  }

  /// All threads find the same: nothing that is looked at changes before all are here.
  [[nodiscard]] Stop reason(const Window& window, Time next, Time until, std::uint64_t number, std::uint32_t played) const {
    if (control_.stop_at_delivery != 0 && load(&control_.delivered) != 0) return Stop::delivered;
    if (next >= until) return Stop::done;
    if (window.end >= control_.sample) return Stop::sample;
    if (number % kLookWindows == 0 || played >= control_.most_windows) return Stop::look;
    return load(&control_.stops[window.slot]) != 0 ? Stop::full : Stop::none;
  }

  const State& state_;
  Control& control_;
  Grid& grid_;
};

}  // namespace railyard::packet::device
