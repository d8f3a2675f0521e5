#include "sim/isolation.h"

#include <fmt/format.h>

#include <map>

#include "fabric/unreachable.h"
#include "sim/cut_off.h"

namespace railyard {

namespace {

/// By what cuts them off. `first` cannot reach the rank after it.
Diagnostics cut_off_ranks(const GivenKeys& keys, const Fabric& fabric, const LivePorts& live, const Placement& placement,
                          RankId first) {
  constexpr std::size_t kMost = 5;
  const char* const hint = "let the failure end (until), add links, or place the job elsewhere";
  Diagnostics found;
  const std::vector<CutOff> all = find_cut_off(fabric, live, placement);
  for (std::size_t i = 0; i < std::min(all.size(), kMost); i++)
    found.push_back({Severity::error, "RY-RUN-031", to_text(fabric, placement, all[i]), hint, keys.where("failures")});
  if (all.size() > kMost) found.back().message += fmt::format("; and {} more causes", all.size() - kMost);
  if (!found.empty()) return found;
  const RankId next((first.index() + 1) % static_cast<std::uint32_t>(placement.size()));
  return {{Severity::error, "RY-RUN-031",
           fmt::format("rank {} cannot reach rank {}: {}", first.index(), next.index(),
                       why_unreachable(fabric, live, placement[first], placement[next])),
           hint, keys.where("failures")}};
}

}  // namespace

std::vector<PortChange> lasting(std::span<const PortChange> changes) {
  std::map<PortId, std::uint32_t> times;  // that a port changes
  for (const PortChange& change : changes) times[change.port]++;
  std::vector<PortChange> found;
  for (const PortChange& change : changes)
    if (change.at == Picoseconds::zero() && times[change.port] == 1) found.push_back(change);
  return found;
}

LivePorts live_after(const Fabric& fabric, std::span<const PortChange> changes) {
  LivePorts live(fabric);
  for (const PortChange& change : changes) live.set(change.port, change.rate > BitsPerSecond::zero());
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
  if (live.all_live() || placement.size() < 2) return {};
  const auto reaches_next = [&](RankId rank) {
    const RankId next((rank.index() + 1) % static_cast<std::uint32_t>(placement.size()));
    return placement[rank] == placement[next] || live.connects(placement[rank], placement[next]);
  };
  for (const RankId rank : ids(placement))
    if (!reaches_next(rank)) return cut_off_ranks(keys, fabric, live, placement, rank);
  return {};
}

}  // namespace railyard
