#include "analysis/results.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr double kMostlyBandwidth = 0.5;  // of the time; below that latency is what a faster link would not cure

double gigabytes_per_second(Bytes size, Picoseconds time) { return static_cast<double>(size.count()) / seconds(time) / 1e9; }

/// The trunk that was busy longest, or the single path that was, if that is most of the time; else latency.
std::string limit_of(const Fabric& fabric, const CollectiveRun& collective) {
  std::string limit;
  Picoseconds longest;
  for (const TrunkId trunk : ids(fabric.trunk_tier)) {
    const std::string tier(name_of(fabric.trunk_tier[trunk], fabric.topology));
    const Picoseconds shared = transmit_time(collective.telemetry.trunk_carried[trunk], fabric.trunk_rate(trunk));
    if (shared > longest) longest = shared, limit = tier;
    const Picoseconds alone = collective.telemetry.trunk_path_time[trunk];
    if (alone > longest) longest = alone, limit = tier + ", one path";
  }
  return seconds(longest) >= kMostlyBandwidth * seconds(collective.time) ? limit : "latency";
}

CollectivePoint point_of(const CollectiveRun& collective, const Run& run) {
  CollectivePoint point{.size = collective.size,
                        .time = collective.time,
                        .bound = collective.bound,
                        .algorithm = {},
                        .protocol = "simple",
                        .limit = {}};
  point.algorithm = name_of(collective.schedule.algorithm);
  point.algbw_gbs = gigabytes_per_second(collective.size, collective.time);
  point.busbw_gbs = point.algbw_gbs * all_reduce_bus_factor(collective.schedule.positions);
  point.of_bound = seconds(collective.bound) / seconds(collective.time);

  point.limit = limit_of(run.fabric, collective);
  return point;
}

std::vector<TierLoad> tier_loads(const Fabric& fabric, const CollectiveRun& collective) {
  std::vector<TierLoad> loads;
  for (std::size_t t = 0; t < kTiers; t++) {
    TierLoad load{.tier = static_cast<Tier>(t), .name = {}, .trunk_rate = {}, .carried = {}};
    load.name = name_of(load.tier, fabric.topology);
    double sum = 0;
    for (const TrunkId trunk : ids(fabric.trunk_tier)) {
      if (fabric.trunk_tier[trunk] != load.tier) continue;
      load.trunks++;
      load.ports += fabric.trunk_ports[trunk].size();
      load.trunk_rate = fabric.trunk_rate(trunk);
      load.carried += collective.telemetry.trunk_carried[trunk];
      const Picoseconds busy = transmit_time(collective.telemetry.trunk_carried[trunk], fabric.trunk_rate(trunk));
      const double utilisation = seconds(busy) / seconds(collective.time);
      sum += utilisation;
      load.peak_utilisation = std::max(load.peak_utilisation, utilisation);
    }
    if (load.trunks == 0) continue;
    load.mean_utilisation = sum / load.trunks;
    loads.push_back(load);
  }
  return loads;
}

FabricSummary summarise(const Scenario& scenario, const Run& run) {
  const Fabric& f = run.fabric;
  FabricSummary summary{.topology = std::string(name_of(f.topology)),
                        .endpoints = f.endpoints(),
                        .leaves = f.leaves,
                        .hosts_per_leaf = f.hosts_per_leaf,
                        .spines = f.spines,
                        .links_per_spine = f.links_per_spine,
                        .link_rate = scenario.plan.link_rate,
                        .uplink_rate = scenario.plan.uplink_rate};
  const double up = static_cast<double>(f.spines) * f.links_per_spine * static_cast<double>(summary.uplink_rate.count());
  if (up > 0) summary.oversubscription = f.hosts_per_leaf * static_cast<double>(summary.link_rate.count()) / up;
  for (const RankId rank : ids(run.placement)) {
    const RankId next((rank.index() + 1) % static_cast<std::uint32_t>(run.placement.size()));
    if (f.leaf_of(run.placement[rank]) != f.leaf_of(run.placement[next])) summary.neighbours_across++;
  }
  return summary;
}

}  // namespace

double all_reduce_bus_factor(std::uint32_t ranks) { return 2.0 * (ranks - 1) / ranks; }

Results analyse(const Scenario& scenario, const Run& run) {
  Results results;
  results.name = scenario.name;
  results.engine = name_of(scenario.engine.fidelity);
  results.fingerprint = run.fingerprint;
  results.inputs = scenario.inputs;
  results.diagnostics = run.diagnostics;
  if (run.training) {
    results.step = analyse_step(scenario, *run.training);
    results.ranks = run.training->step.layout.ranks();
    return results;
  }
  results.ranks = static_cast<std::uint32_t>(run.placement.size());
  results.fabric = summarise(scenario, run);
  for (const CollectiveRun& collective : run.collectives) results.points.push_back(point_of(collective, run));
  const auto largest = std::max_element(run.collectives.begin(), run.collectives.end(),
                                        [](const CollectiveRun& a, const CollectiveRun& b) { return a.size < b.size; });
  if (largest != run.collectives.end()) results.tiers = tier_loads(run.fabric, *largest);
  return results;
}

}  // namespace railyard
