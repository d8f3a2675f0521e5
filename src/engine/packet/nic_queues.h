// Queue pairs of a NIC that take turns on the wire: who is ready, who waits for a time, and who waits for an answer.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "engine/packet/port_model.h"

namespace railyard::packet {

/// What a model of NICs is: itself, or what derives from it.
template<class Own, class Model>
using SelfOf = std::conditional_t<std::is_void_v<Own>, Model, Own>;

/// What NICs have in common, whatever their transport does about rates, answers and losses. `Self`, which derives from it, has
///   wish_of(sender)                 whether a flow has something to send that it may send, sooner or later
///   may_send_at(sender, now)        the earliest it may; REQUIRES: wish_of said ready
///   send(port, nic, class, now)     the next packet of the first flow of a class that is ready goes on the wire
///   give_up(sender, flow, node, now)   no answer came in time
///   take_in(node, packet, now)      data has arrived
/// and `Receiving`, which derives from HostPort, is what it does about packets that arrive.
template<class Out, class Self, class Receiving>
class NicQueues : protected Receiving {
 protected:
  using Base = Receiving;
  using Base::net_, Base::out_;
  using State = Sender::State;

 public:
  using Base::Base;
  static constexpr bool kHasPorts = false, kHasOthers = true;  // on its timer queue

  using Here = std::uint32_t;  // a node
  struct Tally {};
  [[nodiscard]] Here at(std::uint32_t node, Tally* = nullptr) const { return node; }
  [[nodiscard]] Tally tally_of(std::uint32_t) const { return {}; }

  /// Fetches what the arrival of a packet will touch first.
  [[nodiscard]] std::uint32_t expect(const Packet& packet) const {
    __builtin_prefetch(&net_.receivers[packet.flow]);
    return kNone;
  }
  [[nodiscard]] std::uint32_t expect_soon(std::uint32_t, const Packet&, std::uint32_t) const { return kNone; }
  void expect_timers(std::uint32_t) const {}

  void timer(std::uint32_t node, std::uint32_t slot, Time now) {
    const std::uint32_t count = Base::ports_of(net_, node), first = net_.first_port[node];
    if (slot < count) {
      if (Base::is_free(net_.ports[first + slot], now)) serve(first + slot, now);
    } else if (slot < 2 * count) {
      ring_alarms(node, first + slot - count, now);
    } else {
      Base::own_timer(node, slot - 2 * count, now);
    }
  }

  void pause(std::uint32_t, std::uint32_t index, std::uint32_t traffic_class, bool xoff, Time now) {
    Port& port = net_.ports[index];
    if (Base::obey(index, traffic_class, xoff, now) && !xoff && !port.busy) serve(index, now);
  }

  void credit(std::uint32_t, std::uint32_t index, std::uint32_t traffic_class, std::uint32_t bytes, Time now) {
    if (Base::take_credit(index, traffic_class, bytes, now) && !net_.ports[index].busy) serve(index, now);
  }

  /// A flow goes on by another port of its host.
  void move(std::uint32_t flow, std::uint32_t index, Time now) {
    Sender& s = net_.senders[flow];
    NicPort& before = net_.nics[s.port];
    const bool lined_up = s.state == State::ready || s.state == State::waiting;
    if (s.state == State::ready) take_from_ready(before, flow);
    if (s.state == State::waiting) before.waiting.remove(flow);
    if (s.has_alarm) before.alarms.remove(flow);
    s.has_alarm = s.has_alarm && s.deadline != kNever;
    s.port = index;
    Port& port = net_.ports[index];
    if (s.has_alarm) {
      push(net_.nics[index].alarms, {s.deadline, flow});
      out_.timer(port.node, Base::ports_of(net_, port.node) + port.slot, net_.nics[index].alarms.first());
    }
    if (!lined_up) return;
    queue_up(flow, now, now);
    if (!port.busy) out_.timer(port.node, port.slot, std::max(now, next_start(index, now)));
  }

  /// The host takes packets in at another rate, or not at all; what its NIC has kept is taken in when it goes on.
  void change_host(std::uint32_t node, std::int64_t rate, bool stuck, Time now) {
    Base::set_take_rate(node, rate, stuck, now);
    if (stuck) return;
    if constexpr (!Out::kOnDevice) take_in_kept(node, now);
    if (net_.hosts[node].has_paused) Base::resume_switch(node, now);
  }

  /// A message was added to a flow.
  void offer(std::uint32_t flow, Time now) {
    Sender& s = net_.senders[flow];
    if (s.state != State::idle) return;
    Port& port = net_.ports[s.port];
    queue_up(flow, now, now);
    if (!port.busy) out_.timer(port.node, port.slot, std::max(now, next_start(s.port, now)));
  }

 protected:
  void take_in_kept(std::uint32_t node, Time now) {
    std::vector<KeptPacket> kept;
    if (net_.kept != nullptr) kept.swap(net_.kept[node]);
    for (const KeptPacket& one : kept) {
      Base::give_credit_back(one.link, one.packet, net_.hosts[node], now);
      self().take_in(node, one.packet, now);
    }
  }

  void append_ready(NicPort& nic, std::uint32_t flow) {
    Sender& s = net_.senders[flow];
    s.state = State::ready;
    s.behind = kNone;
    const std::uint32_t c = s.traffic_class;
    nic.ready |= 1U << c;
    if (nic.ready_head[c] == kNone)
      nic.ready_head[c] = flow;
    else
      net_.senders[nic.ready_tail[c]].behind = flow;
    nic.ready_tail[c] = flow;
  }

  std::uint32_t pop_ready(NicPort& nic, std::uint32_t c) {
    const std::uint32_t flow = nic.ready_head[c];
    nic.ready_head[c] = net_.senders[flow].behind;
    if (nic.ready_head[c] == kNone) nic.ready &= ~(1U << c);
    return flow;
  }

  /// REQUIRES: the flow is ready. Looks at all that are: it is for what happens seldom.
  void take_from_ready(NicPort& nic, std::uint32_t flow) {
    const std::uint32_t c = net_.senders[flow].traffic_class;
    if (nic.ready_head[c] == flow) {
      pop_ready(nic, c);
      return;
    }
    std::uint32_t before = nic.ready_head[c];
    while (net_.senders[before].behind != flow) before = net_.senders[before].behind;
    net_.senders[before].behind = net_.senders[flow].behind;
    if (nic.ready_tail[c] == flow) nic.ready_tail[c] = before;
  }

  /// Lines a flow up by what it may do: now means by the time the wire is free.
  void queue_up(std::uint32_t flow, Time now, Time wire_free) {
    Sender& s = net_.senders[flow];
    NicPort& nic = net_.nics[s.port];
    s.state = self().wish_of(s);
    if (s.state != State::ready) return;
    const Time at = self().may_send_at(s, now);
    if (at <= wire_free) return append_ready(nic, flow);
    s.state = State::waiting;
    push(nic.waiting, {at, flow});
  }

  /// Whether the next packet that is new begins a message that the NIC does not know of yet. REQUIRES: there is one.
  [[nodiscard]] bool is_early(const Sender& s, Time now) const {
    const Outgoing& next = net_.messages[s.message];
    return s.next_number == next.first && next.from > now;
  }

  /// Whether a flow waits for the time of a message. What is lost before that does not wait.
  [[nodiscard]] bool waits_for_message(const Sender& s, Time now) const {
    return s.state == State::waiting && is_early(s, now);
  }

  /// Lines a flow up that is idle, blocked or waits: what it may do has changed.
  void queue_up_again(std::uint32_t flow, Time now) {
    const Sender& s = net_.senders[flow];
    if (s.state == State::waiting) net_.nics[s.port].waiting.remove(flow);
    queue_up(flow, now, now);
  }

  /// Flows whose time has come join those that are ready; a cut of their rate since may have moved it.
  void wake_up(NicPort& nic, Time now) {
    while (nic.waiting.first() <= now) {
      const std::uint32_t flow = nic.waiting.entries[0].flow;
      nic.waiting.pop();
      queue_up(flow, now, now);
    }
  }

  [[nodiscard]] Time next_start(std::uint32_t index, Time now) const {
    const NicPort& nic = net_.nics[index];
    return nic.ready != 0 ? std::max(now, nic.host_free) : nic.waiting.first();
  }

  /// Puts the next packet on a free wire, if one may leave: answers first, then flows in turn.
  void serve(std::uint32_t index, Time now) {
    Port& port = net_.ports[index];
    NicPort& nic = net_.nics[index];
    wake_up(nic, now);
    if (const std::uint32_t answers = Base::servable(port); answers != 0) {
      const auto c = static_cast<std::uint32_t>(std::countr_zero(answers));
      Pool& pool = Base::pool_of(index, c);
      const std::uint32_t slot = Base::dequeue(pool, port, c);
      const Packet& packet = Base::packet_in(pool, slot);
      Base::put_on_wire(index, packet, packet.bits, now);
      Base::spend_credit(index, packet.traffic_class(), packet.size, now);
      return Base::give_back(pool, slot);
    }
    const std::uint32_t waiting = nic.ready & ~(std::uint32_t{port.paused} & ~std::uint32_t{port.stormed});
    if (waiting == 0) return out_.timer(port.node, port.slot, nic.waiting.first());
    if (nic.host_free > now) return out_.timer(port.node, port.slot, nic.host_free);
    self().send(index, nic, choose_flows(port, waiting), now);
  }

  /// The class whose flows are next.
  std::uint32_t choose_flows(Port& port, std::uint32_t waiting) {
    return net_.p.by_profile ? Base::choose_queue(port, waiting, net_.profile(port.node)) : Base::choose_class(port, waiting);
  }

  /// The message a number belongs to: the one being sent, unless something is sent again.
  const Outgoing& message_of(const Sender& s, std::uint32_t number) const {
    const Outgoing& current = net_.messages[s.message];
    if (number - current.first < current.packets) return current;
    std::uint32_t at = s.oldest;
    while (number - net_.messages[at].first >= net_.messages[at].packets) at = net_.messages[at].next;
    return net_.messages[at];
  }

  /// Every message of a flow is acknowledged.
  static void break_off(Sender& s) {
    s.message = s.newest;
    s.oldest = kNone;
  }

  void find_message(Sender& s) const {
    if (s.oldest == kNone) return;
    std::uint32_t at = s.oldest;
    while (s.next_number - net_.messages[at].first >= net_.messages[at].packets && net_.messages[at].next != kNone)
      at = net_.messages[at].next;
    s.message = at;
  }

  void watch_for_ack(Sender& s, std::uint32_t flow, Time now) {
    if (s.deadline == kNever) s.deadline = now + net_.p.timeout;
    if (s.has_alarm || net_.p.timeout == kNever) return;
    s.has_alarm = true;
    NicPort& nic = net_.nics[s.port];
    const Port& port = net_.ports[s.port];
    push(nic.alarms, {s.deadline, flow});
    out_.timer(port.node, Base::ports_of(net_, port.node) + port.slot, nic.alarms.first());
  }

  void ring_alarms(std::uint32_t node, std::uint32_t index, Time now) {
    NicPort& nic = net_.nics[index];
    while (nic.alarms.first() <= now) {
      const std::uint32_t flow = nic.alarms.entries[0].flow;
      Sender& s = net_.senders[flow];
      nic.alarms.pop();
      s.has_alarm = false;
      if (s.deadline == kNever) continue;
      if (s.deadline <= now) self().give_up(s, flow, node, now);
      if (s.deadline == kNever) continue;
      s.has_alarm = true;
      push(nic.alarms, {s.deadline, flow});
    }
    out_.timer(node, Base::ports_of(net_, node) + net_.ports[index].slot, nic.alarms.first());
    if (!net_.ports[index].busy) serve(index, now);
  }

 private:
  void push(FlowHeap& heap, TimedFlow entry) {
    out_.make_room(heap);
    heap.push(entry);
  }

  Self& self() { return static_cast<Self&>(*this); }
};

}  // namespace railyard::packet
