#include "sim/collective/simulate_collective.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/fingerprint.h"
#include "base/parallel.h"
#include "base/quantity_text.h"
#include "fabric/build.h"
#include "sim/collective/network_rates.h"
#include "sim/collective/packet_guard.h"
#include "sim/isolation.h"
#include "sim/late_changes.h"
#include "sim/message_memory.h"
#include "sim/prepare.h"
#include "sim/remarks.h"
#include "sim/supported.h"

namespace railyard {

namespace {

std::string fingerprint_of(const std::vector<CollectiveRun>& points) {
  Fingerprint all;
  for (const CollectiveRun& point : points) {
    all.add(static_cast<std::uint64_t>(point.size.count()));
    all.add(point.telemetry.fingerprint.value());
  }
  return all.text();
}

/// The network that carries the collective. `always` are the failures that last.
Network network_of(const Scenario& scenario, const PreparedRun& prepared, const std::vector<PortChange>& always,
                   const RunOptions& options) {
  const Run& run = prepared.run;
  Network network{run.fabric, run.wire, run.routing};
  network.on_flow = options.on_flow;
  if (scenario.engine.fidelity != Fidelity::analytic) network.failures = scenario.workload.library ? always : prepared.failures;
  if (scenario.engine.fidelity == Fidelity::flow)
    network.flow = flow_options(scenario, static_cast<std::uint32_t>(run.placement.size()));
  if (scenario.engine.fidelity == Fidelity::packet) {
    network.packet = &scenario.packet;
    network.packet_options.threads = scenario.workload.collective->sizes.size() > 1 ? 1 : threads_of(options);
    network.packet_options.tap = options.tap;
  }
  network.nics = nic_shares(scenario, run.fabric, prepared.failures);
  return network;
}

/// The same in closed form: what a library does not have is known by the group's shape, whatever its rates are.
Network without_engine(const Network& network) {
  Network closed{network.fabric, network.wire, network.routing};
  closed.failures = network.failures;
  closed.nics = network.nics;
  return closed;
}

/// An error if failures that last keep a NIC that the library uses from its counterpart: inside a node others could stand in,
/// but a library binds its channels to NICs before it starts.
Diagnostics cut_from_library(const Scenario& scenario, const Network& network, const Placement& placement) {
  const auto nodes = nodes_of(network.fabric, placement);
  if (!scenario.workload.library || network.failures.empty() || nodes.size() < 2) return {};
  std::vector<EndpointPair> pairs;
  const auto add = [&](NetPattern pattern) {
    for (const NetEdge& edge : net_edges(pattern, nodes, network.nics, network.fabric.per_interface))
      if (edge.share > 0) pairs.emplace_back(edge.from, edge.to);
  };
  add(NetPattern::ring);
  if (scenario.workload.collective->kind == CollectiveKind::all_to_all) add(exchange_of(scenario));
  return unreachable_pairs(scenario.keys, network.fabric, live_after(network.fabric, network.failures), pairs);
}

/// Points of a sweep do not meet: each has the network for itself.
Diagnostics sweep(const CollectiveGroup& group, const std::vector<Bytes>& sizes, const RunOptions& options, Run& run,
                  Progress& progress) {
  std::vector<std::uint64_t> messages;
  for (const Bytes size : sizes) messages.push_back(std::max<std::uint64_t>(1, messages_of(group, size)));
  for (const std::uint64_t of_size : messages) progress.expect(of_size);
  std::vector<std::optional<Result<CollectiveRun>>> points(sizes.size());
  const unsigned threads = options.on_flow ? 1 : options.threads;  // flows are told one size after the other
  for_each_index(sizes.size(), threads, [&](std::size_t i) {
    Progress point(progress, messages[i],
                   fmt::format("{} of {}", name_of(group.scenario.workload.collective->kind), format(sizes[i])));
    point.expect(messages[i]);
    points[i] = run_collective(group, sizes[i], point);
  });
  for (auto& point : points) {
    if (!*point) return point->error();
    run.collectives.push_back(std::move(**point));
  }
  return {};
}

}  // namespace

Result<Run> simulate_collective(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  if (Diagnostics refused = too_long(scenario, *fabric); !refused.empty()) return refused;
  const std::uint32_t ranks = scenario.workload.group_size(fabric->endpoints());
  if (!scenario.workload.library && scenario.engine.fidelity != Fidelity::packet) {
    const std::size_t at_once = scenario.workload.collective->sizes.size();  // whatever the machine: all refuse the same
    if (Diagnostics refused = too_many_pairs(scenario, *fabric, ranks, at_once, options.memory); !refused.empty())
      return refused;
  }
  if (!scenario.workload.library && scenario.engine.fidelity == Fidelity::packet)
    if (Diagnostics refused = too_many_to_play(scenario, *fabric, ranks, options.memory); !refused.empty()) return refused;
  Result<PreparedRun> prepared = prepare(scenario, std::move(*fabric), ranks);
  if (!prepared) return prepared.error();
  Run& run = prepared->run;
  const std::vector<PortChange> always = lasting(prepared->failures);
  if (Diagnostics cut = isolated_ranks(scenario.keys, run.fabric, live_after(run.fabric, always), run.placement); !cut.empty())
    return cut;
  const Network engine = network_of(scenario, *prepared, always, options);
  if (Diagnostics refused = too_much_to_measure(scenario, engine, run.placement, options.memory); !refused.empty())
    return refused;
  if (Diagnostics cut = cut_from_library(scenario, engine, run.placement); !cut.empty()) return cut;
  const Network network = options.dry && scenario.workload.library ? without_engine(engine) : engine;
  CollectiveGroup group = make_group(scenario, network, run.placement);
  group.memory = options.memory;
  for (const Diagnostics& warnings :
       {warnings_for(scenario, group.nodes), pointless(scenario, run.fabric, run.placement, prepared->failures, nullptr)})
    run.diagnostics.insert(run.diagnostics.end(), warnings.begin(), warnings.end());
  if (options.dry) {
    for (const Bytes size : scenario.workload.collective->sizes)
      if (Diagnostics refused = refused_collective(group, size); !refused.empty()) return refused;
    return std::move(run);
  }
  if (Diagnostics failed = sweep(group, scenario.workload.collective->sizes, options, run, progress); !failed.empty())
    return failed;
  if (scenario.workload.library)
    for (CollectiveRun& point : run.collectives) point.memory = measured_memory(scenario, engine, run.placement);
  std::uint64_t late = 0;
  for (const CollectiveRun& point : run.collectives) late += point.telemetry.solving.late;
  const Diagnostics merged = late_changes(scenario, "collective", late);
  run.diagnostics.insert(run.diagnostics.end(), merged.begin(), merged.end());
  run.fingerprint = fingerprint_of(run.collectives);
  return std::move(run);
}

}  // namespace railyard
