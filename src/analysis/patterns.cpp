#include "analysis/patterns.h"

#include <algorithm>

#include "analysis/watched_places.h"

namespace railyard {

namespace {

constexpr std::size_t kBins = 600, kExcerptBins = 500, kMostStages = 32, kMostSpans = 4500;
constexpr double kShortBurst = 1e-3;  // seconds: an excerpt then looks ten times as closely

PlacePattern pattern_of(const WatchedPlace& place, const WireTraffic& traffic) {
  PlacePattern pattern{.where = place.where, .name = place.name, .capacity_gbps = place.capacity_bps / 1e9};
  const std::vector<RateSpan> spans = spans_of(traffic, place.share);
  const std::vector<RateStep> steps = rate_steps(spans, traffic.time);
  const std::optional<Period> period = period_of(steps, 10_us);
  for (const Picoseconds resolution : {10_us, 100_us, 1000_us}) {
    if (resolution > traffic.time) break;
    Burstiness b = burstiness(steps, place.capacity_bps, resolution);
    if (period && period->time >= resolution * 2) b.period_s = seconds(period->time), b.period_strength = period->strength;
    pattern.resolutions.push_back(b);
  }
  pattern.whole = over_time(spans, traffic.rows, traffic.time, kBins);
  const bool is_short = pattern.resolutions.empty() || pattern.resolutions.front().burst_s.mean < kShortBurst;
  pattern.excerpt = excerpt_of(spans, traffic.rows, steps, is_short ? 10_us : 100_us, kExcerptBins);
  return pattern;
}

/// What is looked at in the same way whatever sent it.
struct Source {
  const Telemetry* telemetry = nullptr;
  std::span<const Bundle> bundles = {};
  const WireTraffic& traffic;
};

/// Where rates over time are known.
void add_places(const Scenario& scenario, const Run& run, const Source& source, Patterns& patterns) {
  if (source.traffic.stretches.empty()) return;
  const bool fixed_ways = scenario.failures.empty() && run.routing.fixed.empty();
  for (const WatchedPlace& place :
       watched_places(run.fabric, run.routing, source.telemetry, source.bundles, source.traffic, fixed_ways))
    patterns.places.push_back(pattern_of(place, source.traffic));
}

void add_step(const Scenario& scenario, const Run& run, const StepResults& step, Patterns& patterns) {
  patterns.volumes = volumes_of(step.traffic, step.reach);
  patterns.timeline = stage_timeline(*run.training, kMostStages, kMostSpans);
  if (!run.carried) {
    patterns.flow_sizes = flow_sizes_of(run.training->step, scenario.parallel.bucket);
    return;
  }
  const WireTraffic traffic = wire_traffic(*run.carried, *run.network, run.training->exact, run.training->time);
  if (traffic.calls.empty()) return;
  patterns.flow_sizes = flow_sizes_of(run.carried->bundles, traffic, std::max(1U, run.routing.queue_pairs));
  add_places(scenario, run, {&*run.network, run.carried->bundles, traffic}, patterns);
}

void add_messages(const Scenario& scenario, const Run& run, Patterns& patterns) {
  std::vector<Bundle> bundles;
  const WireTraffic traffic = wire_traffic(*run.traffic, bundles);
  double bytes = 0;
  for (const WireCall& call : traffic.calls) bytes += call.bytes;
  const double hosts = std::max<double>(1, static_cast<double>(run.placement.size()));
  patterns.volumes = volumes_of("send", bytes / hosts, bytes / hosts);
  if (traffic.calls.empty()) return;
  patterns.flow_sizes = message_sizes_of(bundles, traffic, std::max(1U, run.routing.queue_pairs));
  add_places(scenario, run, {&run.traffic->telemetry, bundles, traffic}, patterns);
}

void add_collective(const Run& run, const CollectiveRun& collective, Patterns& patterns) {
  std::vector<Bundle> bundles;
  const WireTraffic traffic = wire_traffic(run, collective, bundles);
  if (!collective.schedule) return;
  double scale_out = 0;
  for (const Bundle& bundle : bundles)
    for (const Edge& edge : bundle.edges) scale_out += edge.share * traffic.calls.front().bytes;
  const auto ranks = static_cast<double>(run.placement.size());
  patterns.volumes = volumes_of(std::string(name_of(collective.kind)), collective.sent, scale_out / ranks);
  if (!bundles.empty()) patterns.flow_sizes = flow_sizes_of(run, collective, bundles, traffic);
}

}  // namespace

Patterns analyse_patterns(const Scenario& scenario, const Run& run, const StepResults* step) {
  Patterns patterns;
  if (step) add_step(scenario, run, *step, patterns);
  if (run.traffic) add_messages(scenario, run, patterns);
  if (run.collectives.empty()) return patterns;
  add_collective(run,
                 *std::max_element(run.collectives.begin(), run.collectives.end(),
                                   [](const CollectiveRun& a, const CollectiveRun& b) { return a.size < b.size; }),
                 patterns);
  return patterns;
}

}  // namespace railyard
