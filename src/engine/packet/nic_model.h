// A NIC: queue pairs that take turns on the wire, paced by DCQCN, and what they do about answers and losses.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "engine/packet/nic_receiver.h"
#include "engine/packet/number_bits.h"

namespace railyard::packet {

/// Plain functions over the rows of a Net; the order of calls is that of SwitchModel.
template<class Out>
class NicModel : NicReceiver<Out> {
  using Base = NicReceiver<Out>;
  using Base::net_, Base::out_;
  using State = Sender::State;

 public:
  using Base::Base;
  static constexpr bool kHasPorts = false, kHasOthers = true;  // on its agenda

  using Here = std::uint32_t;  // a node
  [[nodiscard]] Here at(std::uint32_t node) const { return node; }

  void arrive(std::uint32_t node, std::uint32_t, const Packet& packet, Time now) {
    Host& host = net_.hosts[node];
    host.hops++;
    switch (packet.kind()) {
      case Kind::data:
        host.data_hops++;
        return Base::take_in(node, packet, now);
      case Kind::ack:
        return hear(host, packet, now);
      case Kind::cnp:
        host.cnp_handled++;
        return slow_down(packet.flow, now);
    }
  }

  /// Fetches what the arrival of a packet will touch first.
  void expect(const Packet& packet) const { __builtin_prefetch(&net_.receivers[packet.flow]); }
  void expect_soon(const Packet&) const {}
  void expect_timers(std::uint32_t) const {}

  void timer(std::uint32_t node, std::uint32_t slot, Time now) {
    const std::uint32_t count = Base::ports_of(net_, node), first = net_.first_port[node];
    if (slot < count) {
      if (Base::is_free(net_.ports[first + slot], now)) serve(first + slot, now);
    } else if (slot < 2 * count) {
      ring_alarms(node, first + slot - count, now);
    } else {
      Base::resume_switch(node, now);
    }
  }

  void pause(std::uint32_t, std::uint32_t index, std::uint32_t traffic_class, bool stop, Time now) {
    Port& port = net_.ports[index];
    if (Base::set_paused(port, traffic_class, stop, now) && !stop && !port.busy) serve(index, now);
  }

  /// A message was added to a flow.
  void offer(std::uint32_t flow, Time now) {
    Sender& s = net_.senders[flow];
    if (s.state != State::idle) return;
    Port& port = net_.ports[s.port];
    queue_up(flow, now, now);
    if (!port.busy) out_.timer(port.node, port.slot, std::max(now, next_start(s.port, now)));
  }

 private:
  // Sending ---------------------------------------------------------------------------------------------------------

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

  /// Whether a flow has something to send that its window lets it; moves on to the message that comes next.
  State wish_of(Sender& s) {
    if (s.broken) return State::idle;
    if (s.resend_from < s.resend_to) return State::ready;
    while (s.message != kNone && s.next_number == net_.messages[s.message].first + net_.messages[s.message].packets) {
      if (net_.messages[s.message].next == kNone) return State::idle;
      s.message = net_.messages[s.message].next;
    }
    if (s.message == kNone) return State::idle;
    if (net_.p.window != 0 && s.next_number - s.acknowledged >= net_.p.window) return State::blocked;
    return State::ready;
  }

  /// The earliest a flow that has something to send may do so. REQUIRES: wish_of said ready.
  Time may_send_at(Sender& s, Time now) {
    Time at = now;
    if (net_.p.dcqcn.enabled && s.rate.is_limited()) {
      catch_up(s.rate, net_.p.dcqcn, std::max(now, s.rate.at));
      at = std::max(at, paid_at(s.rate, net_.p.dcqcn));
    }
    if (s.resend_from >= s.resend_to && s.next_number == net_.messages[s.message].first)
      at = std::max(at, net_.messages[s.message].from);
    return at;
  }

  /// Lines a flow up by what it may do: now means by the time the wire is free.
  void queue_up(std::uint32_t flow, Time now, Time wire_free) {
    Sender& s = net_.senders[flow];
    NicPort& nic = net_.nics[s.port];
    s.state = wish_of(s);
    if (s.state != State::ready) return;
    const Time at = may_send_at(s, now);
    if (at <= wire_free) return append_ready(nic, flow);
    s.state = State::waiting;
    nic.waiting.push({at, flow});
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
      Pool& pool = net_.pools[port.node];
      const std::uint32_t slot = Base::dequeue(pool, port, static_cast<std::uint32_t>(std::countr_zero(answers)));
      Base::put_on_wire(index, pool.slots[slot], pool.slots[slot].bits, now);
      return pool.give_back(slot);
    }
    const std::uint32_t waiting = nic.ready & ~(std::uint32_t{port.paused} & ~std::uint32_t{port.stormed});
    if (waiting == 0) return out_.timer(port.node, port.slot, nic.waiting.first());
    if (nic.host_free > now) return out_.timer(port.node, port.slot, nic.host_free);
    send(index, nic, Base::choose_class(port, waiting), now);
  }

  /// The number to send next where something may have been lost: that, or a new one.
  std::uint32_t take_number(std::uint32_t flow) {
    Sender& s = net_.senders[flow];
    while (s.resend_from < s.resend_to) {
      const std::uint32_t number = s.resend_from++;
      if (number >= s.acknowledged && !bit_of(net_, net_.told, flow, number)) return number;
    }
    return s.next_number < kNone && wish_of(s) == State::ready ? s.next_number++ : kNone;
  }

  /// Sends the next packet of the first flow of a class that is ready.
  void send(std::uint32_t index, NicPort& nic, std::uint32_t c, Time now) {
    const std::uint32_t flow = nic.ready_head[c];
    Sender& s = net_.senders[flow];
    const Outgoing* message = net_.messages + s.message;
    std::uint32_t number = s.next_number;
    const bool fresh = !s.broken && s.resend_from >= s.resend_to && number - message->first < message->packets;
    if (fresh) {
      s.next_number++;
    } else {
      number = s.broken ? kNone : take_number(flow);
      if (number == kNone) {  // all that seemed lost has arrived meanwhile
        pop_ready(nic, c);
        queue_up(flow, now, now);
        return serve(index, now);
      }
      message = &message_of(s, number);
    }
    const std::uint32_t place = number - message->first;
    const bool last = place + 1 == message->packets;
    Packet packet;
    packet.flow = flow;
    packet.number = number;
    packet.size = static_cast<std::uint16_t>((last ? message->last_payload : net_.p.mtu) + net_.p.header +
                                             (place == 0 ? net_.p.message_header : 0));
    auto bits = Packet::bits_of(Kind::data, c);
    if (last) bits |= Packet::kLast;
    if (net_.p.window != 0 && number + 1 - s.acknowledged >= net_.p.window) bits |= Packet::kAnswer;
    if (number < s.sent_most)
      s.retransmissions++;
    else
      s.sent_most = number + 1;
    const bool paced = net_.p.dcqcn.enabled && s.rate.is_limited();
    if (paced) {
      catch_up(s.rate, net_.p.dcqcn, now);
      charge(s.rate, net_.p.dcqcn, packet.size);
    }
    watch_for_ack(s, flow, now);
    Port& port = net_.ports[index];
    port.queue[c].credit -= packet.size;
    if (net_.p.host_rate > 0)
      nic.host_free = now + static_cast<Time>(std::uint64_t{packet.size} * 8'000'000'000'000 /
                                              static_cast<std::uint64_t>(net_.p.host_rate));
    Base::put_on_wire(index, packet, bits, now);
    if (fresh && !last && !paced && net_.p.window == 0 && flow == nic.ready_tail[c]) return;  // it is next again
    pop_ready(nic, c);
    queue_up(flow, now, port.busy_until);
  }

  /// The message a number belongs to: the one being sent, unless something is sent again.
  const Outgoing& message_of(const Sender& s, std::uint32_t number) const {
    const Outgoing& current = net_.messages[s.message];
    if (number - current.first < current.packets) return current;
    std::uint32_t at = s.oldest;
    while (number - net_.messages[at].first >= net_.messages[at].packets) at = net_.messages[at].next;
    return net_.messages[at];
  }

  // Answers to what was sent ----------------------------------------------------------------------------------------

  void slow_down(std::uint32_t flow, Time now) {
    Sender& s = net_.senders[flow];
    s.cnps++;
    if (net_.p.dcqcn.enabled) notify(s.rate, net_.p.dcqcn, now);
  }

  void hear(Host& host, const Packet& packet, Time now) {
    Sender& s = net_.senders[packet.flow];
    if (packet.has(Packet::kMarked)) host.cnp_handled++, slow_down(packet.flow, now);
    if (packet.number > s.acknowledged && packet.number <= s.sent_most) {
      if (net_.p.selective) clear_bits(net_, net_.told, packet.flow, s.acknowledged, packet.number);
      s.acknowledged = packet.number;
      s.retries = 0;
      s.deadline = s.acknowledged == s.sent_most ? kNever : now + net_.p.timeout;
      if (s.next_number < s.acknowledged) s.next_number = s.acknowledged, find_message(s);
      while (s.oldest != kNone && s.acknowledged >= net_.messages[s.oldest].first + net_.messages[s.oldest].packets) {
        out_.acknowledged(packet.flow, now);
        if (net_.messages[s.oldest].next == kNone)
          break_off(s);
        else
          s.oldest = net_.messages[s.oldest].next;
      }
    }
    if (packet.has(Packet::kNak)) send_again(s, packet);
    if (s.state == State::idle || s.state == State::blocked) {
      queue_up(packet.flow, now, now);
      Port& port = net_.ports[s.port];
      if (s.state != State::idle && s.state != State::blocked && !port.busy) serve(s.port, now);
    }
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

  void send_again(Sender& s, const Packet& packet) {
    if (packet.number < s.acknowledged || packet.number >= s.sent_most) return;
    if (!net_.p.selective) {
      if (s.next_number > packet.number) s.next_number = packet.number, find_message(s);
      return;
    }
    set_bit(net_, net_.told, packet.flow, packet.seen);
    s.resend_from = std::max(s.resend_from, packet.number);
    s.resend_to = std::max(s.resend_to, packet.seen);
  }

  void watch_for_ack(Sender& s, std::uint32_t flow, Time now) {
    if (s.deadline == kNever) s.deadline = now + net_.p.timeout;
    if (s.has_alarm || net_.p.timeout == kNever) return;
    s.has_alarm = true;
    NicPort& nic = net_.nics[s.port];
    const Port& port = net_.ports[s.port];
    nic.alarms.push({s.deadline, flow});
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
      if (s.deadline <= now) give_up(s, flow, node, now);
      if (s.deadline == kNever) continue;
      s.has_alarm = true;
      nic.alarms.push({s.deadline, flow});
    }
    out_.timer(node, Base::ports_of(net_, node) + net_.ports[index].slot, nic.alarms.first());
    if (!net_.ports[index].busy) serve(index, now);
  }

  /// No ACK came in time: everything that was not acknowledged is sent again.
  void give_up(Sender& s, std::uint32_t flow, std::uint32_t node, Time now) {
    net_.hosts[node].timeouts++;
    if (net_.p.retries > 0 && s.retries++ == net_.p.retries) {
      net_.hosts[node].broken++;
      s.broken = true;
      s.deadline = kNever;
      return;
    }
    s.deadline = now + net_.p.timeout;
    if (net_.p.selective) {
      s.resend_from = s.acknowledged;
      s.resend_to = s.sent_most;
    } else {
      s.next_number = s.acknowledged;
      find_message(s);
    }
    if (s.state == State::idle || s.state == State::blocked) queue_up(flow, now, now);
  }
};

}  // namespace railyard::packet
