// What happens at one port of a switch in a window, event by event: what is at the other ports does not matter, apart from what
// the buffer makes this one do.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/device/block_shared.h"
#include "engine/packet/device/event_order.h"
#include "engine/packet/device/host_visit.h"
#include "engine/packet/device/out.h"
#include "engine/packet/switch_model.h"

namespace railyard::packet::device {

/// Packets of a window that leave by one port, as indices of Scratch::arrivals.
struct PortArrivals {
  std::uint32_t* order;
  std::uint32_t count;

  /// They come by several links: puts them in order.
  void sort(const Arrival* arrivals) const {
    for (std::uint32_t i = 1; i < count; i++) {
      const std::uint32_t one = order[i];
      std::uint32_t at = i;
      for (; at > 0 && arrivals[order[at - 1]].key > arrivals[one].key; at--) order[at] = order[at - 1];
      order[at] = one;
    }
  }
};

/// A port of the switch at `node`, from `begin` up to `end`. Pauses before timers before arrivals, by time; what the buffer
/// causes, right after its cause.
class PortVisit {
  using Model = SwitchModel<Out, true, true>;

 public:
  PortVisit(const State& state, Scratch& scratch, std::uint32_t* departures, Play play, std::uint32_t node, std::uint32_t slot,
            Time begin, Time end, bool odd)
      : state_(state),
        net_(const_cast<Net&>(state.net)),
        scratch_(scratch),
        out_(state, odd, false, play),
        model_(net_, out_),
        play_(play),
        node_(node),
        slot_(slot),
        index_(net_.first_port[node] + slot),
        first_link_(net_.first_link[node]),
        begin_(begin),
        end_(end),
        arrivals_{scratch.order + scratch.port_first[slot], scratch.port_count[slot]},
        frames_(state.frames[index_]),
        timer_(state.port_timers[index_]) {
    out_.scratch = &scratch;
    out_.departures = departures;
    out_.first_link = first_link_;
    out_.own_slot = slot;
  }

  // Its parts know each other's addresses. (What may be copied is, on its way out of a function on a GPU.)
  PortVisit(const PortVisit&) = delete;
  PortVisit& operator=(const PortVisit&) = delete;

  /// As it was when the window began.
  void save() const {
    SavedPort& saved = scratch_.saved[slot_];
    saved.port = net_.ports[index_];
    saved.timer = timer_;
    for (std::uint32_t c = 0; c < kClasses; c++) {
      saved.pause_counters[c] = net_.pause_counters[std::size_t{index_} * kClasses + c];
      net_.pools[std::size_t{index_} * kClasses + c].free = Out::length(saved.port.queue[c]);
    }
  }
  void restore() const {
    const SavedPort& saved = scratch_.saved[slot_];
    net_.ports[index_] = saved.port;
    timer_ = saved.timer;
    for (std::uint32_t c = 0; c < kClasses; c++) {
      net_.pause_counters[std::size_t{index_} * kClasses + c] = saved.pause_counters[c];
      net_.pools[std::size_t{index_} * kClasses + c].free = Out::length(saved.port.queue[c]);
    }
  }

  /// REQUIRES: of a port that is played for the first time in this window, nothing is in order yet.
  void begin(std::uint32_t effects) {
    if (play_ == Play::calm || play_ == Play::dry) arrivals_.sort(scratch_.arrivals);
    effects_ = effects;
    find_effect();
    look_ahead();
  }

  /// One event. Returns whether there was one.
  [[gnu::always_inline]] bool step() {
    const std::uint64_t arrival_key = next_key_;
    const Time arrival = time_of(arrival_key), now = std::min(timer_, arrival);
    const bool is_timer = timer_ <= arrival;
    const std::uint64_t order = now >= end_ ? kIdle
                                : is_timer  ? EventOrder::departure(now - begin_, slot_)
                                            : EventOrder::arrival(now - begin_, slot_of(arrival_key));
    const std::uint64_t cause = effect_ == nullptr ? kIdle : effect_->cause;
    const Time caused_at = effect_ == nullptr ? end_ : begin_ + EventOrder::since_of(cause);
    if (const Time told = frames_.at(); told < end_ && told <= std::min(now, caused_at)) {
      const Frame one = frames_.first();
      frames_.head++;
      model_.pause(here(), index_, one.traffic_class, one.xoff != 0, one.at);
      return true;
    }
    if (cause < order) {
      const Pause pause = effect_->pause;
      find_effect();
      model_.tell(pause, caused_at);
      return true;
    }
    if (now >= end_) return false;
    if (cause == order) {  // by something at this very port
      out_.due = &effect_->pause;
      find_effect();
    }
    if (is_timer) {
      timer_ = kNever;
      model_.template timer<true>(here(), slot_, now);
    } else {
      Arrival& one = *next_;
      const Packet packet = next_packet_;
      out_.is_held = false;
      out_.refusal = one.refusal;
      look_ahead();
      model_.template arrive<true>(here(), first_link_ + slot_of(arrival_key), packet, index_, now);
      one.is_held = out_.is_held;
    }
    return true;
  }

  /// It has happened for good: others see what was sent.
  void end(BlockTimes& times) {
    state_.frames[index_].read = frames_.head;
    out_.publish(index_);
    const Time later = std::min(timer_, frames_.at());
    if (later < kNever) lower(&times.later, later);
    if (out_.next < kNever) lower(&times.next, out_.next);
  }

 private:
  [[nodiscard]] Model::Here here() const { return model_.at(node_); }

  /// The next arrival is fetched while the one before is played.
  void look_ahead() {
    next_key_ = key_of(end_, 0);
    if (i_ == arrivals_.count) return;
    next_ = &scratch_.arrivals[arrivals_.order[i_++]];
    next_key_ = next_->key;
    next_packet_ = *next_->packet;
  }

  void find_effect() {
    effect_ = nullptr;
    for (; next_effect_ < effects_ && effect_ == nullptr; next_effect_++)
      if (scratch_.effects[next_effect_].slot == slot_) effect_ = &scratch_.effects[next_effect_];
  }

  const State& state_;
  Net& net_;
  Scratch& scratch_;
  Out out_;
  Model model_;
  const Play play_;
  const std::uint32_t node_, slot_, index_, first_link_;
  const Time begin_, end_;
  const PortArrivals arrivals_;
  FrameView frames_;
  Time& timer_;
  std::uint32_t i_ = 0;  // arrivals that were fetched
  Arrival* next_ = nullptr;
  std::uint64_t next_key_ = 0;
  Packet next_packet_;
  std::uint32_t effects_ = 0, next_effect_ = 0;
  const Effect* effect_ = nullptr;  // what comes next of those of this port
};

}  // namespace railyard::packet::device
