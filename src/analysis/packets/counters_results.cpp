#include "analysis/packets/counters_results.h"

#include <algorithm>
#include <cmath>

#include "analysis/tier_loads.h"

namespace railyard {

namespace {

bool counted_any(const NicRecord& nic) {
  return (nic.cnp_sent | nic.cnp_handled | nic.marked | nic.out_of_sequence | nic.naks_sent | nic.timeouts |
          nic.retransmissions) != 0;
}

/// Where a share of all packets waited no longer.
double wait_quantile(const WaitSpread& spread, double share) {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(spread.packets) - 1e-9));
  std::uint64_t seen = 0;
  for (const WaitBucket& bucket : spread.buckets)
    if ((seen += bucket.packets) >= wanted) return bucket.to_ns;
  return 0;
}

}  // namespace

WaitSpread wait_spread(const PacketRecord& packets) {
  constexpr double kNanoseconds = 1e-3;  // of a picosecond
  WaitSpread spread;
  const auto add = [&](double from, double to, std::uint64_t count) {
    if (count == 0) return;
    spread.packets += count;
    spread.buckets.push_back({from, to, count});
  };
  add(0, 0, packets.unqueued + (packets.waits.empty() ? 0 : packets.waits.front()));
  for (std::size_t k = 1; k < packets.waits.size(); k++)
    add(std::ldexp(kNanoseconds, static_cast<int>(k) - 1), std::ldexp(kNanoseconds, static_cast<int>(k)), packets.waits[k]);
  spread.p50_ns = wait_quantile(spread, 0.5);
  spread.p90_ns = wait_quantile(spread, 0.9);
  spread.p99_ns = wait_quantile(spread, 0.99);
  spread.p999_ns = wait_quantile(spread, 0.999);
  return spread;
}

CounterResults counter_results(const Fabric& fabric, const PacketRecord& packets, std::size_t most) {
  CounterResults r;
  for (const PortPauses& row : packets.port_pauses) {
    if (r.priorities.size() == most) {
      r.priorities_left_out++;
      continue;
    }
    r.priorities.push_back({.port = port_name(fabric, row.port),
                            .priority = packets.priorities[row.traffic_class],
                            .sent = row.sent,
                            .received = row.received,
                            .transitions = row.transitions,
                            .paused_us = microseconds(row.paused)});
  }
  for (const NicRecord& nic : packets.nics) {
    if (!counted_any(nic)) continue;
    if (r.nics.size() == most)
      r.nics_left_out++;
    else
      r.nics.push_back({end_name(fabric, nic.node), nic.cnp_sent, nic.cnp_handled, nic.marked, nic.out_of_sequence,
                        nic.naks_sent, nic.timeouts, nic.retransmissions});
  }
  r.waits = wait_spread(packets);
  return r;
}

}  // namespace railyard
