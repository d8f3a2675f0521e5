// A NIC whose queue pairs go by what ACKs tell, and limit what they have in flight or how fast they send: TCP, Ultra Ethernet,
// RoCE with HPCC, Swift or TIMELY, and InfiniBand with its congestion control.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/packet/nic_queues.h"
#include "engine/packet/window_receiver.h"

namespace railyard::packet {

/// Plain functions over the rows of a Net; the order of calls is that of SwitchModel. Packets that are known to be lost have
/// their bits in `told`.
/// `Own` derives from it, where NICs have a second transport (mixed_nic.h).
template<class Out, class Own = void>
class WindowNic : public NicQueues<Out, SelfOf<Own, WindowNic<Out, Own>>, WindowReceiver<Out>> {
  using Base = NicQueues<Out, SelfOf<Own, WindowNic<Out, Own>>, WindowReceiver<Out>>;
  friend Base;

 protected:
  using Base::net_, Base::out_, Base::pop_ready, Base::queue_up, Base::serve, Base::message_of;
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
      case Kind::bare:
        return Base::ask_again(node, packet, now);
      case Kind::ack:
        return hear(host, packet, now);
      case Kind::cnp:
        return hear_of_credit(packet, now);
    }
  }

 protected:
  // Sending ---------------------------------------------------------------------------------------------------------

  [[nodiscard]] std::uint32_t flow_of(const Sender& s) const { return static_cast<std::uint32_t>(&s - net_.senders); }

  /// Whether the receiver lets a flow send, where it gives credit. What it knows nothing of may begin unasked, once all that it
  /// knew of has arrived.
  [[nodiscard]] bool has_credit(const Sender& s) const {
    if (!net_.p.receiver_credits) return true;
    const Allowance& a = net_.allowances[flow_of(s)];
    if (s.window.lost == 0 && s.next_number >= a.told_to) return s.window.in_flight == 0;
    return a.left > 0;
  }

  /// Takes a packet off what a flow may send, and notes what the receiver will learn from it. Returns bits to add.
  std::uint16_t spend_allowance(std::uint32_t flow, std::uint32_t number, Time now) {
    Allowance& a = net_.allowances[flow];
    const std::uint32_t before = a.told_to;
    know_of(net_, a.untold, a.told_to, now >> kStampShift);
    const bool begins = number >= before;
    const std::uint32_t most = begins ? a.first : a.unasked;
    const std::uint32_t unasked = std::min(most, a.told_to - (begins ? number : before));
    a.left = begins ? std::max(a.left, unasked) : a.left + unasked;
    a.unasked = most - unasked;
    a.left--;
    std::uint16_t bits = a.left == 0 ? Packet::kAnswer : 0;
    if (begins) bits |= Packet::kBegins;
    if (a.lost_touch) bits |= Packet::kNak, a.unasked = 0;
    a.lost_touch = false;
    return bits;
  }

  /// Whether the window lets a flow send. So few packets that nobody has to answer for them do not block it, unless the last
  /// one has asked for an answer.
  [[nodiscard]] bool has_room(const Sender& s) const {
    const Window& w = s.window;
    if (!has_credit(s)) return false;
    if (w.in_flight == 0 || !is_used_up(w, net_.p.control, w.in_flight)) return true;
    return w.in_flight < net_.p.ack_every && !s.asked;
  }

  /// Whether a flow has something to send that its window lets it; moves on to the message that comes next.
  State wish_of(Sender& s) {
    if (s.broken) return State::idle;
    if (s.window.lost > 0) return has_room(s) ? State::ready : State::blocked;
    while (s.message != kNone && s.next_number == net_.messages[s.message].first + net_.messages[s.message].packets) {
      if (net_.messages[s.message].next == kNone) return State::idle;
      s.message = net_.messages[s.message].next;
    }
    if (s.message == kNone) return State::idle;
    return has_room(s) && s.next_number - s.acknowledged < net_.bitmap ? State::ready : State::blocked;
  }

  Time may_send_at(Sender& s, Time now) {
    Time at = std::max(now, s.free_at);
    if (s.window.lost == 0 && s.next_number == net_.messages[s.message].first) at = std::max(at, net_.messages[s.message].from);
    return at;
  }

  /// The number to send next: one that was lost, or a new one.
  std::uint32_t take_number(std::uint32_t flow, Sender& s) {
    if (s.window.lost == 0) return s.next_number++;
    for (s.resend_from = std::max(s.resend_from, s.acknowledged); !bit_of(net_, net_.told, flow, s.resend_from);)
      s.resend_from++;
    s.window.lost--;
    clear_bits(net_, net_.told, flow, s.resend_from, s.resend_from + 1);
    return s.resend_from++;
  }

  std::uint32_t draw_entropy(std::uint32_t flow, Sender& s, std::uint32_t number) {
    if (net_.p.recycles && s.entropy_cache.count > 0) return s.entropy_cache.take();
    return static_cast<std::uint32_t>(scramble(net_.p.seed, flow, number + (std::uint64_t{s.retransmissions} << 32)) >> 32) %
           net_.p.entropies;
  }

  void send(std::uint32_t index, NicPort& nic, std::uint32_t c, Time now) {
    const std::uint32_t flow = pop_ready(nic, c);
    Sender& s = net_.senders[flow];
    if (wish_of(s) != State::ready || (s.window.lost == 0 && Base::is_early(s, now))) {  // what was lost has arrived meanwhile
      queue_up(flow, now, now);
      return serve(index, now);
    }
    Window& w = s.window;
    const std::uint32_t number = take_number(flow, s);
    const Outgoing& message = message_of(s, number);
    const std::uint32_t index_in_message = number - message.first;
    const bool last = index_in_message + 1 == message.packets;
    Packet packet;
    packet.flow = flow;
    packet.number = number;
    const std::uint32_t payload = last ? message.last_payload : message.payload;
    const std::uint32_t headers = net_.p.header + (index_in_message == 0 ? net_.p.message_header : 0);
    packet.size = static_cast<std::uint16_t>(std::max(1U, payload + headers));  // nothing has no time on the wire
    packet.seen = echo_of(net_.p.tells_load ? 0 : stamp_of(now), draw_entropy(flow, s, number));
    auto bits = Packet::bits_of(Kind::data, c);
    if (last) bits |= Packet::kLast;
    w.in_flight++;
    s.asked = is_used_up(w, net_.p.control, w.in_flight);
    if (s.asked) bits |= Packet::kAnswer, s.asked_by = number;
    if (net_.p.receiver_credits) bits |= spend_allowance(flow, number, now);
    if (number < s.sent_most)
      s.retransmissions++;
    else
      s.sent_most = number + 1;
    Base::watch_for_ack(s, flow, now);
    spend_time(nic, s, packet.size, now);
    Port& port = net_.ports[index];
    port.queue[c].credit -= packet.size;
    Base::put_on_wire(index, packet, bits, now);
    Base::spend_credit(index, c, packet.size, now);
    queue_up(flow, now, port.busy_until);
  }

  /// Of the host, of the processor that looks after this flow, and by its rate.
  void spend_time(NicPort& nic, Sender& s, std::uint32_t size, Time now) const {
    const auto time_at = [&](std::int64_t rate) {
      return static_cast<Time>(std::uint64_t{size} * 8'000'000'000'000 / static_cast<std::uint64_t>(rate));
    };
    if (net_.p.host_rate > 0) nic.host_free = now + time_at(net_.p.host_rate);
    if (net_.p.flow_rate > 0) s.free_at = now + time_at(net_.p.flow_rate);
    if (s.pace != kNone) s.free_at = std::max(s.free_at, now + net_.ports[s.pace].wire_time(size));
    if (const std::int64_t pace = pace_of(s.window, net_.p.control, now); pace > 0)
      s.free_at = std::max(s.free_at, now + time_at(pace));
  }

  // Answers to what was sent ----------------------------------------------------------------------------------------

  void hear(Host& host, const Packet& packet, Time now) {
    Sender& s = net_.senders[packet.flow];
    if (s.broken) return;
    const bool waits = packet.has(Packet::kNak) && Base::waits_for_message(s, now);
    if (packet.has(Packet::kNak))
      hear_of_loss(s, packet, now);
    else
      hear_of_arrival(host, s, packet, now);
    go_on(s, packet.flow, waits, now);
  }

  void hear_of_credit(const Packet& packet, Time now) {
    Sender& s = net_.senders[packet.flow];
    Allowance& a = net_.allowances[packet.flow];
    if (static_cast<std::int32_t>(packet.number - a.granted) <= 0) return;
    a.left += packet.number - a.granted;
    a.granted = packet.number;
    if (s.deadline != kNever) s.deadline = now + net_.p.timeout;
    go_on(s, packet.flow, false, now);
  }

  /// A flow that waited for an answer may have got it; one that `waits` for a later message may have something to send again.
  void go_on(Sender& s, std::uint32_t flow, bool waits, Time now) {
    if (s.state != State::idle && s.state != State::blocked && !waits) return;
    Base::queue_up_again(flow, now);
    if (s.state != State::idle && s.state != State::blocked && !net_.ports[s.port].busy) serve(s.port, now);
  }

  void hear_of_loss(Sender& s, const Packet& packet, Time now) {
    const std::uint32_t number = packet.number;
    if (number < s.acknowledged || number >= s.sent_most || bit_of(net_, net_.told, packet.flow, number)) return;
    set_bit(net_, net_.told, packet.flow, number);
    if (number == s.asked_by) s.asked = false;                    // nobody will answer it
    if (s.deadline != kNever) s.deadline = now + net_.p.timeout;  // the other side was heard, and the packet is sent again
    s.window.lost++;
    s.resend_from = std::min(s.resend_from, number);
    if (s.window.in_flight > 0) s.window.in_flight--;
    bound_in_flight(s);
    lose(s.window, net_.p.control, number, s.next_number, now);
  }

  /// What was sent twice is not missed twice: on its way is at most what has neither arrived nor is to be sent again.
  static void bound_in_flight(Sender& s) {
    const std::uint32_t missing = s.sent_most - s.window.received, lost = std::min(s.window.lost, missing);
    s.window.in_flight = std::min(s.window.in_flight, missing - lost);
  }

  void hear_of_arrival(Host& host, Sender& s, const Packet& packet, Time now) {
    Window& w = s.window;
    s.asked = false;
    const std::int32_t ahead = progress_of(packet.number, s.acknowledged);
    const std::uint32_t received = s.acknowledged + static_cast<std::uint32_t>(ahead) + early_of(packet.number);
    std::uint32_t news = 0;
    if (static_cast<std::int32_t>(received - w.received) > 0) {
      news = received - w.received;
      w.received = received;
      w.in_flight -= std::min(news, w.in_flight);
      bound_in_flight(s);
    }
    if (ahead > 0) move_on(s, packet.flow, s.acknowledged + static_cast<std::uint32_t>(ahead), now);
    if (news > 0) s.deadline = s.acknowledged == s.sent_most && !waits_for_credit(s) ? kNever : now + net_.p.timeout;
    if (packet.has(Packet::kMarked))
      host.cnp_handled++, s.cnps++;
    else if (net_.p.recycles)
      s.entropy_cache.keep(entropy_of(packet.seen));
    answer(w, net_.p.control,
           {.now = now,
            .round_trip = net_.p.tells_load ? w.round_trip : age_of(packet.seen, now),
            .bytes = std::int64_t{news} * net_.p.mtu,
            .load = net_.p.tells_load ? load_of(packet.seen) : 0,
            .through = s.acknowledged,
            .next = s.next_number,
            .marked = packet.has(Packet::kMarked)});
  }

  [[nodiscard]] bool waits_for_credit(const Sender& s) const {
    return net_.p.receiver_credits && s.acknowledged < net_.allowances[flow_of(s)].told_to;
  }

  /// Everything before `to` has arrived.
  void move_on(Sender& s, std::uint32_t flow, std::uint32_t to, Time now) {
    for (std::uint32_t n = s.acknowledged; s.window.lost > 0 && n < to; n++) {
      if (!bit_of(net_, net_.told, flow, n)) continue;
      clear_bits(net_, net_.told, flow, n, n + 1);
      s.window.lost--;
    }
    s.acknowledged = to;
    s.retries = 0;
    while (s.oldest != kNone && s.acknowledged >= net_.messages[s.oldest].first + net_.messages[s.oldest].packets) {
      out_.acknowledged(flow, now);
      if (net_.messages[s.oldest].next == kNone)
        Base::break_off(s);
      else
        s.oldest = net_.messages[s.oldest].next;
    }
  }

  /// No answer came in time: everything that was not acknowledged is taken for lost.
  void give_up(Sender& s, std::uint32_t flow, std::uint32_t node, Time now) {
    net_.hosts[node].timeouts++;
    const bool breaks = net_.p.retries > 0 && s.retries == net_.p.retries;
    if (net_.p.fails) out_.gave_up(flow, breaks, now);
    if (breaks) {
      net_.hosts[node].broken++;
      s.broken = true;
      s.deadline = kNever;
      return;
    }
    s.retries++;
    s.deadline = now + (net_.p.backs_off ? net_.p.timeout << std::min<std::uint32_t>(s.retries, 8) : net_.p.timeout);
    const bool waits = Base::waits_for_message(s, now);
    for (std::uint32_t n = s.acknowledged; n < s.sent_most; n++) {
      if (bit_of(net_, net_.told, flow, n)) continue;
      set_bit(net_, net_.told, flow, n);
      s.window.lost++;
    }
    s.resend_from = s.acknowledged;
    s.window.in_flight = 0;
    s.entropy_cache.count = 0;
    if (net_.p.receiver_credits) {
      Allowance& a = net_.allowances[flow];
      a.left = std::max(a.left, 1U);
      a.lost_touch = true;
    }
    time_out(s.window, net_.p.control, s.next_number);
    if (s.state == State::idle || s.state == State::blocked || waits) Base::queue_up_again(flow, now);
  }
};

}  // namespace railyard::packet
