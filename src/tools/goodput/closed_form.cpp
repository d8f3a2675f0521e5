#include "tools/goodput/closed_form.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace railyard {

namespace {

/// Servers in repair on average, were there any number of crews.
double mean_in_repair(const TrainingJob& job) {
  double failing = job.stragglers.rate;
  for (const Cause& cause : job.causes) failing += cause.rate * cause.nodes;
  return failing * job.spares.repair;
}

/// What the causes of a job come to: those that lose work, and those that do not.
struct Sum {
  double rate = 0, detection = 0;  // of failures; the latter on average
  double planned = 0;              // interruptions per second that lose no work
};

Sum sum_of(const TrainingJob& job) {
  Sum sum;
  for (const Cause& cause : job.causes) {
    if (cause.planned) {
      sum.planned += cause.rate;
      continue;
    }
    sum.rate += cause.rate;
    sum.detection += cause.rate * cause.detection;
  }
  if (sum.rate > 0) sum.detection /= sum.rate;
  sum.planned += job.stragglers.rate;
  return sum;
}

}  // namespace

double expected_segment(double interval, double stall, double rate, double detection, double restore) {
  if (rate <= 0) return interval + stall;
  return (1 / rate + detection) * std::exp(rate * restore) * std::expm1(rate * (interval + stall));
}

double best_interval(double stall, double rate) {
  RY_CHECK(stall > 0 && rate > 0, "checkpoints take time and failures come");
  double low = 0, high = 1 / rate;
  for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
    const double middle = (low + high) / 2;
    (1 - rate * middle > std::exp(-rate * (middle + stall)) ? low : high) = middle;
  }
  return (low + high) / 2;
}

double young_interval(double stall, double rate) { return std::sqrt(2 * stall / rate); }

double daly_interval(double stall, double rate) {
  const double part = stall * rate / 2;
  if (part >= 1) return 1 / rate;
  return young_interval(stall, rate) * (1 + std::sqrt(part) / 3 + part / 9) - stall;
}

double expected_loss(double interval, double stall, double rate) {
  const double length = interval + stall;
  return 1 / rate - length / std::expm1(rate * length);
}

double expected_share(const TrainingJob& job) {
  const Sum sum = sum_of(job);
  const double restore = job.restart + job.load;
  // A checkpoint that is still being written is of no use yet: its work is lost with it.
  const double late = job.lag * job.interval / (job.interval + job.stall);
  const double failing = job.interval / expected_segment(job.interval, job.stall, sum.rate, sum.detection + late, restore);
  const double told = 1 / (1 + sum.planned * (job.stall + restore));
  const double slow =
      -std::expm1(-job.stragglers.rate * job.stragglers.detection) * job.stragglers.slowdown / (1 + job.stragglers.slowdown);
  return failing * told * (1 - slow);
}

double spares_short(const TrainingJob& job, std::uint32_t spares) {
  const double mean = mean_in_repair(job);
  double term = std::exp(-mean), within = term;
  for (std::uint32_t i = 1; i <= spares; i++) within += term *= mean / i;
  return std::max(0.0, 1 - within);
}

std::uint32_t spares_needed(const TrainingJob& job, double risk) {
  const double mean = mean_in_repair(job);
  if (mean > 500) return static_cast<std::uint32_t>(std::ceil(mean + 2.33 * std::sqrt(mean)));  // normal, at 1 %
  std::uint32_t spares = 0;
  while (spares_short(job, spares) > risk) spares++;
  return spares;
}

}  // namespace railyard
