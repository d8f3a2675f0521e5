#include "analysis/patterns/patterns.h"

#include <algorithm>
#include <map>

#include "analysis/packets/sampled_points.h"
#include "analysis/packets/traffic_results.h"
#include "analysis/patterns/observed_points.h"
#include "analysis/tier_loads.h"
#include "sim/sent_bytes.h"

namespace railyard {

namespace {

constexpr std::size_t kBins = 500, kExcerptBins = 500, kMostStages = 32, kMostSpans = 4500;
constexpr std::size_t kMostTransfers = std::size_t{1} << 18;
constexpr double kShortBurst = 1e-3;  // seconds: an excerpt then looks ten times as closely

/// One place over a run of `time`; nothing is known of what happens within less than `finest`.
void add_point(PointPattern pattern, const std::vector<RateSpan>& spans, const std::vector<std::string>& rows, Picoseconds time,
               Picoseconds finest, Patterns& patterns) {
  const std::vector<RateStep> steps = rate_steps(spans, time);
  const std::optional<Period> period = period_of(steps, std::max(finest, 10_us));
  for (const Picoseconds resolution : {10_us, 100_us, 1000_us}) {
    if (resolution > time || resolution < finest) continue;
    Burstiness b = burstiness(steps, pattern.capacity_gbps * 1e9, resolution);
    if (period && period->time >= resolution * 2) b.period_s = seconds(period->time), b.period_strength = period->strength;
    pattern.resolutions.push_back(b);
  }
  pattern.whole = over_time(spans, rows, time, kBins);
  const bool is_short = pattern.resolutions.empty() || pattern.resolutions.front().burst_s.mean < kShortBurst;
  pattern.excerpt = excerpt_of(spans, rows, steps, is_short && finest <= 10_us ? 10_us : 100_us, kExcerptBins);
  patterns.points.push_back(std::move(pattern));
}

/// What is looked at in the same way whatever sent it.
struct Source {
  const Telemetry* telemetry = nullptr;
  std::span<const Bundle> bundles = {};
  const WireTraffic& traffic;
  bool messages = false;  // every call is one
  bool summed = false;    // of a pair, whenever it was
};

/// What each bundle carried most of.
std::vector<std::string> names_of_bundles(const WireTraffic& traffic, std::size_t bundles) {
  std::vector<std::map<std::uint32_t, double>> by_row(bundles);
  for (const WireCall& call : traffic.calls) by_row[call.bundle][call.row] += call.bytes;
  std::vector<std::string> names(bundles);
  for (std::size_t bundle = 0; bundle < bundles; bundle++) {
    const auto most = std::max_element(by_row[bundle].begin(), by_row[bundle].end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != by_row[bundle].end()) names[bundle] = traffic.rows[most->first];
  }
  return names;
}

/// Who sent to whom.
void add_ends(const Run& run, const Source& source, Patterns& patterns) {
  const std::vector<double> bytes = bytes_of_bundles(source.traffic, source.bundles.size());
  patterns.matrix = traffic_matrix(run.fabric, run.placement, source.bundles, bytes);
  if (source.summed) return;
  patterns.incast =
      source.messages ? incast_of_messages(source.bundles, source.traffic) : incast_of(source.bundles, source.traffic);
}

/// `telemetry`: what the run did from its beginning to its end.
void add_links(const Fabric& fabric, const Table<PortId, double>& carried, const Telemetry& telemetry, Picoseconds time,
               Patterns& patterns) {
  patterns.loads = load_spreads(fabric, carried, time);
  patterns.fabric_map = fabric_map(fabric, carried, time);
  if (!patterns.fabric_map->links.empty())
    patterns.map_over_time = map_over_time(fabric, *patterns.fabric_map, telemetry, time);
}

/// Single messages hash as one bundle of all pairs.
void add_paths_of_messages(const Run& run, const Source& source, Patterns& patterns) {
  const std::vector<double> bytes = bytes_of_bundles(source.traffic, source.bundles.size());
  Bundle all;
  for (std::size_t bundle = 0; bundle < bytes.size(); bundle++)
    if (bytes[bundle] > 0) all.edges.push_back(source.bundles[bundle].edges.front());
  patterns.paths = path_diversity(run.fabric, run.routing, {&all, 1}, {1}, {"all messages"});
}

/// Where rates over time are known.
void add_points(const Scenario& scenario, const Run& run, const Source& source, Patterns& patterns) {
  const Picoseconds time = source.traffic.time;
  if (source.telemetry->packets) {
    for (const SampledPoint& point : sampled_points(run.fabric, *source.telemetry->packets, time))
      add_point({point.where, point.name, point.capacity_bps / 1e9}, point.spans, {"on the wire"}, time,
                source.telemetry->packets->series.interval, patterns);
    return;
  }
  if (source.traffic.rate_intervals.empty()) return;
  const bool fixed_paths = scenario.failures.empty() && run.routing.fixed.empty();
  for (const ObservedPoint& point :
       observed_points(run.fabric, run.routing, source.telemetry, source.bundles, source.traffic, fixed_paths))
    add_point({point.where, point.name, point.capacity_bps / 1e9}, spans_of(source.traffic, point.share), source.traffic.rows,
              time, Picoseconds::zero(), patterns);
}

void add_step(const Scenario& scenario, const Run& run, const StepResults& step, Patterns& patterns) {
  patterns.volumes = volumes_of(step.traffic, step.reach);
  patterns.timeline = stage_timeline(*run.training, kMostStages, kMostSpans);
  if (!run.carried) {
    patterns.flow_sizes = flow_sizes_of(run.training->step, scenario.workload.parallel.bucket);
    return;
  }
  const WireTraffic traffic = wire_traffic(*run.carried, *run.network, run.training->exact, run.training->time);
  if (traffic.calls.empty()) return;
  patterns.flow_sizes = flow_sizes_of(run.carried->bundles, traffic, std::max(1U, run.routing.queue_pairs));
  const Source source{&*run.network, run.carried->bundles, traffic};
  add_points(scenario, run, source, patterns);
  add_ends(run, source, patterns);
  add_links(run.fabric, carried_by_ports(run.fabric, *source.telemetry), *source.telemetry, traffic.time, patterns);
  patterns.paths = path_diversity(run.fabric, run.routing, source.bundles, bytes_of_bundles(traffic, source.bundles.size()),
                                  names_of_bundles(traffic, source.bundles.size()));
}

void add_messages(const Scenario& scenario, const Run& run, Patterns& patterns) {
  std::vector<Bundle> bundles;
  WireTraffic traffic = wire_traffic(*run.traffic, bundles);
  traffic.time = std::max(traffic.time, watched(*run.traffic).until);
  double bytes = 0;
  for (const WireCall& call : traffic.calls) bytes += call.bytes;
  const double hosts = std::max<double>(1, static_cast<double>(run.placement.size()));
  patterns.volumes = volumes_of("send", bytes / hosts, bytes / hosts);
  if (traffic.calls.empty()) return;
  const bool summed = run.traffic->sums.has_value();
  if (!summed) patterns.flow_sizes = message_sizes_of(bundles, traffic, std::max(1U, run.routing.queue_pairs));
  const Source source{&run.traffic->telemetry, bundles, traffic, true, summed};
  add_points(scenario, run, source, patterns);
  add_ends(run, source, patterns);
  const auto& packets = source.telemetry->packets;
  add_links(run.fabric,
            packets ? sent_until(run.fabric, *packets, traffic.time) : carried_by_ports(run.fabric, *source.telemetry),
            *source.telemetry, traffic.time, patterns);
  add_paths_of_messages(run, source, patterns);
}

bool is_large(const Schedule& schedule) {
  std::size_t transfers = 0;
  for (const Round& round : schedule.rounds) transfers += round.transfers.size();
  return transfers > kMostTransfers;
}

/// Pairs of a schedule that is short enough to look at all of them.
void add_collective(const Run& run, const CollectiveRun& collective, Patterns& patterns) {
  const Telemetry nothing(0);
  const bool is_played = collective.telemetry.packets && !collective.protocol;  // else packets are those of a probe
  add_links(run.fabric,
            is_played ? sent_until(run.fabric, *collective.telemetry.packets, collective.time)
                      : carried_by_ports(run.fabric, collective.telemetry),
            collective.protocol ? nothing : collective.telemetry, collective.time, patterns);
  if (!collective.schedule || is_large(*collective.schedule)) return;
  std::vector<Bundle> bundles;
  const WireTraffic traffic = wire_traffic(run, collective, bundles);
  double scale_out = 0;
  for (const Bundle& bundle : bundles)
    for (const Edge& edge : bundle.edges) scale_out += edge.share * traffic.calls.front().bytes;
  const auto ranks = static_cast<double>(run.placement.size());
  patterns.volumes = volumes_of(std::string(name_of(collective.kind)), collective.sent, scale_out / ranks);
  if (bundles.empty()) return;
  patterns.flow_sizes = flow_sizes_of(run, collective, bundles, traffic);
  add_ends(run, {&collective.telemetry, bundles, traffic}, patterns);
  patterns.paths = path_diversity(run.fabric, run.routing, bundles, bytes_of_bundles(traffic, bundles.size()), traffic.rows);
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
