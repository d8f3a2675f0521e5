// What the buffer of a switch makes of a window whose ports were played side by side: how much it held, and, where it was not
// calm, whom it paused and what it dropped.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/device/block_shared.h"
#include "engine/packet/device/event_order.h"
#include "engine/packet/device/out.h"
#include "engine/packet/switch_model.h"

namespace railyard::packet::device {

/// Whether the block has room for so many keys of its own.
inline bool holds(std::uint32_t keys) { return std::bit_ceil(std::max(1U, keys)) <= BlockShared::kKeys; }

/// Room for keys, to be sorted.
template<class Block>
std::uint64_t* keys_for(const State& state, Block& block, Scratch& scratch, BlockShared& shared, std::uint32_t count) {
  if (holds(count)) return shared.some_keys;
  block.once([&] {
    const std::uint32_t most = std::bit_ceil(count);
    if (most <= scratch.key_room) return;
    scratch.keys = reinterpret_cast<std::uint64_t*>(take_memory(state, std::uint64_t{most} * sizeof(std::uint64_t)));
    scratch.key_room = most;
  });
  return scratch.keys;
}

/// Of the switch at `node`, by the block of threads that plays it.
template<class Block>
class BufferVisit {
 public:
  BufferVisit(const State& state, Block& block, Scratch& scratch, BlockShared& shared, std::uint32_t node, Time begin, Time end)
      : state_(state),
        net_(const_cast<Net&>(state.net)),
        block_(block),
        scratch_(scratch),
        shared_(shared),
        node_(node),
        first_link_(net_.first_link[node]),
        links_(net_.first_link[node + 1] - first_link_),
        begin_(begin),
        end_(end) {}

  // A calm window ---------------------------------------------------------------------------------------------------------

  /// Links held what they held: every link by itself, its packets by time. Then all of them together.
  void follow() {
    const std::uint32_t departures = shared_.departures;
    block_.each(departures, [&](std::uint32_t i) { add(&scratch_.link_departures[scratch_.departures[i].slot], 1); });
    block_.each(links_, [&](std::uint32_t slot) {
      const std::uint32_t count = scratch_.link_departures[slot];
      scratch_.departure_first[slot] = count == 0 ? 0 : add(&shared_.ordered_departures, count);
      scratch_.link_departures[slot] = 0;
    });
    block_.each(departures, [&](std::uint32_t i) {
      const std::uint32_t slot = scratch_.departures[i].slot;
      scratch_.departure_order[scratch_.departure_first[slot] + add(&scratch_.link_departures[slot], 1)] = i;
    });
    block_.each(links_, [&](std::uint32_t slot) { follow_link(slot); });
    follow_all();
  }

  // A window that is not ------------------------------------------------------------------------------------------------

  /// Goes on to the first thing that the buffer makes a port do. Returns whether there is one: a port is to be played `again`.
  bool find_effect() {
    put_in_order();
    block_.once([&] {
      shared_.again = kNone;
      go_through();
    });
    return shared_.again != kNone;
  }

  /// A port is about to be played again.
  void forget_departures(std::uint32_t slot) {
    block_.each(shared_.departures, [&](std::uint32_t i) {
      if (scratch_.departures[i].port == slot) scratch_.departures[i].size = 0;
    });
  }

  /// Of one port, once more. REQUIRES: one thread.
  void make_room_for_departures() {
    if (shared_.departures + scratch_.most_of_port <= scratch_.departure_room) return;
    const std::uint32_t room = 2 * (shared_.departures + scratch_.most_of_port);
    auto* const larger = reinterpret_cast<Departure*>(take_memory(state_, std::uint64_t{room} * sizeof(Departure)));
    for (std::uint32_t i = 0; i < shared_.departures; i++) larger[i] = scratch_.departures[i];
    scratch_.departures = larger;
    scratch_.departure_order =
        reinterpret_cast<std::uint32_t*>(take_memory(state_, std::uint64_t{room} * sizeof(std::uint32_t)));
    scratch_.departure_room = room;
  }

 private:
  void follow_link(std::uint32_t slot) {
    const std::uint32_t count = scratch_.link_departures[slot];
    std::uint32_t* const order = scratch_.departure_order + scratch_.departure_first[slot];
    const Departure* const departures = scratch_.departures;
    for (std::uint32_t i = 1; i < count; i++) {
      const std::uint32_t one = order[i];
      std::uint32_t at = i;
      for (; at > 0 && departures[order[at - 1]].at > departures[one].at; at--) order[at] = order[at - 1];
      order[at] = one;
    }
    std::uint32_t left = 0;
    std::uint64_t arrived = 0, departed = 0;
    const auto leave_until = [&](Time at) {
      for (; left < count && departures[order[left]].at <= at; left++) {
        const Departure& one = departures[order[left]];
        ingress(slot, one.traffic_class).held -= one.size;
        departed += one.size;
        add(&shared_.out[bin_of(one.at)], one.size);
      }
    };
    for (std::uint32_t i = 0; i < scratch_.link_count[slot]; i++) {
      const Arrival& one = scratch_.arrivals[scratch_.link_first[slot] + i];
      if (one.is_held == 0) continue;
      leave_until(time_of(one.key));
      Ingress& in = ingress(slot, one.packet->traffic_class());
      in.held += one.size;
      in.held_most = std::max(in.held_most, in.held);
      arrived += one.size;
      add(&shared_.in[bin_of(time_of(one.key))], one.size);
    }
    leave_until(kNever);
    if (arrived > 0) add(&shared_.arrived_bytes, arrived);
    if (departed > 0) add(&shared_.departed_bytes, departed);
  }

  [[nodiscard]] Ingress& ingress(std::uint32_t slot, std::uint32_t c) const {
    return net_.ingress[net_.ingress_index(first_link_ + slot, c)];
  }
  [[nodiscard]] std::uint32_t bin_of(Time at) const {
    return static_cast<std::uint32_t>((at - begin_) * BlockShared::kBins / (end_ - begin_));
  }

  // All events of the buffer, in order --------------------------------------------------------------------------------------

  void put_in_order() {
    block_.once([&] { shared_.keys = 0; });
    std::uint64_t* const all = keys_for(state_, block_, scratch_, shared_, shared_.arrivals + shared_.departures);
    block_.each(shared_.arrivals, [&](std::uint32_t i) {
      const Arrival& one = scratch_.arrivals[i];
      if (one.is_held == 0) return;
      all[add(&shared_.keys, 1)] = EventOrder::with_place(EventOrder::arrival(time_of(one.key) - begin_, slot_of(one.key)), i);
    });
    block_.each(shared_.departures, [&](std::uint32_t i) {
      const Departure& one = scratch_.departures[i];
      if (one.size == 0) return;
      all[add(&shared_.keys, 1)] = EventOrder::with_place(EventOrder::departure(one.at - begin_, one.port), i);
    });
    sort_keys(block_, all, shared_.keys);
  }
  [[nodiscard]] std::uint64_t* keys() const {
    return holds(shared_.arrivals + shared_.departures) ? shared_.some_keys : scratch_.keys;
  }

  /// What comes and leaves, until a port has to hear of it. What was seen before is not looked at again: what a port does
  /// because of it comes later.
  void go_through() {
    const std::uint64_t* const all = keys();
    while (shared_.done < shared_.keys && shared_.again == kNone) {
      const std::uint64_t key = all[shared_.done++];
      Out out(state_, false, false, Play::buffer);
      SwitchModel<Out, true, true> model(net_, out);
      const Time now = begin_ + EventOrder::since_of(EventOrder::order_of(key));
      if (EventOrder::is_arrival(key)) {
        Arrival& one = scratch_.arrivals[EventOrder::place_of(key)];
        model.account_arrival(model.at(node_), one.port, first_link_ + slot_of(one.key), *one.packet, now);
        one.refusal = out.refusal;
        if (one.refusal != 0) shared_.again = one.port - net_.first_port[node_];
      } else {
        const Departure& one = scratch_.departures[EventOrder::place_of(key)];
        model.account_departure(model.at(node_), first_link_ + one.slot, one.traffic_class, one.size, now);
      }
      if (out.put_off.link != kNone) add_effect(EventOrder::order_of(key), out.put_off);
    }
  }

  void add_effect(std::uint64_t cause, const Pause& pause) {
    if (shared_.effects == scratch_.effect_room) {
      const std::uint32_t room = scratch_.effect_room == 0 ? 64 : 2 * scratch_.effect_room;
      auto* const larger = reinterpret_cast<Effect*>(take_memory(state_, std::uint64_t{room} * sizeof(Effect)));
      for (std::uint32_t i = 0; i < shared_.effects; i++) larger[i] = scratch_.effects[i];
      scratch_.effects = larger;
      scratch_.effect_room = room;
    }
    shared_.again = net_.links[pause.link].back - net_.first_port[node_];
    scratch_.effects[shared_.effects++] = {cause, pause, shared_.again};
  }

  /// The most that all held together, where it may be more than ever.
  void follow_all() {
    Switch& s = net_.switches[node_];
    block_.each(shared_.arrivals, [&](std::uint32_t i) {
      const Arrival& one = scratch_.arrivals[i];
      if (one.is_held == 0) return;
      std::uint64_t bound = s.used;
      const std::uint32_t bin = bin_of(time_of(one.key));
      for (std::uint32_t b = 0; b <= bin; b++) bound += shared_.in[b];
      for (std::uint32_t b = 0; b < bin; b++) bound -= shared_.out[b];
      if (bound > s.used_most) store(&shared_.exceeds, std::uint32_t{1});
    });
    block_.once([&] { shared_.used_most = static_cast<std::int64_t>(s.used_most); });
    if (shared_.exceeds != 0) find_most(static_cast<std::int64_t>(s.used));
    block_.once([&] {
      s.used += shared_.arrived_bytes - shared_.departed_bytes;
      s.used_most = static_cast<std::uint64_t>(shared_.used_most);
      s.is_shared_unknown = true;
    });
  }

  /// In parts: how much more there is after each, then the most within each.
  void find_most(std::int64_t used) {
    put_in_order();
    const std::uint32_t size = (shared_.keys + BlockShared::kParts - 1) / BlockShared::kParts;
    const auto add_up = [&](std::uint32_t part, std::int64_t held, const auto& look) {
      const std::uint64_t* const all = keys();
      for (std::uint32_t i = part * size; i < std::min((part + 1) * size, shared_.keys); i++) {
        const std::uint32_t place = EventOrder::place_of(all[i]);
        held += EventOrder::is_arrival(all[i]) ? std::int64_t{scratch_.arrivals[place].size}
                                               : -std::int64_t{scratch_.departures[place].size};
        look(held);
      }
      return held;
    };
    block_.each(BlockShared::kParts, [&](std::uint32_t part) { shared_.parts[part] = add_up(part, 0, [](std::int64_t) {}); });
    block_.each(BlockShared::kParts, [&](std::uint32_t part) {
      std::int64_t before = used, most = 0;
      for (std::uint32_t i = 0; i < part; i++) before += shared_.parts[i];
      add_up(part, before, [&](std::int64_t held) { most = std::max(most, held); });
      raise(&shared_.used_most, most);
    });
  }

  const State& state_;
  Net& net_;
  Block& block_;
  Scratch& scratch_;
  BlockShared& shared_;
  const std::uint32_t node_, first_link_, links_;
  const Time begin_, end_;
};

}  // namespace railyard::packet::device
