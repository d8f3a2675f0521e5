#include "sim/simulate.h"

#include <algorithm>
#include <optional>
#include <thread>

#include "base/fingerprint.h"
#include "base/parallel.h"
#include "engine/engine.h"
#include "fabric/build.h"
#include "fabric/failures.h"
#include "scenario/effects.h"
#include "sim/isolation.h"
#include "sim/jitter_run.h"
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

/// Builds the network a training step is described with, seats its ranks, and looks how far their traffic goes. The step is
/// timed without it, so what cannot be wired is a warning.
Diagnostics reach(const Scenario& scenario, Run& run) {
  if (!scenario.given("fabric.topology")) return {};
  Diagnostics found;
  const auto warn = [&](const Diagnostics& problems) {
    for (Diagnostic problem : problems) {
      problem.severity = Severity::warning;
      found.push_back(std::move(problem));
    }
  };
  Result<Fabric> fabric = build_fabric(scenario);
  if (!fabric) return warn(fabric.error()), found;
  Result<Placement> placement = place(scenario, run.training->step.layout.ranks(), *fabric);
  if (!placement) return warn(placement.error()), found;
  run.fabric = std::move(*fabric);
  run.placement = std::move(*placement);
  run.training->reach = reach_of_groups(run.training->step, run.fabric, run.placement);
  run.training->tier_rates = rates_per_gpu(run.fabric);
  return found;
}

constexpr std::uint32_t kLargestExact = 1024;  // paths of ranks: more, and completions are merged

FlowOptions flow_options(const Scenario& scenario, std::uint32_t ranks) {
  const EngineSpec& engine = scenario.engine;
  const bool few = std::uint64_t{ranks} * scenario.transport.qps_per_connection <= kLargestExact;
  FlowOptions options{.exact = engine.mode == EngineMode::exact || (engine.mode == EngineMode::automatic && few),
                      .quantum = engine.quantum,
                      .cache = engine.cache,
                      .efficiency = engine.efficiency.value_or(1)};
  const auto limit = scenario.transport.dcqcn.rpg_max_rate;  // zero is none, as NVIDIA has it
  if (limit && *limit > BitsPerSecond::zero() && scenario.transport.dcqcn.enabled)
    options.cap = *limit * scenario.transport.qps_per_connection;
  return options;
}

/// Of the machine, where nobody says how many.
unsigned threads_of(const RunOptions& options) {
  return options.threads > 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

/// Once the step was carried by flows: what of it is played packet by packet.
Diagnostics play_slice(const Scenario& scenario, const CarriedStep& carried, const RunOptions& options, Run& run,
                       Progress& progress) {
  Network network{run.fabric, run.wire, run.routing};
  network.packet = &scenario.packet;
  network.packet_options.threads = threads_of(options);
  Result<SliceRun> slice = run_slice(scenario, network, run.placement, carried, options.memory, progress);
  if (!slice) return slice.error();
  run.slice = std::move(*slice);
  return {};
}

/// Flows that carry a step over the run's fabric.
class StepCarrier {
 public:
  /// All must outlive this.
  StepCarrier(const Scenario& scenario, const Step& step, const Run& run, const std::vector<RateChange>& failures,
              const FlowOptions& options, Telemetry& telemetry)
      : failures_(failures),
        live_(live_after(run.fabric, failures)),
        links_(links_of(*scenario.gpu_plan)),
        // Headers are part of the share of a port that flows use.
        payload_{.mtu = run.wire.mtu, .header = {}, .message_header = {}},
        engine_(make_flow_engine(run.fabric, payload_, run.routing, options, telemetry)),
        traffic_(step, run.fabric, run.placement, live_, links_,
                 scenario.parallel.expert_dispatch == Dispatch::deduplicated || run.fabric.rails > 1,
                 scenario.transport.served_first, nic_shares(scenario, run.fabric, failures), *engine_),
        fabric_(run.fabric) {}

  /// From the beginning, with all that fails.
  void begin() {
    engine_->rewind(Sharing::fair);
    for (const RateChange& change : failures_) engine_->set_rate(change.port, change.rate, change.at);
  }
  [[nodiscard]] StepNetwork network(const Jitter* jitter) { return {fabric_, traffic_, *engine_, live_, {}, jitter}; }
  [[nodiscard]] Engine& engine() { return *engine_; }
  [[nodiscard]] StepTraffic& traffic() { return traffic_; }

 private:
  const std::vector<RateChange>& failures_;
  const LivePorts live_;
  const ClusterLinks links_;
  const WireFormat payload_;
  const std::unique_ptr<Engine> engine_;
  StepTraffic traffic_;
  const Fabric& fabric_;
};

/// Who is late, and the step without that.
struct JitterPlan {
  Jitter jitter;
  JitterRun others;
};

/// Plays the step without delays, and with each kind alone, on flows that leave no trace in the run.
Result<JitterPlan> plan_jitter(const Scenario& scenario, const Step& step, const Run& run,
                               const std::vector<RateChange>& failures, const FlowOptions& options, Progress& progress) {
  Result<Jitter> jitter = Jitter::make(scenario, step);
  if (!jitter) return jitter.error();
  Telemetry ignored(run.fabric.trunk_tier.size());
  StepCarrier carrier(scenario, step, run, failures, options, ignored);
  Result<JitterRun> others = compare_jitter(scenario, *jitter, [&](const Jitter& some) {
    carrier.begin();
    return run_step(scenario, step, carrier.network(&some), progress);
  });
  if (!others) return others.error();
  return JitterPlan{std::move(*jitter), std::move(*others)};
}

/// Plays the step on its fabric; and once more with every collective alone, to tell what sharing costs.
Result<StepRun> play_step(const Scenario& scenario, const Step& step, const RunOptions& options, Run& run, Progress& progress) {
  const Result<std::vector<RateChange>> failures = rate_changes(scenario, run.fabric);
  if (!failures) return failures.error();
  const std::vector<RateChange> always = lasting(*failures);
  if (Diagnostics cut = isolated_ranks(scenario, run.fabric, live_after(run.fabric, always), run.placement); !cut.empty())
    return cut;
  FlowOptions flow = flow_options(scenario, step.layout.ranks());
  flow.efficiency *= kScaleOutShare;
  std::optional<JitterPlan> late;
  if (scenario.jitter) {
    Result<JitterPlan> plan = plan_jitter(scenario, step, run, *failures, flow, progress);
    if (!plan) return plan.error();
    late = std::move(*plan);
  }
  run.network.emplace(run.fabric.trunk_tier.size());
  run.network->most_stretches = kMostStretches;
  StepCarrier carrier(scenario, step, run, *failures, flow, *run.network);
  carrier.begin();
  StepNetwork network = carrier.network(late ? &late->jitter : nullptr);
  CarriedStep& carried = run.carried.emplace();
  carrier.traffic().keep_bundles();
  network.on_flow = [&](const FlowRecord& one) {
    carried.collectives.push_back(one);
    if (options.on_flow) options.on_flow(one);
  };
  Result<StepRun> played = run_step(scenario, step, network, progress);
  if (!played) return played;
  carrier.engine().finish();
  carried.bundles = carrier.traffic().take_bundles();
  if (scenario.engine.fidelity == Fidelity::packet)
    if (Diagnostics refused = play_slice(scenario, carried, options, run, progress); !refused.empty()) return refused;
  carrier.engine().rewind(Sharing::none);
  network.on_flow = {};
  const Result<StepRun> alone = run_step(scenario, step, network, progress);
  RY_CHECK(alone.has_value(), "what ends when shared ends alone");
  played->alone = alone->time;
  played->exact = flow.exact;
  if (late) adopt_jitter(std::move(late->others), *played);
  return played;
}

Result<Run> train_on_network(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  Result<Step> step = build_step(scenario);
  if (!step) return step.error();
  if (Diagnostics refused = too_long(scenario, *step); !refused.empty()) return refused;
  Result<Fabric> fabric = build_fabric(scenario);
  if (!fabric) return fabric.error();
  Result<Placement> placement = place(scenario, step->layout.ranks(), *fabric);
  if (!placement) return placement.error();
  Run run{.training = {},
          .network = {},
          .fabric = std::move(*fabric),
          .placement = std::move(*placement),
          .wire = wire_format(scenario.transport),
          .routing = path_policy_of(scenario),
          .collectives = {},
          .traffic = {},
          .diagnostics = {},
          .fingerprint = {}};
  run.diagnostics = without_effect(scenario, run.fabric);
  const Diagnostics doubts = doubts_about(scenario, *step);
  run.diagnostics.insert(run.diagnostics.end(), doubts.begin(), doubts.end());
  const Diagnostics torn = doubts_about(scenario, *step, run.fabric, run.placement);
  run.diagnostics.insert(run.diagnostics.end(), torn.begin(), torn.end());
  Result<StepRun> played = play_step(scenario, *step, options, run, progress);
  if (!played) return played.error();
  run.training = std::move(*played);
  run.training->reach = reach_of_groups(*step, run.fabric, run.placement);
  run.training->tier_rates = rates_per_gpu(run.fabric);
  Fingerprint all;
  all.add(run.training->print);
  all.add(run.network->fingerprint.value());
  if (run.slice) all.add(run.slice->traffic.telemetry.fingerprint.value());
  run.fingerprint = all.text();
  return run;
}

/// In closed form, with and without what [jitter] adds.
Result<StepRun> play_step(const Scenario& scenario, const Step& step) {
  if (!scenario.jitter) return run_step(scenario, step);
  Result<Jitter> jitter = Jitter::make(scenario, step);
  if (!jitter) return jitter.error();
  Result<JitterRun> compared =
      compare_jitter(scenario, *jitter, [&](const Jitter& some) -> Result<StepRun> { return run_step(scenario, step, &some); });
  if (!compared) return compared.error();
  StepRun played = run_step(scenario, step, &*jitter);
  adopt_jitter(std::move(*compared), played);
  return played;
}

Result<Run> train(const Scenario& scenario) {
  Result<Step> step = build_step(scenario);
  if (!step) return step.error();
  if (Diagnostics refused = too_long(scenario, *step); !refused.empty()) return refused;
  const Diagnostics doubts = doubts_about(scenario, *step);
  Result<StepRun> played = play_step(scenario, *step);
  if (!played) return played.error();
  Run run{.training = std::move(*played),
          .network = {},
          .fabric = {},
          .placement = {},
          .wire = wire_format(scenario.transport),
          .routing = path_policy_of(scenario),
          .collectives = {},
          .traffic = {},
          .diagnostics = keys_without_effect(scenario),
          .fingerprint = {}};
  run.diagnostics.insert(run.diagnostics.end(), doubts.begin(), doubts.end());
  const Diagnostics unwired = reach(scenario, run);
  run.diagnostics.insert(run.diagnostics.end(), unwired.begin(), unwired.end());
  run.fingerprint = run.training->fingerprint;
  return run;
}

/// Adds what was set by hand to how the run's fabric routes.
Diagnostics set_routes(const Scenario& scenario, Run& run) {
  Result<StaticRoutes> routes = static_routes(scenario, run.fabric);
  if (!routes) return routes.error();
  run.routing.fixed = std::move(*routes);
  return {};
}

Result<Run> simulate_traffic(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  Result<Fabric> fabric = build_fabric(scenario);
  if (!fabric) return fabric.error();
  if (Diagnostics impossible = impossible_hosts(scenario, *fabric); !impossible.empty()) return impossible;
  const std::uint32_t hosts = traffic_places(scenario, *fabric);
  Result<Placement> placement = place(scenario, hosts, *fabric);
  if (!placement) return placement.error();
  Run run{.training = {},
          .network = {},
          .fabric = std::move(*fabric),
          .placement = std::move(*placement),
          .wire = wire_format(scenario.transport),
          .routing = path_policy_of(scenario),
          .collectives = {},
          .traffic = {},
          .diagnostics = {},
          .fingerprint = {}};
  run.diagnostics = without_effect(scenario, run.fabric);
  const Result<std::vector<RateChange>> failures = rate_changes(scenario, run.fabric);
  if (!failures) return failures.error();
  if (Diagnostics refused = set_routes(scenario, run); !refused.empty()) return refused;
  Network network{run.fabric, run.wire, run.routing};
  network.failures = *failures;
  network.on_flow = options.on_flow;
  if (scenario.engine.fidelity == Fidelity::flow) network.flow = flow_options(scenario, hosts);
  if (scenario.engine.fidelity == Fidelity::packet) {
    network.packet = &scenario.packet;
    network.packet_options = {.threads = threads_of(options), .all_posted = true};
  }
  Result<TrafficRun> played = run_traffic(scenario, network, run.placement, options.memory, progress);
  if (!played) return played.error();
  run.traffic = std::move(*played);
  const Diagnostics stuck = doubts_about(scenario, run.fabric, *run.traffic);
  run.diagnostics.insert(run.diagnostics.end(), stuck.begin(), stuck.end());
  run.fingerprint = run.traffic->telemetry.fingerprint.text();
  return run;
}

}  // namespace

WireFormat wire_format(const TransportSpec& transport) {
  return {.mtu = transport.mtu, .header = transport.packet_overhead(), .message_header = transport.message_overhead()};
}

void match_to_demand(const Scenario& scenario, const Placement& placement, Fabric& fabric) {
  if (scenario.fabric.circuits != Circuits::demand || fabric.pods.size() < 2) return;
  const bool all = scenario.collective->kind == CollectiveKind::all_to_all;
  PodDemand demand(fabric.pods.size(), std::vector<double>(fabric.pods.size(), 0));
  const auto pod = [&](EndpointId endpoint) {
    const auto found = std::find(fabric.pods.begin(), fabric.pods.end(), fabric.pod_of(endpoint));
    return static_cast<std::size_t>(found - fabric.pods.begin());
  };
  for (const NetEdge& edge : net_edges(all ? NetPattern::all_to_all : NetPattern::ring, nodes_of(fabric, placement)))
    demand[pod(edge.from)][pod(edge.to)] += edge.share;
  match_circuits(fabric, scenario, demand);
}

Result<Run> simulate(const Scenario& scenario, const RunOptions& options, Progress& progress) {
  if (Diagnostics refused = unsupported(scenario); !refused.empty()) return refused;

  const bool flows = scenario.engine.fidelity == Fidelity::flow;
  if (scenario.model && scenario.engine.fidelity != Fidelity::analytic) return train_on_network(scenario, options, progress);
  if (scenario.model) return train(scenario);
  if (scenario.traffic) return simulate_traffic(scenario, options, progress);
  Result<Fabric> fabric = build_fabric(scenario);
  if (!fabric) return fabric.error();
  if (Diagnostics refused = too_long(scenario, *fabric); !refused.empty()) return refused;
  Run run{.training = {},
          .network = {},
          .fabric = std::move(*fabric),
          .placement = {},
          .wire = wire_format(scenario.transport),
          .routing = path_policy_of(scenario),
          .collectives = {},
          .traffic = {},
          .diagnostics = {},
          .fingerprint = {}};
  run.diagnostics = without_effect(scenario, run.fabric);
  const std::uint32_t ranks = group_size(scenario, run.fabric);
  Result<Placement> placement = place(scenario, ranks, run.fabric);
  if (!placement) return placement.error();
  run.placement = std::move(*placement);

  match_to_demand(scenario, run.placement, run.fabric);
  // Points of a sweep do not meet: each has the network for itself.
  const Result<std::vector<RateChange>> failures = rate_changes(scenario, run.fabric);
  if (!failures) return failures.error();
  const std::vector<RateChange> always = lasting(*failures);
  if (Diagnostics cut = isolated_ranks(scenario, run.fabric, live_after(run.fabric, always), run.placement); !cut.empty())
    return cut;
  if (Diagnostics refused = set_routes(scenario, run); !refused.empty()) return refused;
  Network network{run.fabric, run.wire, run.routing};
  if (flows)
    network.flow = flow_options(scenario, ranks), network.failures = scenario.library ? always : *failures,
    network.on_flow = options.on_flow;
  if (scenario.engine.fidelity == Fidelity::packet) {
    if (Diagnostics refused = no_lookahead(scenario, run.fabric); !refused.empty()) return refused;
    if (Diagnostics refused = no_shared_buffer(scenario, run.fabric); !refused.empty()) return refused;
    network.packet = &scenario.packet;
    network.packet_options.threads = scenario.collective->sizes.size() > 1 ? 1 : threads_of(options);
  }
  network.nics = nic_shares(scenario, run.fabric, *failures);
  const CollectiveGroup group = make_group(scenario, network, run.placement);
  const Diagnostics doubts = doubts_about(scenario, group.nodes);
  run.diagnostics.insert(run.diagnostics.end(), doubts.begin(), doubts.end());
  const std::vector<Bytes>& sizes = scenario.collective->sizes;
  std::uint64_t messages = 0;
  for (const Bytes size : sizes) messages += messages_of(group, size);
  progress.expect(messages);
  std::vector<std::optional<Result<CollectiveRun>>> points(sizes.size());
  const unsigned threads = options.on_flow ? 1 : options.threads;  // flows are told one size after the other
  for_each_index(sizes.size(), threads, [&](std::size_t i) { points[i] = run_collective(group, sizes[i], progress); });
  for (auto& point : points) {
    if (!*point) return point->error();
    run.collectives.push_back(std::move(**point));
  }
  run.fingerprint = fingerprint_of(run.collectives);
  return run;
}

}  // namespace railyard
