// Weeks of training as they are drawn: what interrupts a job and how often, what is saved, what it takes to go on. Times in
// seconds: they are means and draws of weeks, not clocks.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "catalog/status.h"

namespace railyard {

inline constexpr double kHourSeconds = 3600, kDaySeconds = 24 * kHourSeconds, kWeekSeconds = 7 * kDaySeconds;
inline constexpr double kForever = std::numeric_limits<double>::infinity();

/// One class of parts that fail, or another reason for an interruption.
struct Cause {
  std::string name;         // "GPU"
  double rate = 0;          // per second, of the whole job
  double detection = 0;     // until something is done
  std::uint32_t nodes = 0;  // servers that are out until they are repaired
  bool planned = false;     // a checkpoint is written first: no work is lost
  std::uint64_t parts = 0;  // that can fail; 0: the job as a whole
  double mtbf = 0;          // of one
  std::string key = {};     // of [reliability]
  Origin origin = {};
};

struct Stragglers {
  double rate = 0;  // per second, of all servers
  double slowdown = 0, detection = 0;
};

struct Spares {
  std::optional<std::uint32_t> servers = {};  // none: always enough
  double repair = 0;                          // mean of an exponential draw
  std::optional<std::uint32_t> crews = {};    // none: any number
};

struct TrainingJob {
  std::vector<Cause> causes = {};
  double work = 0;            // training to the goal, had nothing ever happened
  double horizon = kForever;  // or the time there is
  double interval = 0;        // of training between checkpoints
  double stall = 0;           // that training waits for one
  double lag = 0;             // from then until it can be restored from
  double restart = 0, load = 0;
  Stragglers stragglers = {};
  Spares spares = {};

  [[nodiscard]] double rate() const {
    double sum = 0;
    for (const Cause& cause : causes) sum += cause.rate;
    return sum;
  }
};

}  // namespace railyard
