// A switch: queues by class, marking, and the choice of the next port; its buffer is in switch_buffer.h.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/echo.h"
#include "engine/packet/next_hop_choice.h"
#include "engine/packet/switch_buffer.h"

namespace railyard::packet {

/// Plain functions over the rows of a Net. Each call is one event at one switch; a switch's events are given in the order of
/// time, pauses before timers before arrivals, each by their index. `kUsual`: what is seldom asked for is left out, to be
/// quick; `kChooses`: but not the choice among ports, and queues that end. `kCalm`: as in SwitchBuffer.
template<class Out, bool kUsual = false, bool kChooses = !kUsual>
class SwitchModel : public SwitchBuffer<Out, kUsual> {
  using Buffer = SwitchBuffer<Out, kUsual>;

 protected:
  using Base = typename Buffer::Base;
  using Base::net_, Base::out_;
  using Buffer::admit, Buffer::release, Buffer::drop, Buffer::by_port, Buffer::by_link;

 public:
  using Buffer::Buffer;
  using typename Buffer::Here, typename Buffer::Tally;
  static constexpr std::size_t kHotLines = 3;                    // of a port
  static constexpr bool kHasPorts = true, kHasOthers = !kUsual;  // on its timer queue

  [[nodiscard]] static bool is_usual(const Parameters& p) {
    return !p.fails && !p.by_profile && !p.watchdog && !p.fixed_thresholds && !p.release_at_start &&
           !(p.cut_through && p.mixed_rates) && !p.tells_load && !p.marks_roots && p.credit_step == 0 && !p.reduces &&
           !p.scheduled && p.alpha <= Buffer::kWholeAlpha;
  }
  [[nodiscard]] static bool has_choices(const Parameters& p) { return p.choice != Choice::path || p.queue_limit != 0; }

  /// A packet arrives that leaves by the port of this index; none: it is to be chosen. begin() has counted it.
  template<bool kCalm>
  [[gnu::always_inline]] void arrive(const Here& at_switch, std::uint32_t link, const Packet& packet, std::uint32_t index,
                                     Time now) {
    if constexpr (!kUsual)
      if (net_.p.fails && Base::is_lost(link, packet, now)) return;
    Switch& s = at_switch.s;
    const std::uint32_t hop = packet.hop() + 1, c = packet.traffic_class();
    if (hop >= kMostHops) {
      if constexpr (!kUsual) Base::free_credit(link, c, packet.size, now);
      return drop(s, nullptr, c, DropReason::expired);
    }
    if (!kUsual && net_.p.fails && net_.p.choice == Choice::path && !is_port_of(at_switch, index))
      index = NextHopChoice(net_).port_off_path(at_switch.node, packet);
    if (kChooses && index == kNone) index = NextHopChoice(net_).port(at_switch.node, packet, now);
    const auto& here = by_port(at_switch, index);
    Port& port = net_.ports[index];
    if (!kUsual && port.stormed >> queue_of(here, c) & 1 && !here.profile->watchdog_forwards) {
      Base::free_credit(link, c, packet.size, now);
      return drop(s, &port, c, DropReason::watchdog);
    }
    if (kChooses && is_full(port, queue_of(here, c), packet)) return turn_away<kCalm>(here, index, link, packet, now);
    if (Buffer::is_counted(by_link(here, link), c) && !this->template admit<kCalm>(here, index, link, packet, now)) return;
    if (packet.is_data() && (kUsual || !net_.p.reduces || !leads_to_reducer(port)))
      out_.count(s.depth[std::bit_width(port.backlog)]);
    const auto bits = static_cast<std::uint16_t>(packet.bits + Packet::kOneHop);
    const Time ready = now + wait_for_last_bit(port, link, packet.size);
    line_up(here, index, packet, bits, link, ready, now);
  }

  /// The same for one that was not counted, in an interval of which nothing is known.
  void arrive(const Here& here, std::uint32_t link, const Packet& packet, Time now) {
    here.s.hops++;
    here.s.data_hops += packet.is_data();
    arrive<false>(here, link, packet, expect_soon(here.node, packet, expect(packet)), now);
  }

  /// Fetches what the arrival of a packet will touch first. Returns what expect_soon() wants to know of that.
  [[nodiscard]] std::uint32_t expect(const Packet& packet) const {
    if (kChooses && net_.p.choice != Choice::path) {
      __builtin_prefetch(net_.ends + packet.flow);
      return kNone;
    }
    const std::size_t hop = std::min(packet.hop() + 1, kMostHops - 1);
    const std::size_t place = net_.path_offset(packet.flow, packet.goes_back()) + hop;
    __builtin_prefetch(net_.paths + place);
    return static_cast<std::uint32_t>(place);
  }
  /// Then what it will touch next. Returns the index of the port it leaves by; none, if that is not known yet.
  [[nodiscard]] std::uint32_t expect_soon(std::uint32_t node, const Packet& packet, std::uint32_t place) const {
    if (kChooses && (net_.p.choice == Choice::least || net_.p.choice == Choice::flowlet)) return kNone;
    const bool by_path = !kChooses || net_.p.choice == Choice::path;
    const std::uint32_t index = by_path ? net_.paths[place] : NextHopChoice(net_).drawn_port(node, packet);
    if (kUsual || index != kNone) fetch(net_.ports[index]);  // beyond the end of a path that has changed
    return index;
  }
  /// Fetches what the timers that are planned will touch, for all ports first and then for what they lead to.
  void expect_timers(std::uint32_t node) const {
    const Port* const ports = net_.ports + net_.first_port[node];
    const Packet* const slots = net_.pools[node].slots;
    const SortedRun& planned = net_.timer_queues[node].ports;
    planned.for_each([&](std::uint64_t key) { fetch(ports[slot_of(key)]); });
    planned.for_each([&](std::uint64_t key) {
      const Port& port = ports[slot_of(key)];
      __builtin_prefetch(&net_.ingress[net_.ingress_index(port.on_wire_in, port.on_wire_class)], 1);
      const Queue& queue = port.queue[kDataClass];
      if (queue.empty()) return;
      __builtin_prefetch(slots + queue.head);
      __builtin_prefetch(slots + queue.tail, 1);
    });
  }

  template<bool kCalm = false>
  [[gnu::always_inline]] void timer(const Here& at_switch, std::uint32_t slot, Time now) {
    if constexpr (!kUsual)
      if (const std::uint32_t count = Base::ports_of(net_, at_switch.node); slot >= count)
        return watch(by_port(at_switch, at_switch.first_port + slot - count), at_switch.first_port + slot - count, now);
    const auto& here = by_port(at_switch, at_switch.first_port + slot);
    Port& port = net_.ports[here.first_port + slot];
    if (port.on_wire_size != 0) {
      this->template release<kCalm>(here, port.on_wire_in, port.on_wire_class, port.on_wire_size, now);
      port.on_wire_size = 0;
    }
    if (Base::is_free(port, now)) serve(here, here.first_port + slot, now);
  }

  void credit(const Here& here, std::uint32_t index, std::uint32_t traffic_class, std::uint32_t bytes, Time now) {
    if (Base::take_credit(index, traffic_class, bytes, now) && !net_.ports[index].busy) serve(by_port(here, index), index, now);
  }

  void pause(const Here& at_switch, std::uint32_t index, std::uint32_t traffic_class, bool xoff, Time now) {
    const auto& here = by_port(at_switch, index);
    Port& port = net_.ports[index];
    if (!(kUsual ? Base::set_paused(index, traffic_class, xoff, now) : Base::obey(index, traffic_class, xoff, now))) return;
    if (!kUsual && here.profile->watchdog) plan_watch(here, index);
    if (!xoff && !port.busy) serve(here, index, now);
  }

 protected:
  /// Where packets wait that leave by a port of this switch.
  [[nodiscard]] Pool& pool_at(const Here& here, std::uint32_t index, std::uint32_t queue) const {
    if constexpr (Out::kOnDevice) return Base::pool_of(index, queue);
    return here.pool;
  }

  static void fetch(const Port& port) {
    for (std::size_t line = 0; line < kHotLines; line++)
      __builtin_prefetch(reinterpret_cast<const char*>(&port) + 64 * line, 1);
  }

  /// The path of a flow may have changed since a packet was sent: then it is off that path.
  [[nodiscard]] bool is_port_of(const Here& here, std::uint32_t index) const {
    return index != kNone && net_.ports[index].node == here.node;
  }

  /// Which of a port's queues packets of a class wait in.
  [[nodiscard]] static std::uint32_t queue_of(const Here& here, std::uint32_t c) {
    if constexpr (kUsual) return c;
    return here.profile->queue[c];
  }

  /// A packet goes on the wire, if that is free, or to the end of its queue. It may leave from `ready` on.
  [[gnu::always_inline]] void line_up(const Here& here, std::uint32_t index, const Packet& packet, std::uint16_t bits,
                                      std::uint32_t link, Time ready, Time now) {
    const std::uint32_t queue = queue_of(here, (bits & Packet::kClass) >> Packet::kClassShift);
    Port& port = net_.ports[index];
    if (!port.busy && port.queue[queue].empty() && may_send(port, queue) && ready <= now)
      return leave(here, index, packet, bits, link, now);
    Base::account_backlog(port, now);
    Packet& queued = Base::enqueue(pool_at(here, index, queue), port, queue, packet);
    queued.at = ready;
    queued.bits = bits;
    queued.in = link;
    port.deepest = std::max(port.deepest, port.backlog);
    if (!port.busy) serve(here, index, now);
  }

  [[nodiscard]] static bool may_send(const Port& port, std::uint32_t c) {
    if constexpr (kUsual) return (port.paused >> c & 1) == 0;
    return Base::may_send(port, c);
  }
  [[nodiscard]] static std::uint32_t servable(const Port& port) {
    if constexpr (kUsual) return port.filled & ~std::uint32_t{port.paused};
    return Base::servable(port);
  }

  /// How long after its first bit a packet's last one is here, where it has to be before the first may leave.
  [[nodiscard]] Time wait_for_last_bit(const Port& port, std::uint32_t link, std::uint32_t size) const {
    if (kUsual || !net_.p.cut_through) return 0;
    const Port& from = net_.ports[net_.links[link].port];
    return from.cuts_through && port.rate > from.rate ? from.wire_time(size) : 0;
  }

  [[nodiscard]] bool leads_to_reducer(const Port& port) const { return port.to_host && net_.hosts[port.to].is_reducer; }

  /// Whether a queue has come to its end. In a scheduled fabric it is virtual ones that do.
  [[nodiscard]] bool is_full(const Port& port, std::uint32_t queue, const Packet& packet) const {
    return net_.p.queue_limit != 0 && !net_.p.scheduled && packet.is_data() &&
           port.queue[queue].bytes + packet.size > net_.p.queue_limit;
  }

  /// Drops a packet, or sends on what tells its receiver that there was one.
  template<bool kCalm>
  void turn_away(const Here& here, std::uint32_t index, std::uint32_t link, const Packet& packet, Time now) {
    Base::free_credit(link, packet.traffic_class(), packet.size, now);
    if (net_.p.trim_size == 0) return drop(here.s, &net_.ports[index], packet.traffic_class(), DropReason::queue);
    const Packet rest = trimmed(packet);
    if (Buffer::is_counted(by_link(here, link), kControlClass) && !this->template admit<kCalm>(here, index, link, rest, now))
      return;
    out_.count(here.s.trimmed);
    line_up(here, index, rest, static_cast<std::uint16_t>(rest.bits + Packet::kOneHop), link, now, now);
  }

  /// What is left of data where a queue is full: its headers.
  [[nodiscard]] Packet trimmed(const Packet& packet) const {
    Packet rest = packet;
    rest.size = static_cast<std::uint16_t>(net_.p.trim_size);
    rest.bits = static_cast<std::uint16_t>((packet.bits & ~(Packet::kKind | Packet::kClass)) |
                                           Packet::bits_of(Kind::bare, kControlClass));
    return rest;
  }

  /// Puts the next packet on a free wire, if one may leave.
  [[gnu::always_inline]] void serve(const Here& here, std::uint32_t index, Time now) {
    Port& port = net_.ports[index];
    const std::uint32_t waiting = servable(port);
    if (waiting == 0) return;
    const std::uint32_t chosen = choose(here, port, waiting);
    Queue& queue = port.queue[chosen];
    Pool& pool = pool_at(here, index, chosen);
    if (!kUsual && Base::packet_in(pool, queue.head).at > now) {  // its last bit has to be here before the first may leave
      port.busy = true;                                           // on a faster wire
      port.busy_until = Base::packet_in(pool, queue.head).at;
      return Base::plan(port, port.busy_until);
    }
    Base::account_backlog(port, now);
    const std::uint32_t slot = Base::dequeue(pool, port, chosen);
    const Packet& packet = Base::packet_in(pool, slot);
    queue.credit -= packet.size;
    count_wait(here.s, port, packet, now);
    leave(here, index, packet, packet.bits, packet.in, now);
    Base::give_back(pool, slot);
  }

  /// A packet leaves its queue. Those that never were in one are counted nowhere: they are what is left of all that came.
  [[gnu::always_inline]] void count_wait(Switch& s, const Port& port, const Packet& packet, Time now) const {
    if (!packet.is_data() || (!kUsual && net_.p.reduces && leads_to_reducer(port))) return;
    const auto wait = static_cast<std::uint64_t>(now - packet.at);
    out_.count(s.waits[std::min<std::uint32_t>(static_cast<std::uint32_t>(std::bit_width(wait)), kWaits - 1)]);
  }

  [[gnu::always_inline]] std::uint32_t choose(const Here& here, Port& port, std::uint32_t waiting) {
    if constexpr (!kUsual) return Base::choose_beside_headers(port, waiting, *here.profile);
    return kChooses ? Base::choose_beside_headers(port, waiting) : Base::choose_class(port, waiting);
  }

  [[gnu::always_inline]] void leave(const Here& here, std::uint32_t index, const Packet& packet, std::uint16_t bits,
                                    std::uint32_t in, Time now) {
    Port& port = net_.ports[index];
    const std::uint32_t c = packet.traffic_class();
    const std::uint32_t queue = queue_of(here, c);
    if (is_marked(here, port, queue, port.queue[queue].bytes, packet, bits)) {
      bits |= Packet::kMarked;
      port.marked++;
      port.has_past = true;
      out_.count(here.s.marked[c]);
    }
    if (!kUsual && net_.p.release_at_start) {
      release(here, in, c, packet.size, now);
    } else {
      port.on_wire_size = packet.size;
      port.on_wire_in = in;
      port.on_wire_class = static_cast<std::uint16_t>(c);
    }
    if (!kUsual && net_.p.tells_load && packet.is_data()) {
      Packet told = packet;
      told.seen = tell_load(index, packet, now);
      Base::put_on_wire(index, told, bits, now);
    } else {
      Base::put_on_wire(index, packet, bits, now);
    }
    if constexpr (!kUsual) Base::spend_credit(index, c, packet.size, now);
  }

  /// How busy the busiest port is that a packet has come by, this one included.
  [[nodiscard]] std::uint32_t tell_load(std::uint32_t index, const Packet& packet, Time now) const {
    const Port& port = net_.ports[index];
    Net::Load& load = net_.loads[index];
    const Time period = net_.p.control.load_period;
    const std::int64_t room = std::max<std::int64_t>(1, bytes_in_flight(period, port.rate));
    load.mean = load_after(load.mean, now - load.at, port.backlog, packet.size, room, period);
    load.at = now;
    return echo_of(std::max(load.mean, load_of(packet.seen)), entropy_of(packet.seen));
  }

  /// Whether a leaving packet is marked, by what stays behind in its queue: so many bytes.
  [[nodiscard]] bool is_marked(const Here& here, const Port& port, std::uint32_t queue, std::uint32_t depth,
                               const Packet& packet, std::uint32_t bits) const {
    if (depth <= kmin_of(here, queue) || !marks(here, queue) || !packet.is_data()) return false;
    if (!kUsual && port.by_credits && net_.p.island) return false;  // the InfiniBand part of a hybrid fabric
    if (!kUsual && net_.p.mixed && !net_.p.marks_beside && net_.senders[packet.flow].beside) return false;  // not ECN-capable
    if (!kUsual && net_.p.marks_roots && last_change(static_cast<std::uint32_t>(&port - net_.ports), queue) >= packet.at)
      return false;  // it waited for credits, too
    if (depth > (kUsual ? net_.p.kmax : here.profile->marking[queue].kmax)) return true;
    const std::uint64_t chance =
        (depth - kmin_of(here, queue)) * (kUsual ? net_.p.mark_slope : here.profile->marking[queue].slope);
    const std::uint64_t where = std::uint64_t{packet.number} << 8 | (bits >> Packet::kHopShift & Packet::kHops);
    return scramble(net_.p.seed, packet.flow, where) < chance;
  }

  [[nodiscard]] Time last_change(std::uint32_t index, std::uint32_t queue) const {
    return net_.pause_counters[std::size_t{index} * kClasses + queue].changed;
  }
  [[nodiscard]] bool marks(const Here& here, std::uint32_t queue) const {
    return kUsual ? net_.p.ecn : here.profile->marking[queue].enabled;
  }
  [[nodiscard]] std::uint32_t kmin_of(const Here& here, std::uint32_t queue) const {
    return kUsual ? net_.p.kmin : here.profile->marking[queue].kmin;
  }

 private:
  // The watchdog ----------------------------------------------------------------------------------------------------

  [[nodiscard]] static Time next_poll(Time at, Time poll) { return (at + poll - 1) / poll * poll; }

  /// Plans the next poll that can find anything: a queue that has been paused for long, or a storm that has been over for long.
  /// While a storm lasts, none can.
  void plan_watch(const Here& here, std::uint32_t index) {
    const Profile& p = *here.profile;
    const Port& port = net_.ports[index];
    Time at = kNever;
    for (std::uint32_t c = 0; c < kClasses; c++) {
      const bool paused = (port.paused >> c & 1) != 0, stormed = (port.stormed >> c & 1) != 0;
      if (paused != stormed)
        at = std::min(at, next_poll(last_change(index, c) + (paused ? p.detection : p.restoration), p.poll));
    }
    out_.timer(port.node, Base::ports_of(net_, port.node) + port.slot, at);
  }

  void watch(const Here& here, std::uint32_t index, Time now) {
    Port& port = net_.ports[index];
    for (std::uint32_t c = 0; c < kClasses; c++) {
      const bool paused = (port.paused >> c & 1) != 0, stormed = (port.stormed >> c & 1) != 0;
      const Time since = now - last_change(index, c);
      if (stormed && !paused && since >= here.profile->restoration) port.stormed ^= static_cast<std::uint16_t>(1U << c);
      if (paused && !stormed && since >= here.profile->detection) storm(here, index, c, now);
    }
    plan_watch(here, index);
    if (!port.busy) serve(here, index, now);
  }

  void storm(const Here& here, std::uint32_t index, std::uint32_t queue, Time now) {
    Port& port = net_.ports[index];
    Switch& s = here.s;
    port.stormed |= static_cast<std::uint16_t>(1U << queue);
    s.storms++;
    Time& watched = net_.pause_counters[std::size_t{index} * kClasses + queue].watched;
    watched = std::min(watched, now);
    if (here.profile->watchdog_forwards) return;
    Base::account_backlog(port, now);
    Pool& pool = pool_at(here, index, queue);
    while (!port.queue[queue].empty()) {
      const std::uint32_t slot = Base::dequeue(pool, port, queue);
      const Packet& packet = Base::packet_in(pool, slot);
      drop(s, &port, packet.traffic_class(), DropReason::watchdog);
      count_wait(s, port, packet, std::max(now, packet.at));
      release(here, packet.in, packet.traffic_class(), packet.size, now);
      Base::give_back(pool, slot);
    }
  }
};

}  // namespace railyard::packet
