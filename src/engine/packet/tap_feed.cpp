#include "engine/packet/tap_feed.h"

#include <algorithm>
#include <tuple>

namespace railyard::packet {

namespace {

SightingKind sighting_kind(const Packet& packet) {
  if (packet.kind() == Kind::ack) return packet.has(Packet::kNak) ? SightingKind::nak : SightingKind::ack;
  return packet.kind() == Kind::cnp ? SightingKind::cnp : SightingKind::data;
}

/// Of one port, frames come one after the other, but for pause frames that take no time: whatever differs settles the order.
bool is_seen_before(const Sighting& a, const Sighting& b) {
  const auto rest = [](const Sighting& s) { return std::tuple(s.port, s.kind, s.flow, s.number, s.traffic_class); };
  return a.at != b.at ? a.at < b.at : rest(a) < rest(b);
}

}  // namespace

TapFeed::TapFeed(const Network& network, PacketTap& tap, const PacketPlan& plan)
    : network_(network), tap_(tap), wanted_(network.port_count(), 0) {
  for (std::uint32_t port = 0; port < network.port_count(); port++)
    wanted_[port] = network.id_of(port).valid() && tap.wants(network.id_of(port));
  for (std::size_t c = 0; c < kClasses; c++) priority_[c] = plan.classes[c].priority;
}

void TapFeed::note_sent(const Port& port, std::uint32_t index, std::uint32_t first, Notes& notes) const {
  const PortId id = network_.id_of(index);
  for (std::uint32_t i = first; i != port.ring_tail; i++) {
    const Packet& packet = port.ring[i & port.ring_mask];
    const Time begin = packet.at - port.delay - (port.cuts_through ? 0 : port.wire_time(packet.size));
    notes.push_back({.at = Picoseconds(begin),
                     .port = id,
                     .flow = packet.flow,
                     .number = packet.number,
                     .size = packet.size,
                     .traffic_class = static_cast<std::uint8_t>(packet.traffic_class()),
                     .hops = static_cast<std::uint8_t>(packet.hop()),
                     .kind = sighting_kind(packet),
                     .marked = packet.has(Packet::kMarked),
                     .asks = packet.has(Packet::kLast) || packet.has(Packet::kAnswer)});
  }
}

void TapFeed::note_frame(std::uint32_t port, std::uint8_t name, bool xoff, Time at, Notes& notes) const {
  const Net& net = network_.net;
  const Link& link = net.links[net.ports[port].link];
  if (!wants(link.back)) return;
  const Time begin = at - link.response - link.cable - net.ports[link.back].wire_time(net.p.frame);
  notes.push_back({.at = Picoseconds(begin),
                   .port = network_.id_of(link.back),
                   .flow = kNone,
                   .size = static_cast<std::uint16_t>(net.p.frame),
                   .traffic_class = net.p.by_profile ? name : priority_[name],
                   .kind = xoff ? SightingKind::pause : SightingKind::resume});
}

void TapFeed::take(Notes& notes) {
  waiting_.insert(waiting_.end(), notes.begin(), notes.end());
  notes.clear();
}

void TapFeed::tell(Time end) {
  if (waiting_.empty()) return;
  std::sort(waiting_.begin(), waiting_.end(), is_seen_before);
  const auto later = std::find_if(waiting_.begin(), waiting_.end(), [&](const Sighting& s) { return s.at.count() >= end; });
  if (later == waiting_.begin()) return;
  tap_.saw({waiting_.data(), static_cast<std::size_t>(later - waiting_.begin())});
  waiting_.erase(waiting_.begin(), later);
}

}  // namespace railyard::packet
