// The receiving side of a NIC: what it takes in, acknowledges and complains about, and when it pauses its switch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/number_bits.h"
#include "engine/packet/port_model.h"
#include "engine/packet/slow_host.h"

namespace railyard::packet {

template<class Out>
class NicReceiver : protected PortModel<Out, true> {
  using Base = PortModel<Out, true>;

 protected:
  using Base::Base, Base::net_, Base::out_;

  void take_in(std::uint32_t node, const Packet& packet, Time now) {
    Host& host = net_.hosts[node];
    const Time in_memory = drain(node, host, packet.size, now);
    if (in_memory == kNever) return;
    Receiver& r = net_.receivers[packet.flow];
    bool answer_now = false;
    if (packet.has(Packet::kMarked)) {
      if (net_.p.cnp_on_ack) {
        r.mark_pending = true;
      } else if (net_.p.dcqcn.enabled && now - r.last_cnp >= net_.p.cnp_gap) {
        r.last_cnp = now;
        host.cnp_sent++;
        reply(packet.flow, Packet::bits_of(Kind::cnp, kControlClass), net_.p.cnp_size, 0, 0, now);
      }
    }
    if (packet.number == r.expected) {
      answer_now = packet.has(Packet::kAnswer);  // its sender's window is full
      accept(packet, r, in_memory, answer_now);
    } else if (packet.number < r.expected) {
      answer_now = true;
    } else {
      return arrived_early(host, packet, r, in_memory, now);
    }
    if (++r.unacknowledged < net_.p.ack_every && !answer_now) return;
    acknowledge(host, packet, r, 0, 0, now);
  }

  void accept(const Packet& packet, Receiver& r, Time in_memory, bool& answer_now) {
    r.expected++;
    r.nak_sent = false;
    if (packet.has(Packet::kLast)) {
      answer_now = true;
      out_.delivered(packet.flow, in_memory + net_.p.host_latency);
    }
    if (!net_.p.selective) return;
    while (bit_of(net_, net_.arrived, packet.flow * 2, r.expected)) {
      answer_now = true;  // a gap is closed
      clear_bits(net_, net_.arrived, packet.flow * 2, r.expected, r.expected + 1);
      if (bit_of(net_, net_.arrived, packet.flow * 2 + 1, r.expected)) {
        clear_bits(net_, net_.arrived, packet.flow * 2 + 1, r.expected, r.expected + 1);
        out_.delivered(packet.flow, in_memory + net_.p.host_latency);
      }
      r.expected++;
    }
  }

  void arrived_early(Host& host, const Packet& packet, Receiver& r, Time, Time now) {
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
    host.acks++;
    bits |= Packet::bits_of(Kind::ack, net_.p.ack_with_data ? packet.traffic_class() : kControlClass);
    reply(packet.flow, bits, net_.p.ack_size, r.expected, seen, now);
  }

  void reply(std::uint32_t flow, std::uint16_t bits, std::uint32_t size, std::uint32_t number, std::uint32_t seen, Time now) {
    const std::uint32_t index = net_.path_port(flow, true, 0);
    Port& port = net_.ports[index];
    Packet packet;
    packet.flow = flow;
    packet.number = number;
    packet.seen = seen;
    packet.size = static_cast<std::uint16_t>(size);
    packet.bits = bits;
    const std::uint32_t c = packet.traffic_class();
    if (!port.busy && port.queue[c].empty() && Base::may_send(port, c))
      return Base::put_on_wire(index, packet, packet.bits, now);
    Base::enqueue(net_.pools[port.node], port, c, packet);
  }

  /// When a packet is in the host's memory; never if it is not. Pauses the switch where the host is slow.
  Time drain(std::uint32_t node, Host& host, std::uint32_t size, Time now) {
    if (host.take_rate == 0 && !host.stuck) return now;
    host.drained = std::max(now, host.drained);
    std::uint64_t held = 0;
    if (host.stuck) {
      held = host.held += size;
    } else {
      const auto rate = static_cast<std::uint64_t>(host.take_rate);
      host.drained += static_cast<Time>(std::uint64_t{size} * 8'000'000'000'000 / rate);
      held = bytes_held(host, now);
    }
    if (held > net_.p.receive_buffer / 2 && !host.has_paused && net_.p.pfc) {
      host.has_paused = true;
      host.pauses++;
      for (std::uint32_t l = net_.first_link[node]; l < net_.first_link[node + 1]; l++)
        Base::tell_sender(l, kDataClass, true, now, kNone);
      if (!host.stuck) out_.timer(node, 2 * Base::ports_of(net_, node), resume_time(host, net_.p.receive_buffer));
    }
    return host.stuck ? kNever : host.drained;
  }

  void resume_switch(std::uint32_t node, Time now) {
    Host& host = net_.hosts[node];
    const std::uint32_t slot = 2 * Base::ports_of(net_, node);
    if (resume_time(host, net_.p.receive_buffer) > now) return out_.timer(node, slot, resume_time(host, net_.p.receive_buffer));
    host.has_paused = false;
    host.resumes++;
    for (std::uint32_t l = net_.first_link[node]; l < net_.first_link[node + 1]; l++)
      Base::tell_sender(l, kDataClass, false, now, kNone);
    out_.timer(node, slot, kNever);
  }
};

}  // namespace railyard::packet
