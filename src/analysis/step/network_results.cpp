#include "analysis/step/network_results.h"

#include <algorithm>

#include "analysis/packets/traffic_results.h"

namespace railyard {

namespace {

constexpr std::size_t kPortsByCollective = 16, kBinsByCollective = 64;

/// How long calls of one kind took on the network.
std::vector<double> call_times(const Run& run, const OpTimes& op) {
  std::vector<double> times;
  if (!run.carried) return {};
  for (const FlowRecord& call : run.carried->collectives)
    if (call.what == op.name && call.group == name_of(op.kind)) times.push_back(seconds(call.finish - call.start));
  return times;
}

std::vector<OpRow> ops_of(const Run& run) {
  const StepRun& step = *run.training;
  std::vector<OpRow> rows;
  const auto stages = static_cast<double>(step.stages.size());
  for (const OpTimes& op : step.ops) {
    const auto calls = static_cast<double>(op.calls);
    const std::vector<double> taken = call_times(run, op);
    const TimeSpread times = spread_of(taken);
    rows.push_back({.name = std::string(op.name),
                    .group = std::string(name_of(op.kind)),
                    .calls = op.calls,
                    .mean_s = op.seconds / calls,
                    .longest_s = op.longest,
                    .p50_s = times.p50,
                    .p99_s = times.p99,
                    .slowdown = op.seconds / op.ideal,
                    .exposed_s = op.exposed / stages,
                    .hidden_s = std::max(0.0, op.seconds - op.exposed) / stages,
                    .cdf = cdf_of(taken)});
  }
  return rows;
}

std::vector<TierSeries> series_of(const Fabric& fabric, const Telemetry& network, const std::vector<TierLoad>& tiers) {
  std::vector<TierSeries> all;
  const double bin = seconds(network.tier_rate.width());
  for (const TierLoad& load : tiers) {
    if (load.carried == Bytes::zero()) continue;
    TierSeries series{.tier = load.name, .busiest = {}, .mean = {}, .peak = {}};
    double rate = 0;  // of the whole tier
    for (const TrunkId trunk : ids(fabric.trunk_tier))
      if (fabric.trunk_tier[trunk] == load.tier) rate += static_cast<double>(fabric.trunk_rate(trunk).count());
    for (const double bits : network.tier_rate.row(static_cast<std::size_t>(load.tier)))
      series.mean.push_back(bits / bin / rate);
    for (const Telemetry::Busiest& link : network.busiest) {
      if (link.tier != static_cast<std::size_t>(load.tier)) continue;
      series.busiest = link_name(fabric, link);
      for (const double bits : link.bits) series.peak.push_back(bits / bin / static_cast<double>(link.rate.count()));
    }
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace

NetworkResults analyse_network(const Scenario& scenario, const Run& run) {
  const StepRun& step = *run.training;
  const Telemetry& network = *run.network;
  NetworkResults r;
  r.exact = step.exact;
  r.quantum_s = seconds(scenario.engine.quantum);
  r.alone_s = seconds(step.alone);
  r.bound_s = step.exact ? 0 : std::max(0.0, seconds(step.time - step.alone));
  r.solving = network.solving;
  r.ops = ops_of(run);
  r.tiers = tier_loads(run.fabric, network, step.time);
  r.members = member_loads(run.fabric, network);
  r.rails = rail_loads(run.fabric, network, step.time);
  r.bin_s = seconds(network.tier_rate.width());
  r.series = series_of(run.fabric, network, r.tiers);
  r.by_port = collectives_by_port(run, kPortsByCollective, kBinsByCollective);
  return r;
}

}  // namespace railyard
