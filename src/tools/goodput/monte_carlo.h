// Many drawn runs of weeks, and what they have in common. The same at any number of threads.
#pragma once

#include <cstdint>
#include <vector>

#include "search/crew.h"
#include "tools/goodput/drawn_run.h"

namespace railyard {

/// A mean over runs, how sure it is, and how runs differ.
struct RunSpread {
  double mean = 0, error = 0;  // the mean lies within ± error with 95 % confidence
  double p5 = 0, p50 = 0, p95 = 0;
};

struct DrawnWeeks {
  std::uint32_t runs = 0;
  RunSpread share;                  // effective training time over all time
  RunSpread time;                   // of a run, in seconds
  TimeParts mean;                   // of a run
  std::vector<CauseTotals> causes;  // the same
  RunSpread interruptions;
  double finished = 0;         // share of runs that reach the goal
  std::vector<double> shares;  // of each run, for what is measured against these
};

DrawnWeeks draw_weeks(const TrainingJob& job, std::uint64_t seed, std::uint32_t runs, const Crew& crew);

/// Who draws runs, and where they are kept; `level` tells those of one job from another's.
struct WeeksDrawer {
  const Crew& crew;
  Journal& journal;
  Progress& progress;
  std::size_t level = 0;
};
DrawnWeeks draw_weeks(const TrainingJob& job, std::uint64_t seed, std::uint32_t runs, const WeeksDrawer& drawer);

/// How much larger the share of `after` is than that of `before`, run by run with the same failures. REQUIRES: as many runs.
RunSpread gain(const DrawnWeeks& before, const DrawnWeeks& after);

}  // namespace railyard
