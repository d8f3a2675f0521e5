#include "sim/simulate.h"

#include <optional>

#include "base/fingerprint.h"
#include "base/parallel.h"
#include "engine/engine.h"
#include "fabric/build.h"
#include "sim/bounds.h"
#include "sim/play.h"
#include "sim/supported.h"

namespace railyard {

namespace {

/// The collective of one size on a network of its own: points of a sweep do not meet.
CollectiveRun run_collective(Bytes size, const Run& run, Progress& progress) {
  CollectiveRun point{.size = size,
                      .schedule = ring_all_reduce(static_cast<std::uint32_t>(run.placement.size()), size),
                      .time = {},
                      .bound = {},
                      .bound_at = {},
                      .telemetry = Telemetry(run.fabric.trunk_tier.size())};
  const std::vector<EndpointId> seats(run.placement.begin(), run.placement.end());
  const auto engine = make_analytic_engine(run.fabric, run.wire, point.telemetry);
  point.time = play(point.schedule, seats, *engine, progress);

  const Bound bound = all_reduce_bound(run.fabric, run.placement, size);
  point.bound = bound.time;
  point.bound_at = bound.at;
  check_physics(run.fabric, point.schedule, size, point.time, bound, point.telemetry);
  return point;
}

WireFormat wire_format(const TransportSpec& transport) {
  return {.mtu = transport.mtu, .header = transport.packet_overhead(), .message_header = transport.message_overhead()};
}

std::string fingerprint_of(const std::vector<CollectiveRun>& points) {
  Fingerprint all;
  for (const CollectiveRun& point : points) {
    all.add(static_cast<std::uint64_t>(point.size.count()));
    all.add(point.telemetry.fingerprint.value());
  }
  return all.text();
}

Result<Run> train(const Scenario& scenario) {
  Result<Step> step = build_step(scenario);
  if (!step) return step.error();
  if (Diagnostics refused = too_long(scenario, *step); !refused.empty()) return refused;
  const Diagnostics doubts = doubts_about(scenario, *step);
  Run run{.training = run_step(scenario, std::move(*step)),
          .fabric = {},
          .placement = {},
          .wire = wire_format(scenario.transport),
          .collectives = {},
          .diagnostics = idle_network(scenario),
          .fingerprint = {}};
  run.diagnostics.insert(run.diagnostics.end(), doubts.begin(), doubts.end());
  run.fingerprint = run.training->fingerprint;
  return run;
}

}  // namespace

Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  if (Diagnostics refused = unsupported(scenario); !refused.empty()) return refused;

  if (scenario.model) return train(scenario);
  Result<Fabric> fabric = build_fabric(scenario);
  if (!fabric) return fabric.error();
  if (Diagnostics refused = too_long(scenario, *fabric); !refused.empty()) return refused;
  Run run{.training = {},
          .fabric = std::move(*fabric),
          .placement = {},
          .wire = wire_format(scenario.transport),
          .collectives = {},
          .diagnostics = {},
          .fingerprint = {}};
  run.diagnostics = without_effect(scenario, run.fabric);
  const std::uint32_t ranks = scenario.collective->group.value_or(run.fabric.endpoints());
  run.placement = place(scenario.placement.policy, ranks, run.fabric, scenario.engine.seed);

  const std::vector<Bytes>& sizes = scenario.collective->sizes;
  progress.expect(ring_all_reduce(ranks, Bytes(1)).messages() * sizes.size());
  std::vector<std::optional<CollectiveRun>> points(sizes.size());
  for_each_index(sizes.size(), options.threads, [&](std::size_t i) { points[i] = run_collective(sizes[i], run, progress); });
  for (auto& point : points) run.collectives.push_back(std::move(*point));
  run.fingerprint = fingerprint_of(run.collectives);
  return run;
}

}  // namespace railyard
