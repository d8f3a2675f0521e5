// One run of weeks, drawn: an event for every interruption, none for steps or checkpoints.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/goodput/job.h"

namespace railyard {

/// Where the time of a run goes, in seconds; the parts sum to it.
struct TimeParts {
  double training = 0;                             // that counts in the end, at full speed
  double checkpoint = 0;                           // stalls
  double lost = 0;                                 // training that was done again
  double slow = 0;                                 // what stragglers add
  double detection = 0, waiting = 0, restart = 0;  // waiting: for a spare; restart: with loading

  [[nodiscard]] double all() const { return training + checkpoint + lost + slow + detection + waiting + restart; }
  TimeParts& operator+=(const TimeParts& other);
};

/// Of one cause: how often, and what it cost. Failures while the job stands or is restored belong to the interruption that is
/// there already.
struct CauseTotals {
  double failures = 0, interruptions = 0, lost = 0, detection = 0, waiting = 0, restart = 0;

  [[nodiscard]] double all() const { return lost + detection + waiting + restart; }
};

/// One interruption of a run, for a picture.
struct Interruption {
  double at = 0;
  std::uint32_t cause = 0;  // as many as there are causes: a straggler that was found
  double lost = 0, detection = 0, waiting = 0, restart = 0;
};

struct DrawnRun {
  TimeParts time;
  std::vector<CauseTotals> causes;  // one more than the job has: stragglers that were exchanged
  double interruptions = 0;
  bool finished = false;  // the goal, not the horizon, ended it
};

/// The run of this number. Failures, repairs and stragglers have streams of their own by (seed, number), and failures come in
/// the time in which servers are in use: runs of two jobs with one number meet the same of them. Records interruptions if
/// asked.
DrawnRun draw_run(const TrainingJob& job, std::uint64_t seed, std::uint64_t number,
                  std::vector<Interruption>* record = nullptr);

}  // namespace railyard
