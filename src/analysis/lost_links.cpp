#include "analysis/lost_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/tier_loads.h"
#include "fabric/failures.h"

namespace railyard {

namespace {

/// Of both directions of a link the one that leads up.
PortId upward(const Fabric& f, PortId port) {
  const PortId back = reverse_of(f, port);
  const auto order = [&](PortId one) { return std::pair(f.trunk_tier[f.port_trunk[one]], one); };
  return std::min(order(port), order(back)).second;
}

std::uint32_t links_of(const Fabric& f, Tier tier) {
  std::uint32_t ports = 0;
  for (const TrunkId trunk : ids(f.trunk_tier))
    if (f.trunk_tier[trunk] == tier) ports += f.trunk_ports[trunk].size();
  return tier == Tier::across ? ports / 2 : ports;  // both directions lie in it
}

/// "spine 0, 64 leaves".
std::string ends_of(const Fabric& f, const std::set<PortId>& links) {
  std::map<NodeKind, std::set<NodeId>> ends;
  for (const PortId port : links)
    for (const NodeId node : {f.port_from[port], f.port_to[port]}) ends[f.kind[node]].insert(node);
  std::vector<std::string> texts;
  for (const auto& [kind, nodes] : ends) {
    if (nodes.size() == 1)
      texts.push_back(end_name(f, *nodes.begin()));
    else if (kind == NodeKind::host)
      texts.push_back(fmt::format("{} {}", nodes.size(), f.per_interface == 1 ? "GPUs" : "NICs"));
    else
      texts.push_back(
          fmt::format("{} {}", nodes.size(), kind == NodeKind::leaf ? "leaves" : fmt::format("{}s", name_of(kind))));
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// How long it lasts before the run ends.
double lasting_s(const Failure& failure, double run_s) {
  double sum = 0;
  for (std::uint32_t i = 0; i < failure.times; i++) {
    const double later = failure.every ? i * seconds(*failure.every) : 0;
    const double from = std::min(run_s, seconds(failure.from) + later);
    sum += (failure.until ? std::min(run_s, seconds(*failure.until) + later) : run_s) - from;
  }
  return sum;
}

/// Of the trunk that loses most.
double left_at_worst(const Fabric& f, const std::set<PortId>& links, BitsPerSecond left) {
  std::map<TrunkId, std::uint32_t> failed;
  for (const PortId port : links) failed[f.port_trunk[port]]++;
  double worst = 1;
  for (const auto& [trunk, count] : failed) {
    const double lost = 1 - static_cast<double>(left.count()) / static_cast<double>(f.trunk_port_rate[trunk].count());
    worst = std::min(worst, 1 - lost * count / f.trunk_ports[trunk].size());
  }
  return worst;
}

LostLinks row_of(const Failure& failure, const Fabric& f, Tier tier, const std::set<PortId>& links, double run_s) {
  LostLinks row;
  row.what = failure.name;
  row.tier = std::string(name_of(tier, f.topology));
  row.failed = static_cast<std::uint32_t>(links.size());
  row.links = links_of(f, tier);
  row.left = *failure.rate;
  row.left_at_worst = left_at_worst(f, links, *failure.rate);
  row.from_s = seconds(failure.from);
  if (failure.until) row.until_s = seconds(*failure.until);
  row.times = failure.times;
  row.lasts_s = lasting_s(failure, run_s);
  row.ends = ends_of(f, links);
  return row;
}

}  // namespace

std::vector<LostLinks> lost_links(std::span<const Failure> failures, const Fabric& fabric, double run_s) {
  std::vector<LostLinks> all;
  for (const Failure& failure : failures) {
    if (!failure.rate) continue;
    const Result<std::vector<PortChange>> changes = port_changes(std::span(&failure, 1), fabric);
    RY_CHECK(changes, "failures that cannot be are refused before a run");
    std::map<Tier, std::set<PortId>> by_tier;
    for (const PortChange& change : *changes) {
      const PortId up = upward(fabric, change.port);
      by_tier[fabric.trunk_tier[fabric.port_trunk[up]]].insert(up);
    }
    for (const auto& [tier, links] : by_tier) all.push_back(row_of(failure, fabric, tier, links, run_s));
  }
  return all;
}

}  // namespace railyard
