#include "tools/goodput/monte_carlo.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/stats.h"

namespace railyard {

namespace {

constexpr double kSure = 1.96;  // standard errors, for 95 %

/// Runs that one thread draws in a row.
constexpr std::size_t kBatch = 32;

RunSpread spread_of(std::vector<double> values) {
  Moments moments;
  for (const double value : values) moments.add(value);
  std::sort(values.begin(), values.end());
  const auto at = [&](double q) {
    const double rank = std::ceil(q * static_cast<double>(values.size()));
    return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
  };
  const double n = static_cast<double>(values.size());
  const double error = n > 1 ? kSure * std::sqrt(moments.variance() / (n - 1)) : 0;
  return {.mean = moments.mean(), .error = error, .p5 = at(0.05), .p50 = at(0.5), .p95 = at(0.95)};
}

/// The values of a run, one after the other, as something writes or reads them.
template<class Visit>
void visit_run_values(DrawnRun& run, Visit visit) {
  TimeParts& time = run.time;
  for (double* const part :
       {&time.training, &time.checkpoint, &time.lost, &time.slow, &time.detection, &time.waiting, &time.restart})
    visit(*part);
  for (CauseTotals& one : run.causes)
    for (double* const part : {&one.failures, &one.interruptions, &one.lost, &one.detection, &one.waiting, &one.restart})
      visit(*part);
  visit(run.interruptions);
  double finished = run.finished ? 1 : 0;
  visit(finished);
  run.finished = finished > 0;
}

void add_mean(const DrawnRun& run, double part, DrawnWeeks& out) {
  for (std::size_t i = 0; i < run.causes.size(); i++) {
    CauseTotals& sum = out.causes[i];
    const CauseTotals& one = run.causes[i];
    sum.failures += one.failures * part;
    sum.interruptions += one.interruptions * part;
    sum.lost += one.lost * part;
    sum.detection += one.detection * part;
    sum.waiting += one.waiting * part;
    sum.restart += one.restart * part;
  }
  out.finished += run.finished ? part : 0;
}

}  // namespace

DrawnWeeks draw_weeks(const TrainingJob& job, std::uint64_t seed, std::uint32_t runs, const Crew& crew) {
  Journal unkept;
  Progress unseen;
  return draw_weeks(job, seed, runs, WeeksDrawer{crew, unkept, unseen});
}

DrawnWeeks draw_weeks(const TrainingJob& job, std::uint64_t seed, std::uint32_t runs, const WeeksDrawer& drawer) {
  RY_CHECK(runs > 0, "weeks are drawn at least once");
  std::vector<SearchTrial> trials;
  for (std::size_t first = 0; first < runs; first += kBatch) trials.push_back({drawer.level, first});
  const std::vector<Outcome> batches = measure_trials(
      drawer.crew, drawer.journal, trials,
      [&](std::size_t batch, Progress&) {
        Outcome outcome;
        for (std::size_t i = batch * kBatch; i < std::min<std::size_t>(runs, (batch + 1) * kBatch); i++) {
          DrawnRun run = draw_run(job, seed, i);
          visit_run_values(run, [&](const double& value) { outcome.values.push_back(value); });
        }
        return outcome;
      },
      drawer.progress);
  std::vector<DrawnRun> drawn(runs);
  for (std::size_t i = 0, next = 0; i < runs; i++) {
    const std::vector<double>& values = batches[i / kBatch].values;
    if (i % kBatch == 0) next = 0;
    drawn[i].causes.resize(job.causes.size() + 1);
    visit_run_values(drawn[i], [&](double& value) {
      RY_CHECK(next < values.size(), "a journal has all values of a run");
      value = values[next++];
    });
  }
  DrawnWeeks out;
  out.runs = runs;
  out.causes.resize(job.causes.size() + 1);
  std::vector<double> times, interruptions;
  for (const DrawnRun& run : drawn) {
    out.mean += run.time;
    add_mean(run, 1.0 / runs, out);
    times.push_back(run.time.all());
    interruptions.push_back(run.interruptions);
    out.shares.push_back(run.time.training / run.time.all());
  }
  for (double* part : {&out.mean.training, &out.mean.checkpoint, &out.mean.lost, &out.mean.slow, &out.mean.detection,
                       &out.mean.waiting, &out.mean.restart})
    *part /= runs;
  out.share = spread_of(out.shares);
  out.time = spread_of(std::move(times));
  out.interruptions = spread_of(std::move(interruptions));
  return out;
}

RunSpread gain(const DrawnWeeks& before, const DrawnWeeks& after) {
  RY_CHECK(before.shares.size() == after.shares.size(), "runs are compared one by one");
  std::vector<double> gains;
  for (std::size_t i = 0; i < before.shares.size(); i++) gains.push_back(after.shares[i] / before.shares[i] - 1);
  return spread_of(std::move(gains));
}

}  // namespace railyard
