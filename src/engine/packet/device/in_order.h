// What happens at a switch in a window, one event after the other by one thread of a block, as Worker::play does: where ports
// look at each other, and where most packets are dropped.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/device/block_shared.h"
#include "engine/packet/device/out.h"
#include "engine/packet/device/port_at.h"
#include "engine/packet/switch_model.h"

namespace railyard::packet::device {

/// Of the switch at at.node. REQUIRES: its arrivals are noted, link by link.
template<class Block>
class InOrder {
  using Usual = SwitchModel<Out, true, true>;
  using General = SwitchModel<Out, false>;

 public:
  InOrder(const State& state, Block& block, Scratch& scratch, BlockShared& shared, const SwitchRows& rows, const PortAt& at)
      : state_(state),
        net_(const_cast<Net&>(state.net)),
        block_(block),
        scratch_(scratch),
        shared_(shared),
        arrivals_(shared.counts.arrivals),
        rows_(rows),
        at_(at),
        first_link_(net_.first_link[at.node]),
        links_(net_.first_link[at.node + 1] - first_link_),
        first_port_(net_.first_port[at.node]),
        ports_(net_.first_port[at.node + 1] - first_port_) {}

  void play() {
    block_.each(arrivals_, [&](std::uint32_t i) { scratch_.order[rank_of(scratch_.arrivals[i].key)] = i; });
    block_.once([&] { play_alone(); });
  }

 private:
  /// How many come before: the packets of a link come in order.
  [[nodiscard]] std::uint32_t rank_of(std::uint64_t key) const {
    std::uint32_t rank = 0;
    for (std::uint32_t slot = 0; slot < links_; slot++) {
      if (rows_.link_count[slot] == 0) continue;
      const Arrival* const first = scratch_.arrivals + rows_.link_first[slot];
      const auto is_before = [](const Arrival& one, std::uint64_t than) { return one.key < than; };
      rank += static_cast<std::uint32_t>(std::lower_bound(first, first + rows_.link_count[slot], key, is_before) - first);
    }
    return rank;
  }

  void play_alone() {
    Out out(state_, at_.odd, false);
    EarliestTree timers = EarliestTree::over(scratch_.timers, scratch_.timer_leaves);
    for (std::uint32_t slot = 0; slot < scratch_.timer_leaves; slot++) {
      const Time at = slot < ports_ ? state_.port_timers[first_port_ + slot] : kNever;
      timers.begin(slot, at < kNever ? key_of(at, slot) : kIdle);
    }
    timers.find_minima();
    out.timers = &timers;
    if (state_.usual != 0) {
      Usual model(net_, out);
      play(model, timers);
    } else {
      General model(net_, out);
      play(model, timers);
    }
    for (std::uint32_t port = first_port_; port < first_port_ + ports_; port++) {
      out.publish(port);
      shared_.times.later.note(state_.port_timers[port], at_.begin);
    }
    shared_.times.later.note(time_of(net_.timer_queues[at_.node].others.first()), at_.begin);
    shared_.times.next.note(out.next, at_.begin);
  }

  /// The port that is told first; none before the end of the window.
  [[nodiscard]] std::uint32_t first_told(Time& at) const {
    at = at_.end;
    std::uint32_t found = kNone;
    for (std::uint32_t port = first_port_; port < first_port_ + ports_ && shared_.counts.has_frames != 0; port++)
      if (const Time one = FrameView(state_.frames[port]).at(); one < at) at = one, found = port;
    return found;
  }

  template<class Model>
  void play(Model& model, EarliestTree& timers) {
    TimerQueue& timer_queue = net_.timer_queues[at_.node];
    const auto here = model.at(at_.node);
    Time frame_at = at_.end;
    std::uint32_t told = first_told(frame_at);
    for (std::uint32_t i = 0;;) {
      const std::uint64_t other = Model::kHasOthers ? timer_queue.others.first() : kIdle;
      const std::uint64_t timer_key = std::min(timers.first(), other);
      const std::uint64_t arrival_key = i < arrivals_ ? scratch_.arrivals[scratch_.order[i]].key : key_of(at_.end, 0);
      const Time timer = time_of(timer_key), arrival = time_of(arrival_key);
      if (frame_at < at_.end && frame_at <= std::min(timer, arrival)) {
        const FrameView frames(state_.frames[told]);
        const Frame one = frames.first();
        state_.frames[told].read = frames.head + 1;
        model.pause(here, told, one.traffic_class, one.xoff != 0, one.at);
        told = first_told(frame_at);
      } else if (timer <= arrival) {
        if (timer >= at_.end) break;
        if (timer_key == timers.first()) {
          timers.set(slot_of(timer_key), kIdle);
          state_.port_timers[first_port_ + slot_of(timer_key)] = kNever;
        }
        model.template timer<false>(here, slot_of(timer_key), timer);
      } else {
        if (i == arrivals_) break;
        const Arrival& one = scratch_.arrivals[scratch_.order[i++]];
        model.template arrive<false>(here, first_link_ + slot_of(arrival_key), *one.packet, one.port, arrival);
      }
    }
  }

  const State& state_;
  Net& net_;
  Block& block_;
  Scratch& scratch_;
  BlockShared& shared_;
  const std::uint32_t arrivals_;
  const SwitchRows& rows_;
  const PortAt at_;
  const std::uint32_t first_link_, links_, first_port_, ports_;
};

}  // namespace railyard::packet::device
