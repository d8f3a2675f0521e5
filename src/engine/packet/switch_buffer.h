// The buffer of a switch: who holds how much of it, room for what arrives, pauses where there is little, drops where there is
// none.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/arrivals.h"
#include "engine/packet/port_model.h"

namespace railyard::packet {

/// Plain functions over the rows of a Net; a part of SwitchModel, which says what `kUsual` leaves out. `kCalm`: the same in an
/// interval in which the switch pauses nobody, lets nobody go on and drops nothing, as begin() can tell.
template<class Out, bool kUsual>
class SwitchBuffer : protected PortModel<Out, false> {
 protected:
  using Base = PortModel<Out, false>;
  using Base::net_, Base::out_;

 public:
  using Base::Base;
  static constexpr std::uint64_t kWholeAlpha = 1U << 16;  // no queue may have more than is free

  /// What changes with every packet of a calm interval, apart from its row, to be kept in registers.
  struct Tally {
    std::uint64_t used, used_most;
  };

  /// The rows of one switch.
  struct Here {
    std::uint32_t node, first_port;
    Switch& s;
    Pool& pool;
    Tally* tally;            // in a calm interval
    const Profile* profile;  // unless usual: of the node, or of the port that an event is about
  };
  /// The same rows, with what one of the switch's ports does.
  [[gnu::always_inline]] decltype(auto) by_port(const Here& here, std::uint32_t index) const {
    if constexpr (kUsual) {
      return (here);
    } else {
      Here own = here;
      if (net_.port_profiles != nullptr) own.profile = &net_.profile_at(index);
      return own;
    }
  }
  /// The same, of the port that a link comes in by.
  [[gnu::always_inline]] decltype(auto) by_link(const Here& here, std::uint32_t link) const {
    if constexpr (kUsual) {
      return (here);
    } else {
      Here own = here;
      if (net_.port_profiles != nullptr) own.profile = &net_.profile_at(net_.links[link].back);
      return own;
    }
  }
  [[nodiscard]] Here at(std::uint32_t node, Tally* tally = nullptr) const {
    const Profile* const profile = kUsual ? nullptr : &net_.profile(node);
    return {node, net_.first_port[node], net_.switches[node], net_.pools[node], tally, profile};
  }
  [[nodiscard]] Tally tally_of(std::uint32_t node) const { return {net_.switches[node].used, net_.switches[node].used_most}; }

  /// Takes note of all that arrives in an interval. Returns whether that will be calm: nobody is paused, and there is room for
  /// everything even if nothing leaves.
  bool begin(const Here& here, const Arrivals& arrivals) const {
    Switch& s = here.s;
    s.hops += arrivals.size();
    s.data_hops += arrivals.data;
    if (!kUsual && !can_be_calm()) return false;
    if (s.is_shared_unknown) sum_shared(here);
    if (s.pauses != s.resumes) return false;
    std::uint64_t most = s.shared_used;
    for (const Arrivals::OfLink& one : arrivals.by_link()) most += one.bytes;
    if (most >= s.shared_size) return false;
    const std::uint64_t limit = net_.p.reserve + ((s.shared_size - most) * net_.p.alpha >> 16);
    const std::uint32_t first = net_.first_link[here.node];
    for (std::uint32_t c = 0; c < kClasses; c++) {
      if (!is_held(c)) continue;
      const Ingress* const rows = net_.ingress + net_.ingress_index(first, c);
      for (const Arrivals::OfLink& one : arrivals.by_link())
        if (rows[one.slot].held + one.bytes >= limit) return false;
    }
    return true;
  }

  /// Ends an interval that was calm.
  void end_calm(const Here& here) const {
    here.s.used = here.tally->used;
    here.s.used_most = here.tally->used_most;
    here.s.is_shared_unknown = true;
  }

 protected:
  /// Whether packets come and go as calm intervals count them.
  [[nodiscard]] bool can_be_calm() const {
    return !net_.p.by_profile && net_.p.credit_step == 0 && !net_.p.fixed_thresholds && !net_.p.release_at_start &&
           !net_.p.watchdog && !net_.p.reduces && !net_.p.scheduled && net_.p.alpha <= kWholeAlpha;
  }

  // What is usual holds for all switches; else each has a profile, or each of its ports.
  [[nodiscard]] std::uint32_t group_of(const Here& here, std::uint32_t c) const { return kUsual ? c : here.profile->group[c]; }
  [[nodiscard]] bool is_counted(const Here& here, std::uint32_t c) const {
    return kUsual ? net_.p.counted[c] : here.profile->counted[c];
  }
  [[nodiscard]] bool is_lossless(const Here& here, std::uint32_t group) const {
    return kUsual ? net_.p.lossless[group] : here.profile->lossless[group];
  }
  [[nodiscard]] std::uint32_t reserve_of(const Here& here, std::uint32_t group) const {
    return kUsual ? net_.p.reserve : here.profile->thresholds[group].reserve;
  }
  [[nodiscard]] bool has_fixed_thresholds(const Here& here, std::uint32_t group) const {
    return !kUsual && here.profile->thresholds[group].fixed;
  }

  /// What one port and group may hold of the shared buffer now.
  [[nodiscard]] std::uint64_t threshold(const Here& here, std::uint32_t group) const {
    if (has_fixed_thresholds(here, group)) return here.profile->thresholds[group].xoff;
    const std::uint64_t alpha = kUsual ? net_.p.alpha : here.profile->thresholds[group].alpha;
    return (here.s.shared_size - here.s.shared_used) * alpha >> 16;
  }

  /// Whether what a group still holds of it lets its sender go on.
  [[nodiscard]] bool is_low(const Here& here, std::uint32_t group, std::uint32_t rest) const {
    if (has_fixed_thresholds(here, group)) return rest < here.profile->thresholds[group].xon;
    const std::uint32_t offset = kUsual ? net_.p.xon_offset : here.profile->thresholds[group].xon_offset;
    return rest + offset <= threshold(here, group);
  }

  [[nodiscard]] static std::uint32_t in_shared_buffer(const Ingress& in, std::uint32_t reserve) {
    return in.held > reserve ? in.held - reserve : 0;
  }

  /// Finds room for a packet: in the reserve, the shared buffer below the threshold, or the headroom. Pauses the sender where
  /// that is due. Drops what has no room.
  template<bool kCalm>
  [[gnu::always_inline]] bool admit(const Here& at_switch, std::uint32_t index, std::uint32_t link, const Packet& packet,
                                    Time now) {
    const auto& here = by_link(at_switch, link);
    Switch& s = here.s;
    const std::uint32_t c = packet.traffic_class(), group = group_of(here, c), size = packet.size;
    Ingress& in = net_.ingress[net_.ingress_index(link, group)];
    if constexpr (kCalm) return admit_calmly(*here.tally, in, size);
    const std::uint32_t reserve = reserve_of(here, group);
    const std::uint32_t held = in.held + size, shared = held > reserve ? held - reserve : 0;
    if (!kUsual && net_.p.credit_step != 0 && Base::has_credits(Base::sender_of(link), c)) return hold(s, in, size);
    if (shared > threshold(here, group) || (!kUsual && std::min(size, shared) > s.shared_size - s.shared_used)) {
      if (in.headroom + size > in.headroom_size) {
        drop(s, &net_.ports[index], c, in.headroom_size > 0 ? DropReason::headroom : DropReason::buffer);
        return false;
      }
      in.headroom += size;
      in.headroom_most = std::max(in.headroom_most, in.headroom);
    } else {
      in.held = held;
      in.held_most = std::max(in.held_most, held);
      s.shared_used += std::min(size, shared);
    }
    s.used += size;
    s.used_most = std::max(s.used_most, s.used);
    if (!in.paused && is_lossless(here, group) &&
        (in.headroom > 0 || (!has_fixed_thresholds(here, group) && in_shared_buffer(in, reserve) >= threshold(here, group)))) {
      in.paused = true;
      if (!kUsual && is_told_for_another(here, link, group)) return true;
      s.pauses++;
      Base::tell_sender(link, group, true, now, index);
    }
    return true;
  }

  /// Whether the sender of a link is paused for another group with the priority of this one.
  [[nodiscard]] bool is_told_for_another(const Here& here, std::uint32_t link, std::uint32_t group) const {
    if (!net_.p.by_profile) return false;
    for (std::uint32_t other = 0; other < kClasses; other++)
      if (other != group && here.profile->priority[other] == here.profile->priority[group] &&
          net_.ingress[net_.ingress_index(link, other)].paused)
        return true;
    return false;
  }

  static bool admit_calmly(Tally& tally, Ingress& in, std::uint32_t size) {
    const std::uint32_t held = in.held + size;
    in.held = held;
    in.held_most = std::max(in.held_most, held);
    tally.used += size;
    tally.used_most = std::max(tally.used_most, tally.used);
    return true;
  }
  static void release_calmly(Tally& tally, Ingress& in, std::uint32_t size) {
    in.held -= size;
    tally.used -= size;
  }

  /// Makes up for what calm intervals did not follow. No headroom is in use after one.
  void sum_shared(const Here& here) const {
    const std::uint32_t first = net_.first_link[here.node], past = net_.first_link[here.node + 1];
    std::uint64_t sum = 0;
    for (std::uint32_t c = 0; c < kClasses; c++)
      for (std::uint32_t link = is_held(c) ? first : past; link < past; link++)
        sum += in_shared_buffer(net_.ingress[net_.ingress_index(link, c)], net_.p.reserve);
    here.s.shared_used = sum;
    here.s.is_shared_unknown = false;
  }
  /// Whether packets of a class may be in the buffer, and are counted.
  [[nodiscard]] bool is_held(std::uint32_t c) const { return (net_.classes >> c & 1) != 0 && net_.p.counted[c]; }

  /// Where senders know what room there is, there is room.
  static bool hold(Switch& s, Ingress& in, std::uint32_t size) {
    in.held += size;
    in.held_most = std::max(in.held_most, in.held);
    s.used += size;
    s.used_most = std::max(s.used_most, s.used);
    return true;
  }

  /// A packet has left the buffer: headroom is freed first, the reserve last.
  template<bool kCalm = false>
  [[gnu::always_inline]] void release(const Here& at_switch, std::uint32_t link, std::uint32_t c, std::uint32_t size,
                                      Time now) {
    const auto& here = by_link(at_switch, link);
    if (!is_counted(here, c)) return;
    Switch& s = here.s;
    const std::uint32_t group = group_of(here, c), reserve = reserve_of(here, group);
    Ingress& in = net_.ingress[net_.ingress_index(link, group)];
    if constexpr (kCalm) return release_calmly(*here.tally, in, size);
    if (!kUsual && net_.p.credit_step != 0 && Base::has_credits(Base::sender_of(link), c)) {
      in.held -= size;
      s.used -= size;
      return Base::free_credit(link, c, size, now);
    }
    const std::uint32_t headroom = std::min(in.headroom, size);
    const std::uint32_t shared = std::min(size - headroom, in_shared_buffer(in, reserve));
    in.headroom -= headroom;
    in.held -= size - headroom;
    s.shared_used -= shared;
    s.used -= size;
    if (!in.paused || in.headroom > 0) return;
    const std::uint32_t rest = in_shared_buffer(in, reserve);
    if (rest > 0 && !is_low(here, group, rest)) return;
    in.paused = false;
    if (!kUsual && is_told_for_another(here, link, group)) return;
    s.resumes++;
    Base::tell_sender(link, group, false, now, kNone);
  }

  void drop(Switch& s, Port* port, std::uint32_t c, DropReason reason) const {
    out_.count(s.drops[static_cast<std::size_t>(reason)]);
    out_.count(s.dropped[c]);
    if (port != nullptr) port->dropped++, port->has_past = true;
  }
};

}  // namespace railyard::packet
