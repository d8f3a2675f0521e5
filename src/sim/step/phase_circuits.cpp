#include "sim/step/phase_circuits.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quantity_text.h"
#include "sim/step/flow_carrier.h"

namespace railyard {

namespace {

/// The step over flows that leave no trace in the run.
class TrialStep {
 public:
  TrialStep(const Scenario& scenario, const Step& step, Run& run, const std::vector<PortChange>& failures,
            const FlowOptions& flow, Picoseconds reconfiguration)
      : scenario_(scenario),
        step_(step),
        ignored_(run.fabric.trunk_tier.size()),
        carrier_(scenario, step, run, failures, flow, ignored_, reconfiguration) {}

  Result<StepRun> play(const Jitter* jitter, Progress& progress) {
    carrier_.begin();
    return run_step(scenario_, step_, carrier_.network(jitter), progress);
  }
  [[nodiscard]] const CircuitEngine& circuits() const { return *carrier_.circuits(); }

 private:
  const Scenario& scenario_;
  const Step& step_;
  Telemetry ignored_;
  FlowCarrier carrier_;
};

PodDemand sum_of(const PodDemand& a, const PodDemand& b) {
  PodDemand sum = a;
  for (std::size_t from = 0; from < a.size(); from++)
    for (std::size_t to = 0; to < a.size(); to++) sum[from][to] += b[from][to];
  return sum;
}

double total_of(const PodDemand& demand) {
  double sum = 0;
  for (const std::vector<double>& row : demand)
    for (const double bytes : row) sum += bytes;
  return sum;
}

/// Circuits that a byte crosses on average; 0 where there are none.
double crossed(const PodDemand& demand, const std::vector<std::vector<std::uint32_t>>& next_pod) {
  double hops = 0;
  for (std::uint32_t from = 0; from < demand.size(); from++)
    for (std::uint32_t to = 0; to < demand.size(); to++)
      if (demand[from][to] > 0)
        for (std::uint32_t at = from; at != to; at = next_pod[at][to]) hops += demand[from][to];
  const double all = total_of(demand);
  return all > 0 ? hops / all : 0;
}

/// Circuits of all spines that a change moves, and those there are.
void count_circuits(const Fabric& fabric, CircuitRun& circuits) {
  for (std::size_t i = 0; i < fabric.circuits.size(); i++) {
    const std::uint32_t spines = fabric.blocks[fabric.circuits[i].a].width;
    const auto lit = [&](CircuitWay way) { return fabric.ways[static_cast<std::size_t>(way)].per_switch[i] * spines; };
    if (fabric.ways.empty()) {
      circuits.all += fabric.circuits[i].per_switch * spines;
      continue;
    }
    circuits.all += lit(CircuitWay::passes);
    circuits.moved += lit(CircuitWay::passes) - lit(CircuitWay::between);
  }
}

const std::vector<std::vector<std::uint32_t>>& routes_of(const Fabric& fabric, std::size_t phase) {
  return fabric.ways.empty() ? fabric.next_pod : fabric.ways[phase].next_pod;
}

/// The same run over another fabric, before anything happened in it.
Run over(Fabric fabric, const Run& run) {
  return {.training = {},
          .network = {},
          .fabric = std::move(fabric),
          .placement = run.placement,
          .wire = run.wire,
          .routing = run.routing,
          .collectives = {},
          .diagnostics = {},
          .fingerprint = {}};
}

}  // namespace

bool circuits_follow(const Scenario& scenario, const Fabric& fabric) {
  return follow_demand(scenario.fabric.circuits) && fabric.pods.size() > 1;
}

Result<std::vector<PodDemand>> match_to_step(const Scenario& scenario, const Step& step, const FlowOptions& flow,
                                             PreparedRun& prepared, Progress& progress) {
  TrialStep ring(scenario, step, prepared.run, prepared.failures, flow, {});
  const Result<StepRun> played = ring.play(nullptr, progress);
  if (!played) return played.error();
  const std::vector<PodDemand> sent = ring.circuits().sent();
  const bool change = scenario.fabric.circuits == Circuits::phases;
  if (change && scenario.fabric.reconfiguration > played->time)
    return Diagnostics{{Severity::error, "RY-RUN-088",
                        fmt::format("circuits that change take {} each time, and the whole step takes {} over pods in a ring",
                                    format(scenario.fabric.reconfiguration), format(played->time)),
                        "use a shorter fabric.reconfiguration, or circuits = \"demand\", which are set once",
                        scenario.keys.where("fabric.reconfiguration")}};
  const auto wanted = [&](std::size_t phase) -> const PodDemand& {  // a phase without wishes leaves circuits as they are
    return total_of(sent[phase]) > 0 ? sent[phase] : sent[1 - phase];
  };
  if (change)
    match_circuits(prepared.run.fabric, scenario.fabric, wanted(0), wanted(1));
  else
    match_circuits(prepared.run.fabric, scenario.fabric, sum_of(sent[0], sent[1]));
  Result<std::vector<PortChange>> failures = port_changes(scenario.failures, prepared.run.fabric);
  if (!failures) return failures.error();
  prepared.failures = std::move(*failures);
  return sent;
}

Result<CircuitRun> compare_circuits(const Scenario& scenario, const Step& step, const FlowOptions& flow,
                                    const std::vector<PodDemand>& sent, const StepRun& played, const Jitter* jitter, Run& run,
                                    Progress& progress) {
  progress.expect(2 * kPartWork);
  CircuitRun out{.reconfiguration = scenario.fabric.reconfiguration,
                 .changes = run.fabric.ways.empty() ? 0U : static_cast<std::uint32_t>(kStepPhases),
                 .phases = {},
                 .fixed = {},
                 .instant = played.time};
  count_circuits(run.fabric, out);
  const std::vector<PortChange> nothing;  // failures beside circuits that change are refused
  Fabric fabric = run.fabric;
  match_circuits(fabric, scenario.fabric, sum_of(sent[0], sent[1]));
  Run other = over(std::move(fabric), run);
  {
    Progress part(progress, kPartWork);
    Result<StepRun> fixed = TrialStep(scenario, step, other, nothing, flow, {}).play(jitter, part);
    if (!fixed) return fixed.error();
    out.fixed = fixed->time;
  }
  if (out.changes > 0 && out.reconfiguration > Picoseconds::zero()) {
    Progress part(progress, kPartWork);
    Result<StepRun> instant = TrialStep(scenario, step, run, nothing, flow, {}).play(jitter, part);
    if (!instant) return instant.error();
    out.instant = instant->time;
  }
  for (std::size_t phase = 0; phase < kStepPhases; phase++)
    out.phases.push_back({.sent = total_of(sent[phase]),
                          .crossed = crossed(sent[phase], routes_of(run.fabric, phase)),
                          .fixed = crossed(sent[phase], other.fabric.next_pod)});
  return out;
}

}  // namespace railyard
