// A NIC: queue pairs that take turns on the wire, paced by DCQCN, and what they do about answers and losses.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "engine/packet/nic_queues.h"
#include "engine/packet/nic_receiver.h"
#include "engine/packet/number_bits.h"

namespace railyard::packet {

/// Plain functions over the rows of a Net; the order of calls is that of SwitchModel.
/// `Own` derives from it, where NICs have a second transport (mixed_nic.h).
template<class Out, class Own = void>
class NicModel : public NicQueues<Out, SelfOf<Own, NicModel<Out, Own>>, NicReceiver<Out>> {
  using Base = NicQueues<Out, SelfOf<Own, NicModel<Out, Own>>, NicReceiver<Out>>;
  friend Base;

 protected:
  using Base::net_, Base::out_, Base::pop_ready, Base::queue_up, Base::serve, Base::message_of, Base::find_message;
  using State = Sender::State;

 public:
  using Base::Base;

  void arrive(std::uint32_t node, std::uint32_t link, const Packet& packet, Time now) {
    if (net_.p.fails && Base::is_lost(link, packet, now)) return;
    Host& host = net_.hosts[node];
    host.hops++;
    Base::give_credit_back(link, packet, host, now);
    switch (packet.kind()) {
      case Kind::data:
        host.data_hops++;
        if (net_.p.fails && Base::is_kept(node, link, packet, now)) return;
        return Base::take_in(node, packet, now);
      case Kind::ack:
        return hear(host, packet, now);
      case Kind::cnp:
        host.cnp_handled++;
        return slow_down(packet.flow, now);
      case Kind::bare:
        return Base::hear_request(host, packet, now);
    }
  }

 protected:
  // Sending ---------------------------------------------------------------------------------------------------------

  /// Whether a flow has something to send that its window lets it; moves on to the message that comes next.
  State wish_of(Sender& s) {
    if (s.broken) return State::idle;
    if (s.resend_from < s.resend_to) return State::ready;
    while (s.message != kNone && s.next_number == net_.messages[s.message].first + net_.messages[s.message].packets) {
      if (net_.messages[s.message].next == kNone) return State::idle;
      s.message = net_.messages[s.message].next;
    }
    if (s.message == kNone) return State::idle;
    if (must_ask(s)) return s.asked ? State::blocked : State::ready;
    if (net_.p.window != 0 && s.next_number - s.acknowledged >= net_.p.window) return State::blocked;
    return State::ready;
  }

  /// The earliest a flow that has something to send may do so. REQUIRES: wish_of said ready.
  Time may_send_at(Sender& s, Time now) {
    Time at = std::max(now, s.free_at);
    if (net_.p.reacts && s.rate.paced) {
      const DcqcnParameters& dcqcn = net_.dcqcn(s);
      catch_up(s.rate, dcqcn, std::max(now, s.rate.at));
      at = std::max(at, paid_at(s.rate, dcqcn));
    }
    if (s.resend_from >= s.resend_to && s.next_number == net_.messages[s.message].first)
      at = std::max(at, net_.messages[s.message].from);
    return at;
  }

  /// Whether the next packet needs the receiver's word first.
  [[nodiscard]] bool must_ask(const Sender& s) const { return net_.p.admission != 0 && s.next_number >= s.admitted_to; }

  /// Asks the receiver to be let send the next message.
  void ask(std::uint32_t index, std::uint32_t flow, Time now) {
    Packet packet;
    packet.flow = flow;
    packet.size = static_cast<std::uint16_t>(net_.p.ack_size);
    net_.senders[flow].asked = true;
    Base::put_on_wire(index, packet, Packet::bits_of(Kind::bare, kControlClass), now);
    queue_up(flow, now, net_.ports[index].busy_until);
  }

  /// The receiver has let the next message in; meanwhile the flow may have gone back to an earlier one.
  void hear_grant(std::uint32_t flow) {
    Sender& s = net_.senders[flow];
    std::uint32_t at = s.oldest;
    while (net_.messages[at].first < s.admitted_to) at = net_.messages[at].next;
    s.admitted_to += net_.messages[at].packets;
    s.asked = false;
  }

  /// The number to send next where something may have been lost: that, or a new one.
  std::uint32_t take_number(std::uint32_t flow, Time now) {
    Sender& s = net_.senders[flow];
    while (s.resend_from < s.resend_to) {
      const std::uint32_t number = s.resend_from++;
      if (number >= s.acknowledged && !bit_of(net_, net_.told, flow, number)) return number;
    }
    return wish_of(s) == State::ready && !must_ask(s) && !Base::is_early(s, now) ? s.next_number++ : kNone;
  }

  /// Sends the next packet of the first flow of a class that is ready.
  void send(std::uint32_t index, NicPort& nic, std::uint32_t c, Time now) {
    const std::uint32_t flow = nic.ready_head[c];
    Sender& s = net_.senders[flow];
    const Outgoing* message = net_.messages + s.message;
    std::uint32_t number = s.next_number;
    const std::uint32_t place = number - message->first;
    const bool fresh =
        !s.broken && s.resend_from >= s.resend_to && place < message->packets && (place > 0 || message->from <= now);
    if (fresh && must_ask(s)) {
      pop_ready(nic, c);
      if (!s.asked) return ask(index, flow, now);
      s.state = State::blocked;
      return serve(index, now);
    }
    if (fresh) {
      s.next_number++;
    } else {
      number = s.broken ? kNone : take_number(flow, now);
      if (number == kNone) {  // all that seemed lost has arrived meanwhile
        pop_ready(nic, c);
        queue_up(flow, now, now);
        return serve(index, now);
      }
      message = &message_of(s, number);
    }
    const std::uint32_t index_in_message = number - message->first;
    const bool last = index_in_message + 1 == message->packets;
    Packet packet;
    packet.flow = flow;
    packet.number = number;
    const std::uint32_t payload = last ? message->last_payload : message->payload;
    const std::uint32_t headers = net_.p.header + (index_in_message == 0 ? net_.p.message_header : 0);
    packet.size = static_cast<std::uint16_t>(std::max(1U, payload + headers));  // nothing has no time on the wire
    auto bits = Packet::bits_of(Kind::data, c);
    if (last) bits |= Packet::kLast;
    if (net_.p.window != 0 && number + 1 - s.acknowledged >= net_.p.window) bits |= Packet::kAnswer;
    if (number < s.sent_most)
      s.retransmissions++;
    else
      s.sent_most = number + 1;
    const bool paced = net_.p.reacts && s.rate.paced;
    if (paced) {
      const DcqcnParameters& dcqcn = net_.dcqcn(s);
      catch_up(s.rate, dcqcn, now);
      charge(s.rate, dcqcn, packet.size);
    }
    if (s.pace != kNone) s.free_at = now + net_.ports[s.pace].wire_time(packet.size);
    Base::watch_for_ack(s, flow, now);
    Port& port = net_.ports[index];
    port.queue[c].credit -= packet.size;
    if (net_.p.host_rate > 0)
      nic.host_free = now + static_cast<Time>(std::uint64_t{packet.size} * 8'000'000'000'000 /
                                              static_cast<std::uint64_t>(net_.p.host_rate));
    Base::put_on_wire(index, packet, bits, now);
    Base::spend_credit(index, c, packet.size, now);
    if (fresh && !last && !paced && s.pace == kNone && net_.p.window == 0 && flow == nic.ready_tail[c])
      return;  // it is next again
    pop_ready(nic, c);
    queue_up(flow, now, port.busy_until);
  }

  // Answers to what was sent ----------------------------------------------------------------------------------------

  void slow_down(std::uint32_t flow, Time now) {
    Sender& s = net_.senders[flow];
    s.cnps++;
    const DcqcnParameters& dcqcn = net_.dcqcn(s);
    if (dcqcn.enabled && !net_.ports[s.port].by_credits) notify(s.rate, dcqcn, now);
  }

  void hear(Host& host, const Packet& packet, Time now) {
    Sender& s = net_.senders[packet.flow];
    const bool waits = packet.has(Packet::kNak) && Base::waits_for_message(s, now);
    if (packet.has(Packet::kAnswer)) {
      hear_grant(packet.flow);
    } else {
      hear_answer(host, s, packet, now);
    }
    if (s.state == State::idle || s.state == State::blocked || waits) {
      Base::queue_up_again(packet.flow, now);
      Port& port = net_.ports[s.port];
      if (s.state != State::idle && s.state != State::blocked && !port.busy) serve(s.port, now);
    }
  }

  void hear_answer(Host& host, Sender& s, const Packet& packet, Time now) {
    if (packet.has(Packet::kMarked)) host.cnp_handled++, slow_down(packet.flow, now);
    if (s.broken) return;
    if (packet.number > s.acknowledged && packet.number <= s.sent_most) {
      if (net_.p.selective) clear_bits(net_, net_.told, packet.flow, s.acknowledged, packet.number);
      s.acknowledged = packet.number;
      s.retries = 0;
      s.deadline = s.acknowledged == s.sent_most ? kNever : now + net_.p.timeout;
      if (s.next_number < s.acknowledged) s.next_number = s.acknowledged, find_message(s);
      while (s.oldest != kNone && s.acknowledged >= net_.messages[s.oldest].first + net_.messages[s.oldest].packets) {
        out_.acknowledged(packet.flow, now);
        if (net_.messages[s.oldest].next == kNone)
          Base::break_off(s);
        else
          s.oldest = net_.messages[s.oldest].next;
      }
    }
    if (packet.has(Packet::kNak)) send_again(s, packet);
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

  /// No ACK came in time: everything that was not acknowledged is sent again.
  void give_up(Sender& s, std::uint32_t flow, std::uint32_t node, Time now) {
    net_.hosts[node].timeouts++;
    const bool breaks = net_.p.retries > 0 && s.retries++ == net_.p.retries;
    if (net_.p.fails) out_.gave_up(flow, breaks, now);
    if (breaks) {
      net_.hosts[node].broken++;
      s.broken = true;
      s.deadline = kNever;
      return;
    }
    s.deadline = now + net_.p.timeout;
    const bool waits = Base::waits_for_message(s, now);
    if (net_.p.selective) {
      s.resend_from = s.acknowledged;
      s.resend_to = s.sent_most;
    } else {
      s.next_number = s.acknowledged;
      find_message(s);
    }
    if (s.state == State::idle || s.state == State::blocked || waits) Base::queue_up_again(flow, now);
  }
};

}  // namespace railyard::packet
