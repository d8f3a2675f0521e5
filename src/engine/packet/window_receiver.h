// The receiving side of transports with windows: packets are taken in any order, counted, and answered with what their sender
// put into them; what is missing is asked for by its number.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/echo.h"
#include "engine/packet/host_port.h"
#include "engine/packet/number_bits.h"

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
    // One answer is for packets that were all marked or all not, so that a sender can count bytes (RFC 8257).
    if (packet.has(Packet::kMarked) != r.mark_pending && r.unacknowledged > 0) acknowledge(host, packet, r, now);
    r.mark_pending = packet.has(Packet::kMarked);
    bool answer_now = packet.has(Packet::kAnswer) || r.nak_sent;
    if (packet.number == r.expected)
      answer_now |= accept(packet, r, in_memory + net_.hosts[node].latency);
    else if (packet.number < r.expected || bit_of(net_, net_.arrived, packet.flow * 2, packet.number))
      answer_now = true;
    else
      keep(packet, r);
    r.beyond = std::max(r.beyond, packet.number + 1);
    name_missing(host, packet, r, now);
    if (++r.unacknowledged < net_.p.ack_every && !answer_now) return;
    acknowledge(host, packet, r, now);
  }

  /// Only the headers have come.
  void ask_again(std::uint32_t node, const Packet& bare, Time now) {
    Receiver& r = net_.receivers[bare.flow];
    if (r.unacknowledged > 0) acknowledge(net_.hosts[node], bare, r, now);
    if (bare.number >= r.expected) name(net_.hosts[node], bare, r, bare.number, now);
    r.beyond = std::max(r.beyond, bare.number + 1);
  }

 private:
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
  void name_missing(Host& host, const Packet& packet, Receiver& r, Time now) {
    if (r.early == 0 || r.beyond - r.expected <= net_.p.reorder) return;
    const std::uint32_t limit = r.beyond - net_.p.reorder - 1;
    std::uint32_t named = 0, n = std::max(r.named_to, r.expected);
    for (; n < limit && named < kNamedAtOnce; n++) {
      if (bit_of(net_, net_.arrived, packet.flow * 2, n)) continue;
      name(host, packet, r, n, now);
      named++;
    }
    r.named_to = n;
  }

  /// From here on every packet is answered, until nothing is missing.
  void name(Host& host, const Packet& packet, Receiver& r, std::uint32_t number, Time now) {
    host.naks++;
    r.nak_sent = true;
    const std::uint16_t bits = Packet::bits_of(Kind::ack, answer_class(packet)) | Packet::kNak;
    Base::reply(packet.flow, bits, net_.p.ack_size, number, packet.seen, now);
  }

  void acknowledge(Host& host, const Packet& packet, Receiver& r, Time now) {
    r.unacknowledged = 0;
    host.acks++;
    std::uint16_t bits = Packet::bits_of(Kind::ack, answer_class(packet));
    if (r.mark_pending) bits |= Packet::kMarked, host.cnp_sent++;
    Base::reply(packet.flow, bits, net_.p.ack_size, receipt_of(r.expected, r.early), packet.seen, now);
  }

  [[nodiscard]] std::uint32_t answer_class(const Packet& packet) const {
    return net_.p.ack_with_data && !packet.has(Packet::kKind) ? packet.traffic_class() : kControlClass;
  }
};

}  // namespace railyard::packet
