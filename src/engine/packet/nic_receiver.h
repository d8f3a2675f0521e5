// The receiving side of a RoCE NIC: what it takes in, acknowledges and complains about.
#pragma once

#include <cstdint>

#include "engine/packet/host_port.h"
#include "engine/packet/number_bits.h"

namespace railyard::packet {

template<class Out>
class NicReceiver : protected HostPort<Out> {
  using Base = HostPort<Out>;

 protected:
  using Base::Base, Base::net_, Base::out_;

  void take_in(std::uint32_t node, const Packet& packet, Time now) {
    Host& host = net_.hosts[node];
    const Time in_memory = Base::drain(node, host, packet.size, now);
    if (in_memory == kNever) return;
    Receiver& r = net_.receivers[packet.flow];
    bool answer_now = false;
    if (packet.has(Packet::kMarked)) {
      host.marked_in++;
      const DcqcnParameters& dcqcn = net_.dcqcn(host);
      if (dcqcn.cnp_on_ack) {
        r.mark_pending = true;
      } else if (dcqcn.notifies && now - r.last_cnp >= dcqcn.min_time_between_cnps) {
        r.last_cnp = now;
        host.cnp_sent++;
        Base::reply(packet.flow, Packet::bits_of(Kind::cnp, host.cnp_class), net_.p.cnp_size, 0, 0, now);
      }
    }
    if (packet.number == r.expected) {
      answer_now = packet.has(Packet::kAnswer);  // its sender's window is full
      accept(host, packet, r, in_memory, answer_now, now);
    } else if (packet.number < r.expected) {
      answer_now = true;
    } else {
      return arrived_early(host, packet, r, in_memory, now);
    }
    if (++r.unacknowledged < net_.p.ack_every && !answer_now) return;
    acknowledge(host, packet, r, 0, 0, now);
  }

  void accept(Host& host, const Packet& packet, Receiver& r, Time in_memory, bool& answer_now, Time now) {
    r.expected++;
    r.nak_sent = false;
    if (packet.has(Packet::kLast)) {
      answer_now = true;
      deliver(host, packet.flow, in_memory, now);
    }
    if (!net_.p.selective) return;
    while (bit_of(net_, net_.arrived, packet.flow * 2, r.expected)) {
      answer_now = true;  // a gap is closed
      clear_bits(net_, net_.arrived, packet.flow * 2, r.expected, r.expected + 1);
      if (bit_of(net_, net_.arrived, packet.flow * 2 + 1, r.expected)) {
        clear_bits(net_, net_.arrived, packet.flow * 2 + 1, r.expected, r.expected + 1);
        deliver(host, packet.flow, in_memory, now);
      }
      r.expected++;
    }
  }

  void deliver(Host& host, std::uint32_t flow, Time in_memory, Time now) {
    out_.delivered(flow, in_memory + host.latency);
    if (net_.p.admission != 0) let_next_in(host, now);
  }

  // Admission: a host lets so many messages be sent to it at once; who comes first is let in first ------------------

  void hear_request(Host& host, const Packet& packet, Time now) {
    if (host.admitted < net_.p.admission) {
      host.admitted++;
      return grant(packet.flow, now);
    }
    if (host.waiting_first == kNone)
      host.waiting_first = packet.flow;
    else
      net_.receivers[host.waiting_last].behind = packet.flow;
    host.waiting_last = packet.flow;
  }

  void let_next_in(Host& host, Time now) {
    const std::uint32_t flow = host.waiting_first;
    if (flow == kNone) {
      host.admitted--;
      return;
    }
    host.waiting_first = net_.receivers[flow].behind;
    net_.receivers[flow].behind = kNone;
    grant(flow, now);
  }

  void grant(std::uint32_t flow, Time now) {
    Base::reply(flow, Packet::bits_of(Kind::ack, kControlClass) | Packet::kAnswer, net_.p.ack_size, 0, 0, now);
  }

  void arrived_early(Host& host, const Packet& packet, Receiver& r, Time, Time now) {
    host.out_of_sequence++;
    if (!net_.p.selective) {
      host.out_of_order++;
      if (r.nak_sent) return;
      r.nak_sent = true;
      host.naks++;
      return acknowledge(host, packet, r, Packet::kNak, packet.number, now);
    }
    set_bit(net_, net_.arrived, packet.flow * 2, packet.number);
    if (packet.has(Packet::kLast)) set_bit(net_, net_.arrived, packet.flow * 2 + 1, packet.number);
    if (packet.number - r.expected <= net_.p.reorder) return;
    host.naks++;
    acknowledge(host, packet, r, Packet::kNak, packet.number, now);
  }

  void acknowledge(Host& host, const Packet& packet, Receiver& r, std::uint16_t bits, std::uint32_t seen, Time now) {
    if (r.mark_pending) bits |= Packet::kMarked, host.cnp_sent++;
    r.mark_pending = false;
    r.unacknowledged = 0;
    if ((bits & Packet::kNak) == 0) host.acks++;
    bits |= Packet::bits_of(Kind::ack, Base::answer_class(packet));
    Base::reply(packet.flow, bits, net_.p.ack_size, r.expected, seen, now);
  }
};

}  // namespace railyard::packet
