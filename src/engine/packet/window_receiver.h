// The receiving side of transports with windows: packets are taken in any order, counted, and answered with what their sender
// put into them; what is missing is asked for by its number.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/echo.h"
#include "engine/packet/host_port.h"
#include "engine/packet/number_bits.h"
#include "engine/packet/receiver_credits.h"

namespace railyard::packet {

template<class Out>
class WindowReceiver : protected HostPort<Out> {
  using Base = HostPort<Out>;

 protected:
  using Base::Base, Base::net_, Base::out_;

  void take_in(std::uint32_t node, const Packet& packet, Time now) {
    Host& host = net_.hosts[node];
    const Time in_memory = Base::drain(node, host, packet.size, now);
    if (in_memory == kNever) return;
    Receiver& r = net_.receivers[packet.flow];
    host.marked_in += packet.has(Packet::kMarked);
    if (net_.p.receiver_credits) take_note(node, packet, r, now);
    // One answer is for packets that were all marked or all not, so that a sender can count bytes (RFC 8257).
    if (packet.has(Packet::kMarked) != r.mark_pending && r.unacknowledged > 0) acknowledge(host, packet, r, now);
    r.mark_pending = packet.has(Packet::kMarked);
    bool answer_now = packet.has(Packet::kAnswer) || r.nak_sent;
    if (packet.number == r.expected)
      answer_now |= accept(packet, r, in_memory + net_.hosts[node].latency);
    else if (packet.number < r.expected || bit_of(net_, net_.arrived, packet.flow * 2, packet.number))
      answer_now = true;
    else
      keep(packet, r), host.out_of_sequence++;
    r.beyond = std::max(r.beyond, packet.number + 1);
    name_missing(node, packet, r, now);
    if (++r.unacknowledged < net_.p.ack_every && !answer_now) return;
    acknowledge(host, packet, r, now);
  }

  /// Only the headers have come.
  void ask_again(std::uint32_t node, const Packet& bare, Time now) {
    Receiver& r = net_.receivers[bare.flow];
    if (net_.p.receiver_credits) take_note(node, bare, r, now);
    if (r.unacknowledged > 0) acknowledge(net_.hosts[node], bare, r, now);
    if (bare.number >= r.expected) name(node, bare, r, bare.number, now);
    r.beyond = std::max(r.beyond, bare.number + 1);
  }

  /// A timer that is no port's.
  void own_timer(std::uint32_t node, std::uint32_t which, Time now) {
    if (which == 0) return Base::resume_switch(node, now);
    give_credit(node, now);
  }

 private:
  // Credit for packets: to all senders that are known to have some, in turn, as fast as the host's links can carry them -----

  /// What a packet tells of those to come. Its sender sends a few unasked if the receiver knows of nothing to come.
  void take_note(std::uint32_t node, const Packet& packet, const Receiver& r, Time now) {
    Demand& d = net_.demands[packet.flow];
    const std::uint32_t before = d.wanted_to;
    know_of(net_, d.unknown, d.wanted_to, step_of(packet.seen, now));
    std::uint32_t more = d.wanted_to - before;
    if (packet.has(Packet::kNak)) {  // nothing of what was sent is under way any more
      const std::uint32_t arrived = r.expected + r.early + (packet.is_data() ? 1 : 0);
      more = d.wanted_to > arrived ? d.wanted_to - arrived : 0;
      d.needed = d.unasked_to = 0;
    } else {
      if (packet.has(Packet::kBegins)) begin_unasked(d, packet.number, before);
      more = d.wanted_to - std::min(d.wanted_to, std::max(before, d.unasked_to));
    }
    if (more > 0) need_more(node, packet.flow, more, now);
  }

  /// Packets from this one on need no credit. Those that overtook it may have told of them before.
  static void begin_unasked(Demand& d, std::uint32_t number, std::uint32_t known_to) {
    const std::uint32_t from = std::max(number, d.unasked_to), to = std::min(number + d.first, known_to);
    if (to > from) d.needed -= std::min(d.needed, to - from);
    d.unasked_to = std::max(d.unasked_to, number + d.first);
  }

  void need_more(std::uint32_t node, std::uint32_t flow, std::uint32_t packets, Time now) {
    Demand& d = net_.demands[flow];
    Host& host = net_.hosts[node];
    d.needed += packets;
    if (d.listed) return;
    const bool first = host.waiting_first == kNone;
    append(host, flow);
    if (first) out_.timer(node, 2 * Base::ports_of(net_, node) + 1, std::max(now, host.grant_at));
  }

  void append(Host& host, std::uint32_t flow) {
    net_.demands[flow].listed = true;
    net_.receivers[flow].behind = kNone;
    if (host.waiting_first == kNone)
      host.waiting_first = flow;
    else
      net_.receivers[host.waiting_last].behind = flow;
    host.waiting_last = flow;
  }

  void give_credit(std::uint32_t node, Time now) {
    Host& host = net_.hosts[node];
    const std::uint32_t flow = host.waiting_first;
    Demand& d = net_.demands[flow];
    host.waiting_first = net_.receivers[flow].behind;
    d.listed = false;
    const std::uint32_t packets = std::min(d.needed, net_.p.ack_every);
    if (packets > 0) {
      d.needed -= packets;
      d.granted += packets;
      host.grant_at = now + grant_time(net_, take_rate_of(net_, node), packets);
      Base::reply(flow, Packet::bits_of(Kind::cnp, kControlClass), net_.p.ack_size, d.granted, 0, now);
      if (d.needed > 0) append(host, flow);
    }
    out_.timer(node, 2 * Base::ports_of(net_, node) + 1, host.waiting_first == kNone ? kNever : std::max(now, host.grant_at));
  }

  static constexpr std::uint32_t kNamedAtOnce = kMostAnswers - 2;

  /// The packet that was expected, and those behind it that have come already. True if its sender should know at once.
  bool accept(const Packet& packet, Receiver& r, Time delivered) {
    bool last = packet.has(Packet::kLast), any_last = last;
    const bool gap = r.early > 0;
    for (;;) {
      if (last) out_.delivered(packet.flow, delivered);
      r.expected++;
      if (r.early == 0 || !bit_of(net_, net_.arrived, packet.flow * 2, r.expected)) break;
      r.early--;
      last = bit_of(net_, net_.arrived, packet.flow * 2 + 1, r.expected);
      any_last |= last;
      clear_bits(net_, net_.arrived, packet.flow * 2, r.expected, r.expected + 1);
      clear_bits(net_, net_.arrived, packet.flow * 2 + 1, r.expected, r.expected + 1);
    }
    if (r.expected < r.beyond) return any_last;
    r.nak_sent = false;
    return any_last || gap;  // nothing is missing any more
  }

  void keep(const Packet& packet, Receiver& r) {
    r.early++;
    set_bit(net_, net_.arrived, packet.flow * 2, packet.number);
    if (packet.has(Packet::kLast)) set_bit(net_, net_.arrived, packet.flow * 2 + 1, packet.number);
  }

  /// Asks for every packet that is further behind than order can explain, once; for a few at a time.
  void name_missing(std::uint32_t node, const Packet& packet, Receiver& r, Time now) {
    if (r.early == 0 || r.beyond - r.expected <= net_.p.reorder) return;
    const std::uint32_t limit = r.beyond - net_.p.reorder - 1;
    std::uint32_t named = 0, n = std::max(r.named_to, r.expected);
    for (; n < limit && named < kNamedAtOnce; n++) {
      if (bit_of(net_, net_.arrived, packet.flow * 2, n)) continue;
      name(node, packet, r, n, now);
      named++;
    }
    r.named_to = n;
  }

  /// From here on every packet is answered, until nothing is missing.
  void name(std::uint32_t node, const Packet& packet, Receiver& r, std::uint32_t number, Time now) {
    net_.hosts[node].naks++;
    r.nak_sent = true;
    if (net_.p.receiver_credits) need_more(node, packet.flow, 1, now);
    const std::uint16_t bits = Packet::bits_of(Kind::ack, class_of_answer(packet)) | Packet::kNak;
    Base::reply(packet.flow, bits, net_.p.ack_size, number, packet.seen, now);
  }

  void acknowledge(Host& host, const Packet& packet, Receiver& r, Time now) {
    r.unacknowledged = 0;
    host.acks++;
    std::uint16_t bits = Packet::bits_of(Kind::ack, class_of_answer(packet));
    if (r.mark_pending) bits |= Packet::kMarked, host.cnp_sent++;
    Base::reply(packet.flow, bits, net_.p.ack_size, receipt_of(r.expected, r.early), packet.seen, now);
  }

  [[nodiscard]] std::uint32_t class_of_answer(const Packet& packet) const {
    return packet.has(Packet::kKind) ? kControlClass : Base::answer_class(packet);
  }
};

}  // namespace railyard::packet
