// What ports of switches and NICs have in common: the wire, pauses, and pause frames.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/net.h"
#include "engine/packet/pause.h"

namespace railyard::packet {

/// What every `Out` of a processor has: one thread plays a node, and room was made before.
struct OnProcessor {
  static constexpr bool kOnDevice = false;
  static void count(std::uint64_t& counter) { counter++; }
  static void make_room(const FlowHeap&) {}
};

/// `Out` carries what leaves a node to others and keeps its timers:
///   send(port, packet, at, bits)      a packet, but for `at`, when it reaches the far node, and its bits
///   tell(port, class, stop, at)       a pause frame takes effect at `port`, which another node owns
///   grant(port, class, bytes, at)     `port`, which another node owns, may send that much more
///   port_timer(port, at)              a switch's port has something to do then; nothing else is planned for it
///   timer(node, slot, at)             timer(node, slot) of the model is due then; a later call replaces an earlier one
///   log(PauseRecord)                  a pause frame was sent
///   delivered(flow, at), acknowledged(flow, at)   the next message of a flow is in memory; its sender knows
///   gave_up(flow, broken, at)         a sender heard nothing for long; where it is broken it gives up for good
///   count(counter)                    one more; several ports of a switch may count at once where Out::kOnDevice
///   make_room(heap)                   there is room for one more afterwards
/// Out::kOnDevice: it is run by a GPU (device/out.h), where every queue has a ring of its own, append() and take_first(), and
/// the ports of a switch are played side by side: what its buffer does of that is found out apart from them.
/// Timers of a node, by slot: what each of its ports does next, one more for each, and a last one.
template<class Out, bool kAtHost>
class PortModel {
 public:
  static constexpr std::uint32_t kBytesPerWeight = 256;

  PortModel(Net& net, Out& out) : net_(net), out_(out) {}

 protected:
  static std::uint32_t ports_of(const Net& net, std::uint32_t node) { return net.first_port[node + 1] - net.first_port[node]; }

  /// Where packets of a class wait that leave by a port, and one of them.
  [[nodiscard]] Pool& pool_of(std::uint32_t index, std::uint32_t c) const {
    return net_.pools[Out::kOnDevice ? index * kClasses + c : net_.ports[index].node];
  }
  [[nodiscard]] static const Packet& packet_in(const Pool& pool, std::uint32_t slot) {
    return pool.slots[Out::kOnDevice ? slot & (pool.room - 1) : slot];
  }
  static void give_back(Pool& pool, std::uint32_t slot) {
    if constexpr (!Out::kOnDevice) pool.give_back(slot);
  }

  /// A port has something to do at an instant.
  [[gnu::always_inline]] void plan(const Port& port, Time at) {
    if constexpr (kAtHost)
      out_.timer(port.node, port.slot, at);
    else
      out_.port_timer(port, at);
  }

  /// The first bit of a packet with these bits is on the wire from now on.
  [[gnu::always_inline]] void put_on_wire(std::uint32_t index, const Packet& packet, std::uint16_t bits, Time now) {
    Port& port = net_.ports[index];
    const Time end = now + port.wire_time(packet.size);
    port.busy = true;
    port.busy_until = end;
    port.packets++;
    port.bytes += packet.size;
    out_.send(index, packet, (port.cuts_through ? now : end) + port.delay, bits);
    plan(port, end);
  }

  /// Whether the wire of a port that was busy is free now; if pause frames wait for it, they go first.
  bool is_free(Port& port, Time now) {
    if (port.frame_until > now) {
      port.busy_until = port.frame_until;
      plan(port, port.frame_until);
      return false;
    }
    port.busy = false;
    return true;
  }

  /// Sends a pause frame (or, to resume, one of zero length) to the sender of a link. It waits for the packet on the wire. It
  /// names a class or, where nodes differ, the PFC priority of a group.
  [[gnu::noinline]] void tell_sender(std::uint32_t link, std::uint32_t traffic_class, bool xoff, Time now,
                                     std::uint32_t cause) {
    const Link& l = net_.links[link];
    const std::uint32_t name = net_.p.by_profile ? net_.profile_at(l.back).priority[traffic_class] : traffic_class;
    Time sent = now;
    if (net_.p.frame > 0) {
      Port& back = net_.ports[l.back];
      const Time begin = std::max(back.busy ? back.busy_until : now, std::max(now, back.frame_until));
      sent = back.frame_until = begin + back.wire_time(net_.p.frame);
      back.bytes += net_.p.frame;
      if (!back.busy) {
        back.busy = true;
        back.busy_until = sent;
        plan(back, sent);
      }
    }
    if (!is_down(net_.ports[l.back].link))
      out_.tell(l.port, static_cast<std::uint8_t>(name), xoff, sent + l.cable + l.response);
    if (xoff) net_.pause_counters[std::size_t{l.back} * kClasses + traffic_class].sent++;
    net_.ports[l.back].has_past = true;
    if (xoff) out_.log({Picoseconds(now), PortId(l.port), PortId(cause), static_cast<std::uint8_t>(traffic_class)});
  }

  // Failures --------------------------------------------------------------------------------------------------------

  [[nodiscard]] bool is_down(std::uint32_t link) const { return net_.p.fails && net_.faults[link].clear_from == kNever; }

  /// Whether a packet that should arrive now was lost on its link. REQUIRES: links fail.
  [[gnu::noinline]] bool is_lost(std::uint32_t link, const Packet& packet, Time now) {
    LinkFault& fault = net_.faults[link];
    const Port& from = net_.ports[net_.links[link].port];
    const Time sent = now - from.delay - (from.cuts_through ? 0 : from.wire_time(packet.size));
    const std::uint64_t chance = fault.loss + fault.loss_per_byte * packet.size;
    const bool broken = chance != 0 && scramble(net_.p.seed ^ link, packet.flow, static_cast<std::uint64_t>(now)) < chance;
    if (sent >= fault.clear_from && !broken) return false;
    fault.lost++;
    fault.lost_data += packet.is_data();
    fault.bytes += packet.size;
    fault.first = std::min(fault.first, now);
    fault.last = now;
    free_credit(link, packet.traffic_class(), packet.size, now);
    return true;
  }

  // Credits: a port may send what it knows the far end has room for ------------------------------------------------------

  [[nodiscard]] bool has_credits(const Port& port, std::uint32_t c) const { return port.by_credits && net_.p.counted[c]; }
  [[nodiscard]] const Port& sender_of(std::uint32_t link) const { return net_.ports[net_.links[link].port]; }

  /// A packet was sent. A port that has no room left for the largest stops, as if it had been paused.
  void spend_credit(std::uint32_t index, std::uint32_t c, std::uint32_t size, Time now) {
    if (!has_credits(net_.ports[index], c)) return;
    std::int64_t& left = net_.credits[std::size_t{index} * kClasses + c];
    left -= size;
    if (left < net_.p.most_packet) set_paused(index, c, true, now);
  }

  /// Room was freed at `when`, which may be later than now; the sender of the link is told of it in steps.
  void free_credit(std::uint32_t link, std::uint32_t c, std::uint32_t size, Time when) {
    if (net_.p.credit_step == 0 || !has_credits(sender_of(link), c)) return;
    std::uint32_t& freed = net_.freed[std::size_t{link} * kClasses + c];
    freed += size;
    if (freed < net_.p.credit_step) return;
    const Link& l = net_.links[link];
    if (is_down(net_.ports[l.back].link)) return;  // room is counted anew when the link comes up
    out_.grant(l.port, static_cast<std::uint8_t>(c), freed, when + l.cable + l.response);
    net_.ports[l.back].bytes += net_.p.frame;
    freed = 0;
  }

  /// Room was granted. Returns whether the port may send again.
  bool take_credit(std::uint32_t index, std::uint32_t c, std::uint32_t bytes, Time now) {
    std::int64_t& left = net_.credits[std::size_t{index} * kClasses + c];
    left += bytes;
    return left >= net_.p.most_packet && set_paused(index, c, false, now);
  }

  /// Takes note of a pause or its end. Returns whether something changed.
  bool set_paused(std::uint32_t index, std::uint32_t traffic_class, bool xoff, Time now) {
    Port& port = net_.ports[index];
    const auto bit = static_cast<std::uint16_t>(1U << traffic_class);
    if (((port.paused & bit) != 0) == xoff) return false;
    port.paused ^= bit;
    port.has_past = true;
    PauseCounter& pause_counter = net_.pause_counters[std::size_t{index} * kClasses + traffic_class];
    if (xoff) {
      port.pauses++;
      pause_counter.count++;
    } else {
      port.paused_sum += now - pause_counter.changed;
      pause_counter.sum += now - pause_counter.changed;
    }
    pause_counter.changed = now;
    return true;
  }

  /// Does what a pause frame, or one that ends a pause, asks for. Where nodes differ, that is up to the maps of this port:
  /// queues stop that any paused priority stops, and nobody heeds a priority that PFC is off for. Returns whether something
  /// changed.
  bool obey(std::uint32_t index, std::uint32_t name, bool xoff, Time now) {
    if (!net_.p.by_profile) return set_paused(index, name, xoff, now);
    const Profile& profile = net_.profile_at(index);
    const auto bit = static_cast<std::uint8_t>(1U << name);
    std::uint8_t& stopped = net_.stopped[index];
    stopped = static_cast<std::uint8_t>(xoff ? stopped | bit : stopped & ~bit);
    const std::uint32_t stops = profile.stops[name] & (kAtHost ? net_.classes | net_.data_classes : ~0U);
    bool changed = false;
    for (std::uint32_t queue = 0; queue < kClasses; queue++) {
      if ((stops >> queue & 1) == 0) continue;
      bool stop = false;
      for (std::uint32_t priority = 0; priority < kPriorities; priority++)
        stop = stop || ((stopped >> priority & 1) != 0 && (profile.stops[priority] >> queue & 1) != 0);
      changed = set_paused(index, queue, stop, now) || changed;
    }
    return changed;
  }

  [[nodiscard]] static bool may_send(const Port& port, std::uint32_t traffic_class) {
    return ((port.paused & ~port.stormed) >> traffic_class & 1) == 0;
  }

  /// The class to serve: strict ones first, then by shares where several wait (deficit round robin). `waiting` has a bit for
  /// each that does. What a class sends alone costs it nothing.
  std::uint32_t choose_class(Port& port, std::uint32_t waiting) {
    if (const std::uint32_t first = waiting & net_.p.shares.strict; first != 0) {
      const auto c = static_cast<std::uint32_t>(std::countr_zero(first));
      port.queue[c].credit = 0;
      return c;
    }
    return choose_by_share(port, waiting, net_.p.shares);
  }

  /// The same by what the port's node does.
  std::uint32_t choose_queue(Port& port, std::uint32_t waiting, const Profile& profile) {
    if (const std::uint32_t first = waiting & profile.shares.strict; first != 0) {
      const std::uint32_t queue = profile.first_strict(first);
      port.queue[queue].credit = 0;
      return queue;
    }
    return choose_by_share(port, waiting, profile.shares);
  }

  [[gnu::always_inline]] static std::uint32_t choose_by_share(Port& port, std::uint32_t waiting, const Shares& shares) {
    if ((waiting & (waiting - 1)) == 0) {
      for (Queue& queue : port.queue) queue.credit = 0;
      return static_cast<std::uint32_t>(std::countr_zero(waiting));
    }
    while ((waiting >> port.turn & 1) == 0 || port.queue[port.turn].credit <= 0) {
      port.turn = static_cast<std::uint16_t>(port.turn + 1 == kClasses ? 0 : port.turn + 1);
      if (waiting >> port.turn & 1)
        port.queue[port.turn].credit += static_cast<std::int32_t>(shares.weight[port.turn] * kBytesPerWeight);
    }
    return port.turn;
  }

  /// The same at a switch, where trimmed packets do not keep others from the wire for ever: after ten of them one that waits
  /// has its turn, as in NDP's switches. What they have sent in a row is their queue's credit, which nobody else looks at.
  std::uint32_t choose_beside_headers(Port& port, std::uint32_t waiting) {
    return beside_headers(port, waiting, net_.p.shares, kControlClass,
                          [&](std::uint32_t some) { return choose_class(port, some); });
  }
  std::uint32_t choose_beside_headers(Port& port, std::uint32_t waiting, const Profile& profile) {
    return beside_headers(port, waiting, profile.shares, profile.queue[kControlClass],
                          [&](std::uint32_t some) { return choose_queue(port, some, profile); });
  }

  template<class Choose>
  std::uint32_t beside_headers(Port& port, std::uint32_t waiting, const Shares& shares, std::uint32_t headers,
                               const Choose& choose) {
    constexpr std::int32_t kHeadersInRow = 10;
    const std::uint32_t others = waiting & ~shares.strict;
    if (net_.p.trim_size == 0 || others == 0 || (waiting & shares.strict) != 1U << headers) return choose(waiting);
    std::int32_t& credit = port.queue[headers].credit;
    if (credit > -kHeadersInRow * static_cast<std::int32_t>(net_.p.trim_size)) return headers;
    credit = 0;
    return choose(others);
  }

  /// Puts a packet at the end of a queue; returns where it is.
  Packet& enqueue(Pool& pool, Port& port, std::uint32_t c, const Packet& packet) {
    port.filled |= static_cast<std::uint16_t>(1U << c);
    port.backlog += packet.size;
    if constexpr (Out::kOnDevice) {
      return out_.append(pool, port.queue[c], packet);
    } else {
      const std::uint32_t slot = pool.take(packet);
      port.queue[c].push(pool, slot);
      return pool.slots[slot];
    }
  }

  /// Takes the first packet of a queue. Its slot has to be given back.
  std::uint32_t dequeue(const Pool& pool, Port& port, std::uint32_t c) {
    Queue& queue = port.queue[c];
    std::uint32_t slot = queue.head;
    if constexpr (Out::kOnDevice)
      Out::take_first(pool, queue);
    else
      slot = queue.pop(pool);
    const bool empty = queue.empty();  // a number below, not a branch: nobody could foretell it
    port.filled &= static_cast<std::uint16_t>(~(std::uint32_t{empty} << c));
    __builtin_prefetch(&packet_in(pool, empty ? slot : queue.head));  // it has waited long enough to be forgotten
    port.backlog -= packet_in(pool, slot).size;
    return slot;
  }

  /// Classes with packets that may leave, as bits.
  [[nodiscard]] static std::uint32_t servable(const Port& port) {
    return port.filled & ~(std::uint32_t{port.paused} & ~std::uint32_t{port.stormed});
  }

  static void account_backlog(Port& port, Time now) {
    const auto span = static_cast<std::uint64_t>(now - port.backlog_at);
    port.backlog_time += span >> 32 == 0 ? port.backlog * span >> 10 : port.backlog * (span >> 10);  // what fits 64 bits
    port.backlog_at = now;
  }

  Net& net_;
  Out& out_;
};

}  // namespace railyard::packet
