#include "tools/faults/outcome.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "answer/trial.h"
#include "fabric/failures.h"
#include "sim/cut_off.h"
#include "sim/isolation.h"
#include "sim/simulate.h"

namespace railyard {

namespace {

/// What is less of the job's time hits nobody.
constexpr double kLeastDelay = 1e-3;

/// Of the collectives that went over the network, or of messages packet by packet.
double p99_of(const Run& run) {
  std::vector<double> times;
  if (run.carried)
    for (const FlowRecord& one : run.carried->collectives) times.push_back(seconds(one.finish - one.start));
  else if (const PacketRecord* const packets = packets_of(run))
    for (const MessageRecord& one : packets->messages) times.push_back(seconds(one.delivered - one.posted));
  if (times.empty()) return 0;
  const std::size_t at = (times.size() * 99 + 99) / 100 - 1;
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(at), times.end());
  return times[at];
}

/// What every stage waits, for other stages and for collectives that nothing ran beside.
void note_stages(const StepRun& step, FaultOutcome& outcome) {
  for (std::uint32_t stage = 0; stage < step.stages.size(); stage++) {
    const StageTime& time = step.stages[stage];
    outcome.waits.push_back(seconds(std::accumulate(time.exposed.begin(), time.exposed.end(), time.bubble)));
    outcome.stage_ranks.push_back(step.step.layout.rank({.pipeline = stage}));
  }
}

/// When every rank has all that is sent to it; of a collective, in the last of its sizes.
void note_ranks(const Run& run, const std::map<EndpointId, Picoseconds>& last, FaultOutcome& outcome) {
  if (last.empty()) return;
  for (const RankId rank : ids(run.placement)) {
    const auto found = last.find(run.placement[rank]);
    outcome.waits.push_back(found == last.end() ? 0 : seconds(found->second));
  }
}

/// The message of what keeps a run from its end.
std::string why_stopped(const Run& run) {
  for (const Diagnostic& one : run.diagnostics)
    if (one.severity == Severity::error) return one.message;
  return "some of it never ends";
}

}  // namespace

const PacketRecord* packets_of(const Run& run) {
  const Telemetry* const telemetry = run.traffic                ? &run.traffic->telemetry
                                     : run.packets              ? &*run.network
                                     : !run.collectives.empty() ? &run.collectives.back().telemetry
                                                                : nullptr;
  return telemetry != nullptr && telemetry->packets ? &*telemetry->packets : nullptr;
}

FaultOutcome play_fault(const Scenario& scenario, Progress& progress) {
  std::map<EndpointId, Picoseconds> last;
  RunOptions options{.threads = 1};
  if (!scenario.workload.model && scenario.engine.fidelity != Fidelity::packet)
    options.on_flow = [&](const FlowRecord& flow) { last[flow.to] = std::max(last[flow.to], flow.finish); };
  const Result<Run> run = simulate(scenario, options, progress);
  if (!run) return {.refused = run.error().front().message};
  const std::optional<double> time = outcome_s(*run);
  const PacketRecord* const packets = packets_of(*run);
  FaultOutcome outcome{.p99_s = p99_of(*run)};
  if (packets) outcome.lost = packets->lost, outcome.broken = packets->broken;
  if (!time) {
    outcome.refused = why_stopped(*run);
    return outcome;
  }
  outcome.time_s = *time;
  if (packets)
    for (const MessageRecord& one : packets->messages) last[one.to] = std::max(last[one.to], one.delivered);
  if (run->training)
    note_stages(*run->training, outcome);
  else
    note_ranks(*run, last, outcome);
  return outcome;
}

std::uint32_t count_isolated(const Scenario& scenario, const Fabric& fabric, const Placement& placement) {
  const Result<std::vector<PortChange>> changes = port_changes(scenario.failures, fabric);
  if (!changes) return 0;
  std::size_t ranks = 0;
  for (const CutOff& cut : find_cut_off(fabric, live_after(fabric, *changes), placement)) ranks += cut.ranks.size();
  return static_cast<std::uint32_t>(ranks);
}

std::optional<WorstRank> find_worst_rank(const FaultOutcome& whole, const FaultOutcome& hurt) {
  if (whole.waits.size() != hurt.waits.size()) return std::nullopt;
  std::optional<WorstRank> worst;
  for (std::uint32_t i = 0; i < hurt.waits.size(); i++) {
    const double later = hurt.waits[i] - whole.waits[i];
    if (later < kLeastDelay * whole.time_s || (worst && later <= worst->later_s)) continue;
    if (hurt.stage_ranks.empty())
      worst = {.rank = i, .later_s = later};
    else
      worst = {.rank = hurt.stage_ranks[i], .stage = i, .later_s = later};
  }
  return worst;
}

}  // namespace railyard
