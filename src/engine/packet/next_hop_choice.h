// Which of several next hops a packet takes where that is not settled with its flow: at random, by its entropy value, by the
// shortest queue, or as the flowlet before it.
#pragma once

#include <cstdint>

#include "engine/packet/echo.h"
#include "engine/packet/net.h"

namespace railyard::packet {

class NextHopChoice {
 public:
  explicit NextHopChoice(Net& net) : net_(net) {}

  [[nodiscard]] std::uint32_t port(std::uint32_t node, const Packet& packet, Time now) const {
    const NextHops next_hops = next_hops_of(node, packet);
    if (next_hops.count == 1) return next_hops.ports[0];
    const std::uint32_t turn = drawn(node, packet, next_hops.count);
    if (net_.p.choice == Choice::random || net_.p.choice == Choice::entropy) return next_hops.ports[turn];
    if (net_.p.choice == Choice::least) return least_loaded(next_hops.ports, next_hops.count, turn);
    const std::uint32_t to = packet.goes_back() ? net_.ends[packet.flow].from : net_.ends[packet.flow].to;
    Net::Flowlet& row = net_.flowlets[std::size_t{node} * Net::kFlowlets + scramble(1, packet.flow, to) % Net::kFlowlets];
    const std::uint32_t which = packet.flow << 1 | std::uint32_t{packet.goes_back()};
    if (row.which != which || now - row.at > net_.p.flowlet_gap)
      row = {now, which, least_loaded(next_hops.ports, next_hops.count, turn)};
    row.at = now;
    return row.port;
  }

  /// The port where that depends on the packet alone. REQUIRES: the choice is random or by entropy.
  [[nodiscard]] std::uint32_t drawn_port(std::uint32_t node, const Packet& packet) const {
    const NextHops next_hops = next_hops_of(node, packet);
    return next_hops.ports[next_hops.count == 1 ? 0 : drawn(node, packet, next_hops.count)];
  }

  /// The port of a packet that is off its flow's path, because that has changed: always the same for a flow.
  [[nodiscard]] std::uint32_t port_off_path(std::uint32_t node, const Packet& packet) const {
    const NextHops next_hops = next_hops_of(node, packet);
    return next_hops.ports[static_cast<std::uint32_t>(scramble(net_.p.seed, packet.flow, node) >> 32) % next_hops.count];
  }

 private:
  /// Ports that a packet may leave by: one, where its host is next.
  struct NextHops {
    const std::uint32_t* ports;
    std::uint32_t count;
  };
  [[nodiscard]] NextHops next_hops_of(std::uint32_t node, const Packet& packet) const {
    const Net::Ends& ends = net_.ends[packet.flow];
    const std::uint32_t to = packet.goes_back() ? ends.from : ends.to;
    const std::uint32_t* last = nullptr;
    for (std::uint32_t i = net_.last_first[to]; i < net_.last_first[to + 1] && last == nullptr; i++)
      if (net_.lasts[i].node == node) last = &net_.lasts[i].port;
    if (last != nullptr) return {net_.p.fails ? another_last(to, node, last) : last, 1};
    if (net_.group_of[to] == kNone) {  // the reducer of a neighbour, and its tree has this link
      const std::uint32_t* path = net_.paths + net_.path_offset(packet.flow, packet.goes_back());
      while (net_.ports[*path].node != node) path++;
      return {path, 1};
    }
    const std::uint32_t row = node * net_.groups + net_.group_of[to];
    return {net_.next_hops + net_.next_hop_first[row], net_.next_hop_first[row + 1] - net_.next_hop_first[row]};
  }

  /// A host may have another link to the same switch: that, if `last` is not used any more.
  [[nodiscard]] const std::uint32_t* another_last(std::uint32_t to, std::uint32_t node, const std::uint32_t* last) const {
    if (!net_.faults[net_.ports[*last].link].withdrawn) return last;
    for (std::uint32_t i = net_.last_first[to]; i < net_.last_first[to + 1]; i++)
      if (net_.lasts[i].node == node && !net_.faults[net_.ports[net_.lasts[i].port].link].withdrawn) return &net_.lasts[i].port;
    return last;
  }

  /// One of several next hops, where that depends on the packet alone.
  [[nodiscard]] std::uint32_t drawn(std::uint32_t node, const Packet& packet, std::uint32_t count) const {
    const std::uint64_t bits = net_.p.choice == Choice::entropy ? scramble(node, packet.flow, entropy_of(packet.seen))
                                                                : scramble(net_.p.seed, packet.flow, packet.number);
    const auto high = static_cast<std::uint32_t>(bits >> 32);
    return (count & (count - 1)) == 0 ? high & (count - 1) : high % count;  // a division takes long
  }

  /// The port with the shortest queue; among equals the first from `turn` on. Queues are graded, as switches do it: were the
  /// shortest to win by a byte, a flow at line rate would find the port free that it has just left, and never take another.
  [[nodiscard]] std::uint32_t least_loaded(const std::uint32_t* next_hops, std::uint32_t count, std::uint32_t turn) const {
    std::uint32_t best = next_hops[turn];
    std::uint64_t least = ~std::uint64_t{0};
    for (std::uint32_t i = 0; i < count; i++) {
      const std::uint32_t next_hop = next_hops[turn + i < count ? turn + i : turn + i - count];
      const Port& port = net_.ports[next_hop];
      const std::uint64_t load = (port.backlog >> kGrade) + (port.paused != 0 ? 1ULL << 40 : 0);
      if (load < least) least = load, best = next_hop;
    }
    return best;
  }
  static constexpr std::uint32_t kGrade = 15;  // 32 KiB

  Net& net_;
};

}  // namespace railyard::packet
