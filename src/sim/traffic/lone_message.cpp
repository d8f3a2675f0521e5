#include "sim/traffic/lone_message.h"

#include <algorithm>
#include <cmath>

#include "fabric/routes.h"

namespace railyard {

namespace {

double bytes_per_picosecond(BitsPerSecond rate) { return static_cast<double>(rate.count()) / 8e12; }

bool takes_one_path(const PathPolicy& routing) {
  return keeps_path(routing.policy) && (routing.queue_pairs == 1 || routing.hash.pinned);
}

double whole_bytes(Bytes bytes) { return static_cast<double>(bytes.count()); }

}  // namespace

LoneMessage::LoneMessage(const Network& network, EndpointId from, EndpointId to) : network_(network) {
  const Fabric& fabric = network.fabric;
  const bool one_path = takes_one_path(network.routing);
  std::uint32_t before = 0;
  for (const TrunkShare& step : path_of(fabric, from, to)) {
    const double rate = bytes_per_picosecond(fabric.trunk_port_rate[step.trunk]);
    const double all = bytes_per_picosecond(fabric.trunk_rate(step.trunk));
    const auto delay = static_cast<double>(fabric.trunk_delay[step.trunk].count());
    if (hops_.empty() || step.hop != before) {
      const bool scale_up = is_scale_up(fabric.trunk_tier[step.trunk]);
      is_inside_ = is_inside_ && scale_up;
      hops_.push_back({.rate = rate, .slowest = rate, .capacity = one_path ? rate : all, .delay = delay, .scale_up = scale_up});
      before = step.hop;
      continue;
    }
    Hop& hop = hops_.back();
    hop.rate = std::max(hop.rate, rate);
    hop.slowest = std::min(hop.slowest, rate);
    hop.capacity = one_path ? hop.rate : hop.capacity + all;
    hop.delay = std::min(hop.delay, delay);
  }
}

/// Whether a packet is received as a whole before it is sent on over `hop`, as fabric/latency.h has it, whichever of unlike
/// ports it takes.
bool LoneMessage::stores(std::size_t hop) const {
  return hop == 0 || network_.fabric.switching == Switching::store_and_forward || hops_[hop].slowest > hops_[hop - 1].rate;
}

/// A packet from the start of hop `first` to its last bit at the receiver.
double LoneMessage::tail_of(std::size_t first, double packet) const {
  double head = 0, tail = 0;
  for (std::size_t i = first; i < hops_.size(); i++) {
    head = (i == first || stores(i) ? tail : head) + hops_[i].delay;
    tail = head + packet / hops_[i].rate;
  }
  return tail;
}

/// The packet engine sends whole messages over scale-up links, without headers.
double LoneMessage::inside(double payload) const {
  double delay = 0, end = 0;
  for (const Hop& hop : hops_) {
    delay += hop.delay;
    end = std::max(end, delay + payload / hop.rate);
  }
  return end;
}

/// All of it over the narrowest hop, and a packet over all the others.
double LoneMessage::as_fluid(double wire, double packet) const {
  double narrowest = 0, slowest = 0;
  for (const Hop& hop : hops_) {
    narrowest = std::max(narrowest, wire / hop.capacity);
    slowest = std::max(slowest, packet / hop.rate);
  }
  return narrowest + tail_of(0, packet) - slowest;
}

/// For every hop: the first packet gets there, all of it crosses, the last packet goes on from there. And no packet is faster
/// than one that is alone. Where packets take different ways, a small one may be at a hop before the first: the last, which the
/// sender sends at `sent_last` at the soonest.
double LoneMessage::as_packets(double wire, double first, double last, double sent_last) const {
  const bool may_overtake = !takes_one_path(network_.routing);
  double longest = tail_of(0, first), head = 0, tail = 0, head_of_last = sent_last, tail_of_last = sent_last;
  for (std::size_t i = 0; i < hops_.size(); i++) {
    const double begin = stores(i) ? tail : head, begin_of_last = stores(i) ? tail_of_last : head_of_last;
    const double begin_of_any = may_overtake ? std::min(begin, begin_of_last) : begin;
    const bool is_relay = hops_[i].scale_up;  // which the packet engine counts a packet of
    if (!is_relay)
      longest = std::max(longest, begin_of_any + wire / hops_[i].capacity + tail_of(i, last) - last / hops_[i].rate);
    head = begin + hops_[i].delay;
    tail = head + first / hops_[i].rate;
    head_of_last = begin_of_last + hops_[i].delay;
    tail_of_last = head_of_last + last / hops_[i].rate;
  }
  return longest;
}

Picoseconds LoneMessage::time_of(Bytes payload) const {
  const WireFormat& wire = network_.wire;
  const std::uint32_t qps = network_.routing.use == QpUse::split ? std::max(1U, network_.routing.queue_pairs) : 1;
  const double all = whole_bytes(wire.wire_size(payload)),
               packet = whole_bytes(wire.packet_size(WireFormat::share_of(payload, qps)));
  double time = 0;
  if (!network_.packet) {
    time = as_fluid(all, packet);
  } else if (is_inside_) {
    time = inside(whole_bytes(payload));
  } else {
    // Of several queue pairs any may end with any packet.
    const std::int64_t rest = qps > 1 ? 1 : (payload.count() - 1) % wire.mtu.count() + 1;
    const bool is_single = qps == 1 && payload <= wire.mtu;
    const double last = is_single ? packet : whole_bytes(wire.header) + static_cast<double>(rest);
    const double before_last = qps > 1 ? packet : all - last;  // bytes: each queue pair sends a whole packet first
    time = as_packets(all, packet, last, is_single ? 0 : before_last / hops_.front().capacity);
  }
  return Picoseconds(std::max<std::int64_t>(1, static_cast<std::int64_t>(std::floor(time + 1e-3))));
}

Picoseconds LoneMessage::time_of(Bytes payload, Picoseconds taken) const {
  constexpr Picoseconds kRounding(2);
  const Picoseconds least = time_of(payload);
  return taken < least && taken + kRounding >= least ? taken : least;
}

}  // namespace railyard
