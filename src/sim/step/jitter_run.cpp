#include "sim/step/jitter_run.h"

#include <algorithm>
#include <utility>

namespace railyard {

namespace {

Picoseconds most_of_a_stage(const std::vector<JitterRun::Row>& rows, std::size_t stages) {
  Picoseconds most;
  for (std::size_t stage = 0; stage < stages; stage++) {
    Picoseconds sum;
    for (const JitterRun::Row& row : rows) sum += row.calls.by_stage[stage];
    most = std::max(most, sum);
  }
  return most;
}

}  // namespace

Result<JitterRun> compare_jitter(const Scenario& scenario, Jitter& jitter, const PlayStep& play) {
  Result<StepRun> without = play(jitter.silent());
  if (!without) return without.error();
  if (Diagnostics refused = jitter.count(scenario, std::move(without->calls)); !refused.empty()) return refused;
  JitterRun run{.without = without->time, .stages = std::move(without->stages), .rows = {}, .most = {}};
  for (std::uint32_t i = 0; i < jitter.kinds().size(); i++)
    run.rows.push_back({.what = jitter.kinds()[i], .calls = jitter.sum(i + 1), .time = run.without});
  run.most = most_of_a_stage(run.rows, run.stages.size());
  if (run.rows.size() == 1) return run;  // alone is all there is
  for (std::uint32_t i = 0; i < run.rows.size(); i++) {
    if (run.rows[i].calls.delayed == 0) continue;
    const Result<StepRun> alone = play(jitter.only(i + 1));
    if (!alone) return alone.error();
    run.rows[i].time = alone->time;
  }
  return run;
}

void adopt_jitter(JitterRun jitter, StepRun& played) {
  if (jitter.rows.size() == 1) jitter.rows.front().time = played.time;
  played.jitter = std::move(jitter);
}

}  // namespace railyard
