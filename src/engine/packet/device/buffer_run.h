// What the buffer of a switch makes of a window whose ports were played side by side: how much it held, and, where it was not
// calm, whom it paused and what it dropped. It is what SwitchBuffer<Out, true> does.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/device/block_shared.h"
#include "engine/packet/device/event_order.h"
#include "engine/packet/device/out.h"
#include "engine/packet/device/port_run.h"

namespace railyard::packet::device {

/// Keys that are sorted, and a word for each.
struct Keys {
  std::uint64_t* keys;
  std::uint32_t* words;
};

/// Room for so many, in the block's own memory where they fit.
template<class Block>
Keys keys_for(const State& state, Block& block, Scratch& scratch, BlockShared& shared, std::uint32_t count) {
  if (std::bit_ceil(std::max(1U, count)) <= BlockShared::kKeys) return {shared.some_keys, shared.some_words};
  block.once([&] {
    const std::uint32_t most = std::bit_ceil(count);
    if (most <= scratch.key_room) return;
    scratch.keys = reinterpret_cast<std::uint64_t*>(take_memory(state, std::uint64_t{most} * sizeof(std::uint64_t)));
    scratch.words = reinterpret_cast<std::uint32_t*>(take_memory(state, std::uint64_t{most} * sizeof(std::uint32_t)));
    scratch.key_room = most;
  });
  return {scratch.keys, scratch.words};
}

/// Of the switch at `node`, by the block of threads that plays it. REQUIRES: usual parameters.
template<class Block>
class BufferRun {
 public:
  BufferRun(const State& state, Block& block, Scratch& scratch, BlockShared& shared, const SwitchRows& rows, std::uint32_t node,
            Time begin, Time end)
      : state_(state),
        net_(state.net),
        block_(block),
        scratch_(scratch),
        shared_(shared),
        counts_(shared.counts),
        rows_(rows),
        s_(state.net.switches[node]),
        node_(node),
        first_link_(net_.first_link[node]),
        links_(net_.first_link[node + 1] - first_link_),
        begin_(begin),
        end_(end) {}

  // A calm window ---------------------------------------------------------------------------------------------------------

  /// Everything that arrived was let in, and nobody was told anything.
  void follow() {
    const std::uint32_t departures = counts_.departures;
    block_.each(departures, [&](std::uint32_t i) {
      const Departure& one = scratch_.departures[i];
      add(&rows_.departed[one.traffic_class * rows_.length + one.slot], std::uint32_t{one.size});
      add(&counts_.departed_bytes, std::uint32_t{one.size});
    });
    if (s_.used + counts_.arrived_bytes > s_.used_most) bound_all();
    block_.each(links_, [&](std::uint32_t slot) {
      for (std::uint32_t c = 0; c < kClasses; c++)
        if (is_beyond(slot, c)) store(&counts_.exceeds, std::uint32_t{1});
    });
    block_.once([&] { shared_.used_most = static_cast<std::int64_t>(s_.used_most); });
    if (counts_.exceeds != 0) {
      put_in_order(true);
      find_most_of_links();
      find_most(static_cast<std::int64_t>(s_.used));
    }
    block_.each(links_, [&](std::uint32_t slot) {
      for (std::uint32_t c = 0; c < kClasses; c++) {
        const std::uint32_t arrived = arrived_by(slot, c), departed = departed_by(slot, c);
        if (arrived != departed) ingress(slot, c).held += arrived - departed;
      }
    });
    block_.once([&] {
      s_.used = s_.used + counts_.arrived_bytes - counts_.departed_bytes;
      s_.used_most = static_cast<std::uint64_t>(shared_.used_most);
      s_.is_shared_unknown = true;
    });
  }

  // A window that is not ------------------------------------------------------------------------------------------------

  /// What it holds before the window, so that restore() can bring it back.
  void keep() {
    before_ = {s_.shared_used, s_.used, s_.used_most};
    pauses_before_ = s_.pauses, resumes_before_ = s_.resumes;
    each_ingress([&](Ingress& in, Ingress& kept) { kept = in; });
  }
  void restore() {
    each_ingress([&](Ingress& in, const Ingress& kept) { in = kept; });
    block_.once([&] {
      set(before_);
      s_.pauses = pauses_before_, s_.resumes = resumes_before_;
    });
  }

  /// Goes on to the first thing that the buffer makes a port do. Returns whether there is one: a port is to be played `again`.
  bool find_effect() {
    put_in_order(false);
    block_.once([&] {
      shared_.again = kNone;
      go_through();
    });
    return shared_.again != kNone;
  }

  /// A port is about to be played again.
  void forget_departures(std::uint32_t slot) {
    block_.each(counts_.departures, [&](std::uint32_t i) {
      if (scratch_.departures[i].port == slot) scratch_.departures[i].size = 0;
    });
  }

  /// Of one port, once more. REQUIRES: one thread.
  void make_room_for_departures() {
    if (counts_.departures + scratch_.most_of_port <= scratch_.departure_room) return;
    const std::uint32_t room = 2 * (counts_.departures + scratch_.most_of_port);
    auto* const larger = reinterpret_cast<Departure*>(take_memory(state_, std::uint64_t{room} * sizeof(Departure)));
    for (std::uint32_t i = 0; i < counts_.departures; i++) larger[i] = scratch_.departures[i];
    scratch_.departures = larger;
    scratch_.departure_room = room;
  }

 private:
  [[nodiscard]] Ingress& ingress(std::uint32_t slot, std::uint32_t c) const {
    return net_.ingress[net_.ingress_index(first_link_ + slot, c)];
  }
  [[nodiscard]] std::uint32_t arrived_by(std::uint32_t slot, std::uint32_t c) const {
    return rows_.arrived[c * rows_.length + slot];
  }
  [[nodiscard]] std::uint32_t departed_by(std::uint32_t slot, std::uint32_t c) const {
    return rows_.departed[c * rows_.length + slot];
  }
  /// Whether a link may hold more than it ever did.
  [[nodiscard]] bool is_beyond(std::uint32_t slot, std::uint32_t c) const {
    const std::uint32_t arrived = arrived_by(slot, c);
    if (arrived == 0) return false;
    const Ingress& in = ingress(slot, c);
    return in.held + arrived > in.held_most;
  }

  /// Whether all together may: by pieces of time, in each of which everything arrives before anything leaves.
  void bound_all() {
    const auto shift = static_cast<std::uint32_t>(
        std::max(0, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(end_ - begin_))) - kBinBits));
    block_.each(counts_.arrivals, [&](std::uint32_t i) {
      const Packet& one = scratch_.packets[i];
      if (is_held(one)) add(&counts_.in[(one.at - begin_) >> shift], one.size);
    });
    block_.each(counts_.departures, [&](std::uint32_t i) {
      const Departure& one = scratch_.departures[i];
      add(&counts_.out[(one.at - begin_) >> shift], one.size);
    });
    block_.each(BlockShared::kBins, [&](std::uint32_t bin) {
      std::uint64_t bound = s_.used;
      for (std::uint32_t b = 0; b <= bin; b++) bound += counts_.in[b];
      for (std::uint32_t b = 0; b < bin; b++) bound -= counts_.out[b];
      if (counts_.in[bin] != 0 && bound > s_.used_most) store(&counts_.exceeds, std::uint32_t{1});
    });
  }
  static constexpr int kBinBits = 5;
  static_assert(1U << kBinBits == BlockShared::kBins);

  [[nodiscard]] bool is_held(const Packet& packet) const {
    return packet.hop() + 1 < kMostHops && net_.p.counted[packet.traffic_class()];
  }

  template<class Do>
  void each_ingress(const Do& act) {
    block_.each(links_, [&](std::uint32_t slot) {
      for (std::uint32_t c = 0; c < kClasses; c++)
        if ((net_.classes >> c & 1) != 0) act(ingress(slot, c), scratch_.ingress[std::size_t{slot} * kClasses + c]);
    });
  }

  // All events of the buffer, in order --------------------------------------------------------------------------------------

  // A word: bytes, class, and which link of the node.
  static constexpr std::uint32_t kClassAt = 16, kSlotAt = 18;
  static std::uint32_t word_of(std::uint32_t size, std::uint32_t c, std::uint32_t slot) {
    return size | c << kClassAt | slot << kSlotAt;
  }

  void put_in_order(bool is_calm) {
    block_.once([&] { counts_.keys = 0; });
    keys_ = keys_for(state_, block_, scratch_, shared_, counts_.arrivals + counts_.departures);
    block_.each(counts_.arrivals, [&](std::uint32_t i) {
      const Packet& one = scratch_.packets[i];
      if (is_calm ? !is_held(one) : (scratch_.notes[i] & kHeld) == 0) return;
      keys_.keys[add(&counts_.keys, 1)] = EventOrder::with_place(EventOrder::arrival(one.at - begin_, one.in - first_link_), i);
    });
    block_.each(counts_.departures, [&](std::uint32_t i) {
      const Departure& one = scratch_.departures[i];
      if (one.size == 0) return;
      keys_.keys[add(&counts_.keys, 1)] = EventOrder::with_place(EventOrder::departure(one.at - begin_, one.port), i);
    });
    sort_keys(block_, keys_.keys, counts_.keys);
    block_.each(counts_.keys, [&](std::uint32_t i) {
      const std::uint32_t place = EventOrder::place_of(keys_.keys[i]);
      if (EventOrder::is_arrival(keys_.keys[i])) {
        const Packet& one = scratch_.packets[place];
        keys_.words[i] = word_of(one.size, one.traffic_class(), one.in - first_link_);
      } else {
        const Departure& one = scratch_.departures[place];
        keys_.words[i] = word_of(one.size, one.traffic_class, one.slot);
      }
    });
  }
  static std::uint32_t size_of(std::uint32_t word) { return word & 0xFFFF; }
  static std::uint32_t class_of(std::uint32_t word) { return word >> kClassAt & 3; }
  static std::uint32_t link_of(std::uint32_t word) { return word >> kSlotAt; }
  static_assert(kClasses == 4 && EventOrder::kSlotBits + kSlotAt <= 32);

  /// What comes and leaves, until a port has to hear of it. What was seen before is not looked at again: what a port does
  /// because of it comes later.
  void go_through() {
    Sums sums{s_.shared_used, s_.used, s_.used_most};
    std::uint32_t done = counts_.done;
    const std::uint32_t past = counts_.keys;
    for (bool goes_on = true; goes_on && done < past; done++) {
      const std::uint64_t key = keys_.keys[done];
      const std::uint32_t word = keys_.words[done];
      goes_on = EventOrder::is_arrival(key) ? take_in(key, word, sums) : let_go(key, word, sums);
    }
    counts_.done = done;
    set(sums);
  }
  struct Sums {
    std::uint64_t shared_used, used, used_most;
  };
  void set(const Sums& sums) {
    s_.shared_used = sums.shared_used;
    s_.used = sums.used;
    s_.used_most = sums.used_most;
  }

  [[nodiscard]] std::uint64_t threshold(const Sums& sums) const {
    return (s_.shared_size - sums.shared_used) * net_.p.alpha >> 16;
  }
  [[nodiscard]] std::uint32_t in_shared_buffer(std::uint32_t held) const {
    return held > net_.p.reserve ? held - net_.p.reserve : 0;
  }

  /// As SwitchBuffer::admit. Returns whether no port has to hear of it.
  [[gnu::always_inline]] bool take_in(std::uint64_t key, std::uint32_t word, Sums& sums) {
    const std::uint32_t size = size_of(word), c = class_of(word), slot = link_of(word);
    Ingress& in = ingress(slot, c);
    const std::uint32_t held = in.held + size, shared = in_shared_buffer(held);
    if (shared > threshold(sums)) {
      if (in.headroom + size > in.headroom_size)
        return refuse(key, in.headroom_size > 0 ? DropReason::headroom : DropReason::buffer);
      in.headroom += size;
      in.headroom_most = std::max(in.headroom_most, in.headroom);
    } else {
      in.held = held;
      in.held_most = std::max(in.held_most, held);
      sums.shared_used += std::min(size, shared);
    }
    sums.used += size;
    sums.used_most = std::max(sums.used_most, sums.used);
    if (in.paused || !net_.p.lossless[c] || (in.headroom == 0 && in_shared_buffer(in.held) < threshold(sums))) return true;
    in.paused = true;
    s_.pauses++;
    const std::uint32_t cause = port_of(EventOrder::place_of(key));
    return add_effect(EventOrder::order_of(key), {first_link_ + slot, c, cause, true});
  }

  /// As SwitchBuffer::release.
  [[gnu::always_inline]] bool let_go(std::uint64_t key, std::uint32_t word, Sums& sums) {
    const std::uint32_t size = size_of(word), c = class_of(word), slot = link_of(word);
    Ingress& in = ingress(slot, c);
    const std::uint32_t headroom = std::min(in.headroom, size);
    const std::uint32_t shared = std::min(size - headroom, in_shared_buffer(in.held));
    in.headroom -= headroom;
    in.held -= size - headroom;
    sums.shared_used -= shared;
    sums.used -= size;
    if (!in.paused || in.headroom > 0) return true;
    const std::uint32_t rest = in_shared_buffer(in.held);
    if (rest > 0 && rest + net_.p.xon_offset > threshold(sums)) return true;
    in.paused = false;
    s_.resumes++;
    return add_effect(EventOrder::order_of(key), {first_link_ + slot, c, kNone, false});
  }

  /// The port by which a packet leaves that is at this place of Scratch::packets.
  [[nodiscard]] std::uint32_t port_of(std::uint32_t place) const {
    std::uint32_t port = 0;
    while (place - rows_.port_first[port] >= rows_.port_count[port]) port++;
    return net_.first_port[node_] + port;
  }

  bool refuse(std::uint64_t key, DropReason reason) {
    const std::uint32_t place = EventOrder::place_of(key);
    scratch_.notes[place] = static_cast<std::uint8_t>((static_cast<std::uint32_t>(reason) + 1) << 1 | kHeld);
    shared_.again = port_of(place) - net_.first_port[node_];
    return false;
  }

  bool add_effect(std::uint64_t cause, const Pause& pause) {
    if (counts_.effects == scratch_.effect_room) {
      const std::uint32_t room = scratch_.effect_room == 0 ? 64 : 2 * scratch_.effect_room;
      auto* const larger = reinterpret_cast<Effect*>(take_memory(state_, std::uint64_t{room} * sizeof(Effect)));
      for (std::uint32_t i = 0; i < counts_.effects; i++) larger[i] = scratch_.effects[i];
      scratch_.effects = larger;
      scratch_.effect_room = room;
    }
    shared_.again = net_.links[pause.link].back - net_.first_port[node_];
    scratch_.effects[counts_.effects++] = {cause, pause, shared_.again};
    return false;
  }

  // The most that was held, in a calm window --------------------------------------------------------------------------------

  void find_most_of_links() {
    block_.each(links_, [&](std::uint32_t slot) {
      for (std::uint32_t c = 0; c < kClasses; c++) {
        if (!is_beyond(slot, c)) continue;
        Ingress& in = ingress(slot, c);
        std::uint32_t held = in.held, most = in.held_most;
        for (std::uint32_t i = 0; i < counts_.keys; i++) {
          const std::uint32_t word = keys_.words[i];
          if (word >> kClassAt != (c | slot << (kSlotAt - kClassAt))) continue;
          held += EventOrder::is_arrival(keys_.keys[i]) ? size_of(word) : -size_of(word);
          most = std::max(most, held);
        }
        in.held_most = most;
      }
    });
  }

  /// Of all: in parts, how much more there is after each, then the most within each.
  void find_most(std::int64_t used) {
    const std::uint32_t size = (counts_.keys + BlockShared::kParts - 1) / BlockShared::kParts;
    const auto add_up = [&](std::uint32_t part, std::int64_t held, const auto& look) {
      for (std::uint32_t i = part * size; i < std::min((part + 1) * size, counts_.keys); i++) {
        const std::int64_t more = size_of(keys_.words[i]);
        held += EventOrder::is_arrival(keys_.keys[i]) ? more : -more;
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
  const Net& net_;
  Block& block_;
  Scratch& scratch_;
  BlockShared& shared_;
  BlockShared::Counts& counts_;
  const SwitchRows& rows_;
  Switch& s_;
  const std::uint32_t node_, first_link_, links_;
  const Time begin_, end_;
  Keys keys_ = {};
  Sums before_ = {};  // as kept, as are pauses and resumes
  std::uint64_t pauses_before_ = 0, resumes_before_ = 0;
};

}  // namespace railyard::packet::device
