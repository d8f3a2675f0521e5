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

/// Of the collectives that went over the network.
double p99_of(const Run& run) {
  if (!run.carried || run.carried->collectives.empty()) return 0;
  std::vector<double> times;
  for (const FlowRecord& one : run.carried->collectives) times.push_back(seconds(one.finish - one.start));
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

}  // namespace

FaultOutcome play_fault(const Scenario& scenario, Progress& progress) {
  std::map<EndpointId, Picoseconds> last;
  RunOptions options{.threads = 1};
  if (!scenario.workload.model)
    options.on_flow = [&](const FlowRecord& flow) { last[flow.to] = std::max(last[flow.to], flow.finish); };
  const Result<Run> run = simulate(scenario, options, progress);
  if (!run) return {.refused = run.error().front().message};
  const std::optional<double> time = outcome_s(*run);
  if (!time) return {.refused = "some of it never ends"};
  FaultOutcome outcome{.time_s = *time, .p99_s = p99_of(*run)};
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
