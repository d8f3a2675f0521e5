#include "sim/packet_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/quantity_text.h"
#include "fabric/routes.h"

namespace railyard {

namespace {

constexpr double kHopsPerSecond = 1e7;  // packets over links that one core simulates
constexpr double kMostSeconds = 3600;
constexpr std::size_t kPathsLookedAt = 64;

std::uint32_t hops_between(const Fabric& fabric, EndpointId from, EndpointId to) {
  const TrunkPath path = path_of(fabric, from, to);
  return path.empty() ? 1 : path.back().hop + 1;
}

/// Who waits for whom: "s0 to s1, s1 to s0".
std::string name_of_node(const Fabric& fabric, NodeId node) { return node_name(fabric, node, number_of(fabric, node)); }

/// Of a host its first GPU; switches that compute send, too.
std::string name_of_end(const Fabric& fabric, NodeId node) {
  if (fabric.drawn || fabric.kind[node] != NodeKind::host) return name_of_node(fabric, node);
  return fmt::format("GPU {}", node.index() * fabric.per_interface);
}

std::string first_ports(const Fabric& fabric, const DeadlockRecord& deadlock) {
  constexpr std::size_t kMost = 6;
  const auto name = [&](NodeId node) { return name_of_node(fabric, node); };
  std::vector<std::string> ports;
  for (const PortId port : deadlock.ports)
    if (ports.size() < kMost)
      ports.push_back(fmt::format("{} to {}", name(fabric.port_from[port]), name(fabric.port_to[port])));
  return fmt::format("{}{}", fmt::join(ports, ", "), deadlock.ports.size() > kMost ? ", …" : "");
}

}  // namespace

Diagnostics too_many_ports(const Scenario& scenario, const Fabric& fabric) {
  Table<NodeId, std::uint32_t> ports(fabric.kind.size());
  for (const PortId port : ids(fabric.port_from))
    if (!is_scale_up(fabric.trunk_tier[fabric.port_trunk[port]])) ports[fabric.port_from[port]]++;
  const auto most = std::max_element(ports.begin(), ports.end());
  const std::uint32_t limit = fabric.switching == Switching::scheduled ? kMostScheduledPorts : kMostPacketPorts;
  if (most == ports.end() || *most <= limit) return {};
  return {{Severity::error, "RY-RUN-053",
           fmt::format("a switch of this fabric has {} ports, and fidelity = \"packet\" simulates switches of at most {}",
                       format_count(*most), format_count(limit)),
           fmt::format("use fewer GPUs (about {} as the fabric is), more or smaller switches, or fidelity = \"flow\"",
                       format_count(std::uint64_t{fabric.endpoints()} * limit / *most)),
           scenario.keys.where("fabric")}};
}

void PacketWork::add(const PacketWork& other) {
  packets += other.packets;
  hops += other.hops;
  most_of_pair = std::max(most_of_pair, other.most_of_pair);
}

PacketWork packet_work(const Fabric& fabric, const WireFormat& wire, std::uint32_t queue_pairs,
                       std::span<const PairLoad> pairs) {
  PacketWork work;
  double hops = 0, looked_at = 0;
  const std::size_t step = std::max<std::size_t>(1, pairs.size() / kPathsLookedAt);
  for (std::size_t i = 0; i < pairs.size(); i++) {
    const PairLoad& pair = pairs[i];
    if (share_domain(fabric, pair.from, pair.to)) continue;
    const double packets = std::ceil(static_cast<double>(pair.bytes.count()) / static_cast<double>(wire.mtu.count())) +
                           static_cast<double>(pair.messages);
    work.packets += packets;
    work.most_of_pair = std::max(work.most_of_pair, packets / queue_pairs);
    if (i % step != 0) continue;
    hops += hops_between(fabric, pair.from, pair.to);
    looked_at++;
  }
  work.hops = work.packets * (looked_at > 0 ? hops / looked_at : 1);
  return work;
}

Diagnostics too_much_work(const Scenario& scenario, const PacketWork& work, const char* key) {
  const double time = work.hops / kHopsPerSecond;
  const double times = std::max(time / kMostSeconds, work.most_of_pair / static_cast<double>(kMostPacketsOfQueuePair));
  if (times <= 1) return {};
  const bool is_long = time > kMostSeconds;
  const std::string what =
      is_long ? fmt::format(
                    "about {:.2g} packets over {:.2g} links in all, which takes one core about {:.2g} hours; the limit is one",
                    work.packets, work.hops, time / 3600)
              : fmt::format("about {:.2g} packets of one queue pair, and the limit is {:.2g}", work.most_of_pair,
                            static_cast<double>(kMostPacketsOfQueuePair));
  return {{Severity::error, "RY-RUN-054", fmt::format("at fidelity \"packet\" this is {}", what),
           fmt::format("use sizes {:.0f} times smaller, or fidelity = \"flow\"", std::ceil(times)), scenario.keys.where(key)}};
}

std::string why_undelivered(const Fabric& fabric, const PacketRecord& record) {
  if (record.out_of_time) return fmt::format("the packet engine stops after {} of simulated time", format(kLongestPacketRun));
  if (record.livelocked)
    return fmt::format("a livelock, {} packets crossed links and next to none brought anything new ({} dropped or trimmed)",
                       format_count(record.hops),
                       format_count(std::accumulate(record.drops.begin(), record.drops.end(), record.trimmed)));
  if (!record.deadlocks.empty())
    return record.deadlocks.front().is_cycle
               ? "a deadlock, ports wait for each other in a cycle: " + first_ports(fabric, record.deadlocks.front())
               : "ports wait behind one that never resumes";
  for (const TimeoutRecord& one : record.timed_out)
    if (one.broken)
      return fmt::format(
          "{} gave up, the first from {} to {} after {} (NCCL would report IBV_WC_RETRY_EXC_ERR, status 12; over "
          "TCP that the connection timed out)",
          record.broken == 1 ? "a queue pair" : format_count(record.broken) + " queue pairs", name_of_end(fabric, one.from),
          name_of_end(fabric, one.to), format(*one.broken));
  if (record.broken > 0) return fmt::format("{} queue pairs gave up after too many timeouts", format_count(record.broken));
  return "their packets are lost or taken in by nobody, and not sent again";
}

}  // namespace railyard
