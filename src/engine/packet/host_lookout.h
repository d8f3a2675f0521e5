// Fetches what visits of hosts will touch: a dozen rows each, most of them found by way of others, and together more than fits
// a cache.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "engine/packet/links.h"
#include "engine/packet/net.h"

namespace railyard::packet {

/// Looks at hosts some visits ahead: at the first port and link of each, which most often are all it has. Nothing is changed.
/// REQUIRES: only the thread that is going to visit them.
class HostLookout {
 public:
  HostLookout(const Net& net, const Links& links) : net_(net), links_(links) {}

  /// Calls visit(node) for each of some hosts, as bits that count from `first` on.
  template<class Visit>
  [[gnu::always_inline]] void each(std::uint32_t first, std::uint64_t bits, const Visit& visit) const {
    std::uint32_t nodes[64], count = 0;
    for (; bits != 0; bits &= bits - 1) nodes[count++] = first + static_cast<std::uint32_t>(std::countr_zero(bits));
    for (std::uint32_t i = 0; i < count + kVisit; i++) {  // before the first node, i - kFirsts and so on are very large
      if (i < count) fetch_rows(nodes[i]);
      if (i - kFirsts < count) fetch_firsts(nodes[i - kFirsts]);
      if (i - kFlows < count) fetch_flows(nodes[i - kFlows]);
      if (i - kMessage < count) fetch_message(nodes[i - kMessage]);
      if (i - kVisit < count) visit(nodes[i - kVisit]);
    }
  }

 private:
  static constexpr std::uint32_t kFirsts = 1, kFlows = 2, kMessage = 3,
                                 kVisit = 4;  // steps, each of which needs the one before

  template<class Row>
  static void fetch(const Row* row, std::size_t lines = 1) {
    for (std::size_t line = 0; line < lines; line++) __builtin_prefetch(reinterpret_cast<const char*>(row) + 64 * line, 1);
  }

  void fetch_rows(std::uint32_t node) const {
    const std::uint32_t port = net_.first_port[node];
    fetch(net_.ports + port, 3);
    fetch(net_.nics + port, 2);
    fetch(net_.hosts + node);
    fetch(net_.timer_queues + node, 2);
  }

  /// What is planned, and what arrives.
  void fetch_firsts(std::uint32_t node) const {
    const NicPort& nic = net_.nics[net_.first_port[node]];
    net_.timer_queues[node].others.prefetch();
    if (nic.alarms.size != 0) fetch(nic.alarms.entries);
    if (nic.waiting.size != 0) fetch(nic.waiting.entries);
    links_.view(net_.first_link[node]).prefetch();
  }

  /// Who sends, and who gets what arrives.
  void fetch_flows(std::uint32_t node) const {
    const std::size_t lines = net_.p.has_windows() ? 4 : 2;
    const std::uint32_t flow = next_flow(node);
    if (flow != kNone) fetch(net_.senders + flow, lines);
    const Links::View view = links_.view(net_.first_link[node]);
    if (view.head == view.tail) return;
    const Packet& packet = view.first();
    if (!packet.goes_back())
      fetch(net_.receivers + packet.flow);
    else if (packet.flow != flow)
      fetch(net_.senders + packet.flow, lines);
  }

  void fetch_message(std::uint32_t node) const {
    const std::uint32_t flow = next_flow(node);
    if (flow != kNone && net_.senders[flow].message != kNone) fetch(net_.messages + net_.senders[flow].message);
  }

  /// That is the next to send by the first port of a host, if any is.
  [[nodiscard]] std::uint32_t next_flow(std::uint32_t node) const {
    const NicPort& nic = net_.nics[net_.first_port[node]];
    if (nic.ready != 0) return nic.ready_head[std::countr_zero(nic.ready)];
    return nic.waiting.size != 0 ? nic.waiting.entries[0].flow : kNone;
  }

  const Net& net_;
  const Links& links_;
};

}  // namespace railyard::packet
