#include "sim/isolation.h"

#include <fmt/format.h>

#include <map>

#include "fabric/unreachable.h"

namespace railyard {

std::vector<RateChange> lasting(std::span<const RateChange> changes) {
  std::map<PortId, std::uint32_t> times;  // that a port changes
  for (const RateChange& change : changes) times[change.port]++;
  std::vector<RateChange> found;
  for (const RateChange& change : changes)
    if (change.at == Picoseconds::zero() && times[change.port] == 1) found.push_back(change);
  return found;
}

LivePorts live_after(const Fabric& fabric, std::span<const RateChange> changes) {
  LivePorts live(fabric);
  for (const RateChange& change : changes) live.set(change.port, change.rate > BitsPerSecond::zero());
  return live;
}

Diagnostics unreachable_pairs(const GivenKeys& keys, const Fabric& fabric, const LivePorts& live,
                              std::span<const EndpointPair> pairs) {
  Diagnostics found;
  if (live.all_live()) return found;
  std::size_t more = 0;
  for (const auto& [from, to] : pairs) {
    if (from == to || live.connects(from, to)) continue;
    if (found.empty())
      found.push_back({Severity::error, "RY-RUN-031", why_unreachable(fabric, live, from, to),
                       "let the failure end (until), add links, or choose other hosts", keys.where("failures")});
    else
      more++;
  }
  if (more > 0) found.back().message += fmt::format("; and {} more pairs", more);
  return found;
}

Diagnostics dead_edges(const GivenKeys& keys, const Fabric& fabric, const LivePorts& live, std::span<const SwitchEdge> edges) {
  if (live.all_live()) return {};
  for (const auto& [trunk, endpoint] : edges)
    if (live.down_in(trunk) > 0)
      if (const std::string why = why_down(fabric, live, trunk, endpoint); !why.empty())
        return {{Severity::error, "RY-RUN-031", "a switch that reduces is out of reach: " + why,
                 "let the failure end (until), add links, or choose another algorithm", keys.where("failures")}};
  return {};
}

Diagnostics isolated_ranks(const GivenKeys& keys, const Fabric& fabric, const LivePorts& live, const Placement& placement) {
  constexpr std::size_t kMost = 5;
  Diagnostics found;
  if (live.all_live() || placement.size() < 2) return found;
  std::size_t more = 0;
  for (const RankId rank : ids(placement)) {
    const RankId next((rank.index() + 1) % static_cast<std::uint32_t>(placement.size()));
    if (placement[rank] == placement[next] || live.connects(placement[rank], placement[next])) continue;
    if (found.size() == kMost) {
      more++;
      continue;
    }
    found.push_back({Severity::error, "RY-RUN-031",
                     fmt::format("rank {} cannot reach rank {}: {}", rank.index(), next.index(),
                                 why_unreachable(fabric, live, placement[rank], placement[next])),
                     "let the failure end (until), add links, or place the job elsewhere", keys.where("failures")});
  }
  if (more > 0) found.back().message += fmt::format("; and {} more ranks", more);
  return found;
}

}  // namespace railyard
