#include "analysis/step/jitter_results.h"

#include <algorithm>

namespace railyard {

namespace {

double share_of(double change, double most) { return most > 0 ? change / most : 0; }

/// Adds 1/n of a stage, n of which there are; or takes it away.
void add_mean(const StageTime& time, double n, JitterResults::Mean& to) {
  to.exposed += seconds(sum_of(time.exposed)) / n;
  to.hidden += seconds(sum_of(time.hidden)) / n;
  to.contention += seconds(time.contention) / n;
  to.bubble += seconds(time.bubble) / n;
}

JitterRow row_of(const JitterRun& run, const JitterRun::Row& row) {
  JitterRow out{.name = std::string(row.what.name), .group = std::string(name_of(row.what.group))};
  out.calls = row.calls.calls;
  out.delayed = row.calls.delayed;
  out.injected_s = seconds(row.calls.sum);
  out.longest_s = seconds(row.calls.longest);
  out.most_s = seconds(*std::max_element(row.calls.by_stage.begin(), row.calls.by_stage.end()));
  out.change_s = seconds(row.time - run.without);
  out.share = share_of(out.change_s, out.most_s);
  return out;
}

}  // namespace

JitterResults analyse_jitter(const StepRun& run) {
  const JitterRun& jitter = *run.jitter;
  JitterResults r;
  r.without_s = seconds(jitter.without);
  r.change_s = seconds(run.time - jitter.without);
  r.most_s = seconds(jitter.most);
  r.share = share_of(r.change_s, r.most_s);
  for (const JitterRun::Row& row : jitter.rows) {
    r.rows.push_back(row_of(jitter, row));
    r.delayed += row.calls.delayed;
    r.injected_s += seconds(row.calls.sum);
  }
  const auto stages = static_cast<double>(run.stages.size());
  r.mean.injected = r.injected_s / stages;
  for (const StageTime& time : run.stages) add_mean(time, stages, r.mean);
  for (const StageTime& time : jitter.stages) add_mean(time, -stages, r.mean);
  return r;
}

}  // namespace railyard
