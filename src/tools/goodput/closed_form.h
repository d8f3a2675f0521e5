// Weeks of training in closed form (docs/models.md, weeks of training).
#pragma once

#include <cstdint>

#include "tools/goodput/job.h"

namespace railyard {

/// The expected time of `interval` of training and its checkpoint: failures come at `rate`, each is acted on after `detection`,
/// `restore` may be interrupted again, and work begins anew. Daly's expectation where detection is 0.
double expected_segment(double interval, double stall, double rate, double detection, double restore);

/// The interval that makes interval / expected_segment() largest: 1 - λτ = exp(-λ(τ + C)). REQUIRES: stall > 0, rate > 0.
double best_interval(double stall, double rate);

/// sqrt(2 C M), and Daly's expansion of the best interval: to be compared with.
double young_interval(double stall, double rate);
double daly_interval(double stall, double rate);

/// Of the time since the last checkpoint, what a failure is expected to lose, checkpoints that were not finished included.
double expected_loss(double interval, double stall, double rate);

/// Effective training time as a share, if spares are always there. Exact without stragglers, planned interruptions and a lag;
/// with them to first order.
double expected_share(const TrainingJob& job);

/// The fewest spares that suffice for all but a share `risk` of the time: servers in repair are Poisson distributed, with as
/// many on average as fail during a repair.
std::uint32_t spares_needed(const TrainingJob& job, double risk);

/// Share of the time in which that many do not suffice.
double spares_short(const TrainingJob& job, std::uint32_t spares);

}  // namespace railyard
