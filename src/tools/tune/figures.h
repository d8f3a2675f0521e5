// What one setting does to one workload, and what it is worth over all of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "plan/scenario.h"
#include "tools/tune/workloads.h"

namespace railyard {

struct WorkloadFigures {
  double tail_us = 0;       // p99 of completion times of those that count
  double median_us = 0;     // the same, p50
  double goodput_gbps = 0;  // of the pattern
  double fairness = 1;      // Jain's index of the receivers' rates, or of the senders' where one receives
  double pauses = 0, drops = 0;
  double deepest_bytes = 0;  // the longest queue
  double swing = 0;          // of that queue while it is used: standard deviation over mean
  double settled_us = 0;     // when it was last above twice what it is on average in the second half
  double least_us = 0;       // the tail that links of hosts leave, whatever is set (analysis/packets/least_times.h)

  static constexpr std::size_t kCount = 10;
  void add_to(std::vector<double>& values) const;
  static WorkloadFigures from(std::span<const double> values);
};

/// What came of it, whether a switch marked a packet, and what waited at one port at most. Where no packet was marked, what
/// senders do about marks is of no matter, nor from which length on a longer queue is marked.
struct WorkloadRun {
  WorkloadFigures figures;
  bool is_marked = true;
  std::uint64_t waited_bytes = 0;  // at most: ports side by side count as one
};

/// Plays it. An error where it is refused, or where something never arrives.
Result<WorkloadRun> play_workload(const Scenario& scenario, const TuneWorkload& workload);

/// Values of a search's outcome before the figures: the score, and the least and the most of single seeds.
inline constexpr std::size_t kScores = 3;

/// By seed and workload.
using SeededFigures = std::vector<std::vector<WorkloadFigures>>;

/// By workload, on average over the seeds.
std::vector<WorkloadFigures> mean_over_seeds(const SeededFigures& by_seed);

/// What the rest of the workloads can be at best where the first ones were played: tails that links leave, no goodput lost.
/// `usual` are the default's, of all workloads.
SeededFigures at_best(SeededFigures played, const SeededFigures& usual);

/// The mean of the same figures of several draws.
WorkloadFigures mean_of(const std::vector<WorkloadFigures>& draws);

/// Below this share of what the default delivers, goodput counts as lost; above this share of its tail, a workload as hurt.
inline constexpr double kGoodputKept = 0.99, kTailKept = 1.05;

/// A setting whose score can be no better than this is not played to its end where many are compared.
inline constexpr double kHopeless = 1.25;

/// What a setting is worth against the default, less is better: what `by` (of kTuneGoals) names, over that of the default, by
/// geometric mean over the workloads that it is about; more by what the workload that is hurt most loses, and by ten times what
/// the one loses that loses most goodput.
double score_of(const std::vector<WorkloadFigures>& figures, const std::vector<WorkloadFigures>& defaults,
                const std::vector<TuneWorkload>& workloads = {}, std::string_view by = "all");

}  // namespace railyard
