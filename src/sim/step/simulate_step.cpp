#include "sim/step/simulate_step.h"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "base/fingerprint.h"
#include "base/quantity_text.h"
#include "engine/engine.h"
#include "fabric/build.h"
#include "sim/collective/network_rates.h"
#include "sim/isolation.h"
#include "sim/late_changes.h"
#include "sim/packet_limits.h"
#include "sim/prepare.h"
#include "sim/remarks.h"
#include "sim/step/flow_carrier.h"
#include "sim/step/jitter_run.h"
#include "sim/step/packet_step.h"
#include "sim/step/phase_circuits.h"
#include "sim/step/reach.h"
#include "sim/step/step_memory.h"
#include "sim/supported.h"
#include "sim/team_parts.h"

namespace railyard {

namespace {

/// Once the step was carried by flows: what of it is played packet by packet.
Diagnostics play_slice(const Scenario& scenario, const CarriedStep& carried, const std::vector<PortChange>& failures,
                       const RunOptions& options, Run& run, Progress& progress) {
  Network network{run.fabric, run.wire, run.routing};
  network.failures = failures;
  network.packet = &scenario.packet;
  network.packet_options.threads = threads_of(options);
  network.packet_options.watched = &progress;
  if (options.dry) return refused_slice(scenario, network, run.placement, carried, options.memory);
  Result<SliceRun> slice = run_slice(scenario, network, run.placement, carried, options.memory, progress);
  if (!slice) return slice.error();
  run.slice = std::move(*slice);
  if (const SlicePlan& plan = run.slice->plan; !scenario.failures.empty() && !plan.has_failures)
    run.diagnostics.push_back(
        {Severity::note, "RY-RUN-036",
         fmt::format("no failure lies where the slice sends, between {} and {} of the step: only flows meet it",
                     format(plan.from), format(plan.to)),
         "choose another window (slice.from, slice.length) or other ranks, or another failure",
         scenario.keys.where("failures")});
  const PacketRecord& packets = *run.slice->traffic.telemetry.packets;
  if (packets.undelivered > 0)
    run.diagnostics.push_back({Severity::error, "RY-RUN-035",
                               fmt::format("{} messages of the slice never arrive: {}", format_count(packets.undelivered),
                                           why_undelivered(run.fabric, packets)),
                               "find the ports in the report; times and rates cover the other messages",
                               scenario.keys.where("slice")});
  return {};
}

/// Who is late, and the step without that.
struct JitterPlan {
  Jitter jitter;
  JitterRun others;
};

/// Plays the step without delays, and with each kind alone, on flows that leave no trace in the run.
Result<JitterPlan> plan_jitter(const Scenario& scenario, const Step& step, Run& run, const std::vector<PortChange>& failures,
                               const FlowOptions& options, Progress& progress) {
  Result<Jitter> jitter = Jitter::make(scenario, step);
  if (!jitter) return jitter.error();
  Telemetry ignored(run.fabric.trunk_tier.size());
  FlowCarrier carrier(scenario, step, run, failures, options, ignored, scenario.fabric.reconfiguration);
  progress.expect((1 + jitter->kinds().size()) * kPartWork);
  Result<JitterRun> others = compare_jitter(scenario, *jitter, [&](const Jitter& some) {
    carrier.begin();
    Progress one(progress, kPartWork);
    return run_step(scenario, step, carrier.network(&some), one);
  });
  if (!others) return others.error();
  return JitterPlan{std::move(*jitter), std::move(*others)};
}

/// What can be told before any flow starts: ranks that are cut off, delays of collectives that the step does not have.
Diagnostics refused_step(const Scenario& scenario, const Step& step, const PreparedRun& prepared) {
  const Fabric& fabric = prepared.run.fabric;
  const LivePorts live = live_after(fabric, lasting(prepared.failures));
  if (Diagnostics cut = isolated_ranks(scenario.keys, fabric, live, prepared.run.placement); !cut.empty()) return cut;
  if (Diagnostics none = rootless_groups(scenario, step, fabric, prepared.run.placement); !none.empty()) return none;
  if (!scenario.workload.jitter) return {};
  const Result<Jitter> jitter = Jitter::make(scenario, step);
  return jitter ? Diagnostics{} : jitter.error();
}

/// What the parts of a step take of its time, about: those that are played before it to tell what delays cost, itself over
/// flows, its slice, itself again without sharing, and itself packet by packet; and what is played to tell what circuits do.
struct StepWork {
  std::uint64_t late, shared = 3 * kPartWork, slice, alone = 2 * kPartWork, packets, circuits;

  explicit StepWork(const Scenario& scenario)
      : late(scenario.workload.jitter ? 4 * kPartWork : 0),
        slice(scenario.workload.slice && scenario.engine.fidelity == Fidelity::packet ? 12 * kPartWork : 0),
        packets(!scenario.workload.slice && scenario.engine.fidelity == Fidelity::packet ? 200 * kPartWork : 0),
        circuits(follow_demand(scenario.fabric.circuits) ? 3 * kPartWork : 0) {}
  [[nodiscard]] std::uint64_t all() const { return late + shared + slice + alone + packets + 3 * circuits; }
};

/// Plays the step over flows; and once more with every collective alone, to tell what sharing costs. A slice of it is played
/// packet by packet.
Result<StepRun> play_flows(const Scenario& scenario, const Step& step, const FlowOptions& flow, const RunOptions& options,
                           const Jitter* jitter, PreparedRun& prepared, Progress& progress) {
  Run& run = prepared.run;
  const StepWork work(scenario);
  run.network.emplace(run.fabric.trunk_tier.size());
  run.network->max_rate_intervals = kMaxRateIntervals;
  run.network->keeps_flow_series = !options.dry && !options.brief;
  FlowCarrier carrier(scenario, step, run, prepared.failures, flow, *run.network, scenario.fabric.reconfiguration);
  carrier.begin();
  StepNetwork network = carrier.network(jitter);
  CarriedStep& carried = run.carried.emplace();
  carrier.traffic().keep_bundles();
  network.on_flow = [&](const FlowRecord& one) {
    carried.collectives.push_back(one);
    if (options.on_flow && work.packets == 0) options.on_flow(one);
  };
  Result<StepRun> played = [&] {
    Progress part(progress, work.shared, "the step over flows");
    return run_step(scenario, step, network, part);
  }();
  if (!played) return played;
  carrier.engine().finish();
  if (carrier.circuits()) run.network->trunk_lit = carrier.circuits()->lit_shares(played->time);
  carried.bundles = carrier.traffic().take_bundles();
  if (work.slice > 0) {
    Progress part(progress, work.slice, "the slice, packet by packet");
    if (Diagnostics refused = play_slice(scenario, carried, prepared.failures, options, run, part); !refused.empty())
      return refused;
  }
  if (options.dry || options.brief) return played;
  carrier.engine().rewind(Sharing::none);
  network.on_flow = {};
  Progress last(progress, work.alone, "the step, every collective alone");
  const Result<StepRun> alone = run_step(scenario, step, network, last);
  RY_CHECK(alone.has_value(), "what ends when shared ends alone");
  played->alone = alone->time;
  played->exact = flow.exact;
  return played;
}

/// Plays the step on its fabric: over flows, and then packet by packet where that is asked for.
Result<StepRun> play_step(const Scenario& scenario, const Step& step, const RunOptions& options, PreparedRun& prepared,
                          Progress& progress, TeamPost* team) {
  FlowOptions flow = flow_options(scenario, step.layout.ranks());
  flow.efficiency *= scenario.workload.gpu->step.scale_out_share;
  const StepWork work(scenario);
  progress.expect(work.all());
  std::vector<PodDemand> sent;  // by phase, where circuits follow it
  if (circuits_follow(scenario, prepared.run.fabric)) {
    Progress part(progress, work.circuits, "the step over pods in a ring, to see what they send");
    Result<std::vector<PodDemand>> found = match_to_step(scenario, step, flow, prepared, part);
    if (!found) return found.error();
    sent = std::move(*found);
  }
  std::optional<JitterPlan> late;
  if (scenario.workload.jitter) {
    Progress part(progress, work.late, "the step without delays, and with some of them");
    Result<JitterPlan> plan = plan_jitter(scenario, step, prepared.run, prepared.failures, flow, part);
    if (!plan) return plan.error();
    late = std::move(*plan);
  }
  const Jitter* const jitter = late ? &late->jitter : nullptr;
  Result<StepRun> played = play_flows(scenario, step, flow, options, jitter, prepared, progress);
  if (played && work.packets > 0) {
    Progress part(progress, work.packets, "the step, packet by packet");
    played = play_packets(scenario, step, prepared.failures, options, *played, jitter, prepared.run, part, team);
  }
  const bool whole = played && !options.dry && !options.brief;
  if (whole && scenario.fabric.circuits == Circuits::phases && !sent.empty()) {
    Progress part(progress, 2 * work.circuits, "the step over circuits that are fixed, and that change in no time");
    Result<CircuitRun> circuits = compare_circuits(scenario, step, flow, sent, *played, jitter, prepared.run, part);
    if (!circuits) return circuits.error();
    played->circuits = std::move(*circuits);
  }
  if (whole && late) adopt_jitter(std::move(late->others), *played);
  return played;
}

Result<Run> train_on_network(const Scenario& scenario, const Step& step, const RunOptions& options, Progress& progress,
                             TeamPost* team) {
  Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return fabric.error();
  Result<PreparedRun> prepared = prepare(scenario, std::move(*fabric), step.layout.ranks());
  if (!prepared) return prepared.error();
  Run& run = prepared->run;
  for (const Diagnostics& warnings : {warnings_for(scenario, step), warnings_for(scenario, step, run.fabric, run.placement),
                                      pointless(scenario, run.fabric, run.placement, prepared->failures, &step)})
    run.diagnostics.insert(run.diagnostics.end(), warnings.begin(), warnings.end());
  if (Diagnostics refused = refused_step(scenario, step, *prepared); !refused.empty()) return refused;
  StepMemory memory = step_memory(scenario, step, run.fabric, run.placement);
  if (scenario.fabric.circuits == Circuits::phases) memory.bundles = memory.bundles * 2;  // paths of before are kept
  if (Diagnostics refused = too_large_step(scenario, memory, options.memory); !refused.empty()) return refused;
  // Flows tell what is in the slice, and whom failures keep from whom.
  const bool needs_flows = scenario.engine.fidelity == Fidelity::packet || !prepared->failures.empty();
  if (options.dry && !needs_flows) return std::move(run);
  RunOptions rest = options;  // of memory, for packets
  rest.memory = options.memory - memory.total();
  StepWithoutLinks free =
      options.dry || options.brief ? StepWithoutLinks{} : run_without_links(scenario, step);  // before it needs memory itself
  Result<StepRun> played = play_step(scenario, step, rest, *prepared, progress, team);
  if (!played) return played.error();
  if (options.dry) return std::move(run);
  run.training = std::move(*played);
  run.training->free = std::move(free);
  if (!run.fabric.ways.empty()) run.fabric.next_pod = run.fabric.ways.front().next_pod;  // whoever looks sees the passes
  const Diagnostics merged = late_changes(scenario, "engine.fidelity", run.network->solving.late);
  run.diagnostics.insert(run.diagnostics.end(), merged.begin(), merged.end());
  run.training->memory = memory.total();
  run.training->reach = reach_of_groups(step, run.fabric, run.placement);
  run.training->tier_rates = rates_per_gpu(run.fabric);
  Fingerprint all;
  all.add(run.training->fingerprint_value);
  all.add(run.network->fingerprint.value());
  if (run.slice) all.add(run.slice->traffic.telemetry.fingerprint.value());
  run.fingerprint = all.text();
  return std::move(run);
}

/// In closed form, with and without what [jitter] adds.
Result<StepRun> play_step(const Scenario& scenario, const Step& step) {
  if (!scenario.workload.jitter) return run_step(scenario, step);
  Result<Jitter> jitter = Jitter::make(scenario, step);
  if (!jitter) return jitter.error();
  Result<JitterRun> compared =
      compare_jitter(scenario, *jitter, [&](const Jitter& some) -> Result<StepRun> { return run_step(scenario, step, &some); });
  if (!compared) return compared.error();
  StepRun played = run_step(scenario, step, &*jitter);
  adopt_jitter(std::move(*compared), played);
  return played;
}

/// The network a training step is described with, and its ranks seated there. The step is timed without it, so what cannot be
/// wired is a warning.
Diagnostics seat_ranks(const Scenario& scenario, const Step& step, Run& run) {
  if (!scenario.keys.given("fabric.topology")) return {};
  Diagnostics found;
  const auto warn = [&](const Diagnostics& problems) {
    for (Diagnostic problem : problems) {
      problem.severity = Severity::warning;
      found.push_back(std::move(problem));
    }
  };
  Result<Fabric> fabric = build_fabric(scenario.fabric, scenario.keys);
  if (!fabric) return warn(fabric.error()), found;
  Result<Placement> placement = place(scenario.placement, step.layout.ranks(), *fabric, scenario.keys);
  if (!placement) return warn(placement.error()), found;
  run.fabric = std::move(*fabric);
  run.placement = std::move(*placement);
  return found;
}

Result<Run> train_in_closed_form(const Scenario& scenario, const Step& step, const RunOptions& options) {
  Run run{.training = {},
          .network = {},
          .fabric = {},
          .placement = {},
          .wire = wire_format(scenario.transport),
          .routing = path_policy_of(scenario.routing),
          .collectives = {},
          .traffic = {},
          .diagnostics = scenario.warnings,
          .fingerprint = {}};
  const Diagnostics unwired = options.brief ? Diagnostics{} : seat_ranks(scenario, step, run);
  const StepMemory memory = step_memory(step, run.fabric);
  if (Diagnostics refused = too_large_step(scenario, memory, options.memory); !refused.empty()) return refused;
  StepWithoutLinks free = options.brief ? StepWithoutLinks{} : run_without_links(scenario, step);
  Result<StepRun> played = play_step(scenario, step);
  if (!played) return played.error();
  run.training = std::move(*played);
  run.training->free = std::move(free);
  run.training->memory = memory.total();
  for (const Diagnostics& warnings : {warnings_for(scenario, step), unwired})
    run.diagnostics.insert(run.diagnostics.end(), warnings.begin(), warnings.end());
  if (run.placement.size() > 0) {  // how far its traffic goes
    run.training->reach = reach_of_groups(run.training->step, run.fabric, run.placement);
    run.training->tier_rates = rates_per_gpu(run.fabric);
  }
  run.fingerprint = run.training->fingerprint;
  return run;
}

}  // namespace

Result<Run> simulate_step(const Scenario& scenario, const RunOptions& options, Progress& progress, TeamPost* team) {
  const Result<Step> step = build_step(scenario.workload, scenario.keys);
  if (!step) return step.error();
  if (Diagnostics refused = too_long(scenario, *step); !refused.empty()) return refused;
  if (scenario.engine.fidelity == Fidelity::analytic) return train_in_closed_form(scenario, *step, options);
  return train_on_network(scenario, *step, options, progress, team);
}

}  // namespace railyard
