// A host's end of its links, whatever the transport: answers it sends, how fast it takes packets in, and when it pauses its
// switch.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/port_model.h"
#include "engine/packet/slow_host.h"

namespace railyard::packet {

template<class Out>
class HostPort : protected PortModel<Out, true> {
  using Base = PortModel<Out, true>;

 protected:
  using Base::Base, Base::net_, Base::out_;

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
      Base::put_on_wire(index, packet, packet.bits, now), Base::spend_credit(index, c, packet.size, now);
    else
      Base::enqueue(Base::pool_of(index, c), port, c, packet);
  }

  /// The class of the ACK of a packet: it is marked as what the host itself sends.
  [[nodiscard]] std::uint32_t answer_class(const Packet& packet) const {
    if (!net_.p.ack_with_data) return kControlClass;
    const std::uint32_t c = packet.traffic_class();
    if (!net_.p.by_profile || (net_.data_classes >> c & 1) == 0) return c;
    return net_.hosts[net_.senders[packet.flow].host_to].data_class;
  }
  [[nodiscard]] bool has_pfc(std::uint32_t node) const { return net_.p.by_profile ? net_.profile(node).pfc : net_.p.pfc; }

  /// A host's NIC has room again for what it has handed on; a stuck host takes no data.
  void give_credit_back(std::uint32_t link, const Packet& packet, const Host& host, Time now) {
    if (net_.p.credit_step == 0 || (host.stuck && packet.is_data())) return;
    Base::free_credit(link, packet.traffic_class(), packet.size, std::max(now, host.drained));
  }

  /// Whether data stays in the NIC because the host is stuck for a while; what finds no room there is lost.
  bool is_kept(std::uint32_t node, std::uint32_t link, const Packet& packet, Time now) {
    Host& host = net_.hosts[node];
    if (Out::kOnDevice || !host.stuck || net_.kept == nullptr) return false;
    drain(node, host, packet.size, now);
    if (host.held <= net_.p.receive_buffer || Base::sender_of(link).by_credits) {
      if constexpr (!Out::kOnDevice) net_.kept[node].push_back({packet, link});
      return true;
    }
    host.held -= packet.size;
    host.overflowed++;
    return true;
  }

  /// The host takes packets in at another rate from now on (zero: as they come), or not at all. What waits in its NIC goes on
  /// at that rate.
  void set_take_rate(std::uint32_t node, std::int64_t rate, bool stuck, Time now) {
    Host& host = net_.hosts[node];
    const std::uint64_t waiting = !host.stuck && host.take_rate > 0 ? bytes_held(host, now) : 0;
    const bool was_stuck = host.stuck;
    host.stuck = stuck;
    host.take_rate = rate;
    if (stuck) {
      if (!was_stuck) host.held = waiting;
      return out_.timer(node, 2 * Base::ports_of(net_, node), kNever);
    }
    host.held = 0;
    const Time rest = rate > 0 ? static_cast<Time>(waiting * 8'000'000'000 / static_cast<std::uint64_t>(rate) * 1000) : Time{0};
    host.drained = now + rest;
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
    if (held > net_.p.receive_buffer / 2 && !host.has_paused && has_pfc(node)) {
      host.has_paused = true;
      if (!host.storms) host.pauses += tell_switch(node, true, now);
      if (!host.stuck) out_.timer(node, 2 * Base::ports_of(net_, node), resume_time(host, net_.p.receive_buffer));
    }
    return host.stuck ? kNever : host.drained;
  }

  /// A timer that is no port's.
  void own_timer(std::uint32_t node, std::uint32_t, Time now) { resume_switch(node, now); }

  /// Pauses what is lossless, or lets it go on; on links with credits nobody is paused. Returns whether anybody was told.
  bool tell_switch(std::uint32_t node, bool xoff, Time now) {
    bool told = false;
    for (std::uint32_t l = net_.first_link[node]; l < net_.first_link[node + 1]; l++)
      for (std::uint32_t c = 0; c < kClasses && !Base::sender_of(l).by_credits; c++) {
        if (net_.p.by_profile ? !net_.profile(node).lossless[c] : !net_.p.lossless[c]) continue;
        Base::tell_sender(l, c, xoff, now, kNone);
        told = true;
      }
    return told;
  }

  void resume_switch(std::uint32_t node, Time now) {
    Host& host = net_.hosts[node];
    const std::uint32_t slot = 2 * Base::ports_of(net_, node);
    const Time resume = host.take_rate > 0 ? resume_time(host, net_.p.receive_buffer) : now;
    if (resume > now) return out_.timer(node, slot, resume);
    host.has_paused = false;
    if (!host.storms) host.resumes += tell_switch(node, false, now);
    out_.timer(node, slot, kNever);
  }
};

}  // namespace railyard::packet
