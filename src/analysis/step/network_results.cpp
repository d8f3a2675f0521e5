#include "analysis/step/network_results.h"

#include <algorithm>
#include <optional>

#include "analysis/packets/traffic_results.h"
#include "analysis/tier_loads.h"
#include "sim/sent_bytes.h"

namespace railyard {

namespace {

constexpr std::size_t kSampledBins = 256;

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
    if (load.tier == Tier::across && !fabric.ways.empty()) rate = static_cast<double>(rate_of_circuits(fabric).count());
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

/// Use of every tier, and of its busiest port, by samples of ports.
class SampledTiers {
 public:
  SampledTiers(const Fabric& fabric, const PacketRecord& packets, Picoseconds time)
      : fabric_(fabric), packets_(packets), width_(seconds(time) / kSampledBins) {}

  [[nodiscard]] double bin_s() const { return width_; }
  [[nodiscard]] TierSeries of(const TierLoad& load) const {
    TierSeries series{.tier = load.name, .busiest = {}, .mean = std::vector<double>(kSampledBins, 0), .peak = {}};
    std::optional<PortId> busiest;
    double rate = 0;
    for (const PortId port : ids(fabric_.port_from)) {
      if (fabric_.trunk_tier[fabric_.port_trunk[port]] != load.tier) continue;
      rate += rate_of(port);
      add_bits(port, series.mean);
      if (!busiest || packets_.ports[port].bytes > packets_.ports[*busiest].bytes) busiest = port;
    }
    for (double& bits : series.mean) bits /= width_ * rate;
    if (!busiest) return series;
    series.busiest = port_name(fabric_, *busiest);
    series.peak.assign(kSampledBins, 0);
    add_bits(*busiest, series.peak);
    for (double& bits : series.peak) bits /= width_ * rate_of(*busiest);
    return series;
  }

 private:
  [[nodiscard]] double rate_of(PortId port) const {
    return static_cast<double>(fabric_.trunk_port_rate[fabric_.port_trunk[port]].count());
  }

  void add_bits(PortId port, std::vector<double>& bins) const {
    const PortSeries& samples = packets_.series;
    const std::vector<double> sent = sent_by_sample(samples, port, fabric_.trunk_port_rate[fabric_.port_trunk[port]]);
    double begin = 0;
    for (std::size_t i = 0; i < sent.size(); i++) {
      const double end = seconds(samples.at[i]);
      if (end > begin && sent[i] > 0) spread_over(bins, width_, begin, end, sent[i] * 8);
      begin = std::max(begin, end);
    }
  }

  /// Evenly over the bins that [begin, end) lies in; what lies behind the last is left out.
  static void spread_over(std::vector<double>& bins, double width, double begin, double end, double bits) {
    for (auto bin = static_cast<std::size_t>(begin / width); bin < bins.size(); bin++) {
      const double low = std::max(begin, static_cast<double>(bin) * width);
      const double high = std::min(end, static_cast<double>(bin + 1) * width);
      if (high <= low) break;
      bins[bin] += bits * (high - low) / (end - begin);
    }
  }

  const Fabric& fabric_;
  const PacketRecord& packets_;
  const double width_;  // of a bin, seconds
};

void add_sampled_series(const Run& run, NetworkResults& r) {
  const SampledTiers tiers(run.fabric, *run.network->packets, run.training->time);
  r.bin_s = tiers.bin_s();
  for (const TierLoad& load : r.tiers)
    if (load.carried > Bytes::zero() && !is_scale_up(load.tier)) r.series.push_back(tiers.of(load));
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
  if (network.packets)
    add_sampled_series(run, r);
  else
    r.series = series_of(run.fabric, network, r.tiers);
  r.by_port = collectives_by_port(run);
  return r;
}

}  // namespace railyard
