// Tells how far a sweep is while it works.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "base/progress.h"
#include "sweep/ledger.h"
#include "sweep/sweep.h"

namespace railyard {

/// "10 of 120 points, 12 s, about 130 s left". `share` is how much of the work of this call is done.
std::string sweep_progress_text(std::size_t done, std::size_t points, double share, double elapsed_s);

/// On a terminal one line, from one second on, which goes with this. Elsewhere, as under mpirun or in a log, a line after five
/// seconds and every half minute. Figures that no point has are told as soon as a few points are done.
class SweepWatch {
 public:
  SweepWatch(const Sweep& sweep, const SweepLedger& ledger, const Progress& progress, bool quiet);
  ~SweepWatch();
  SweepWatch(const SweepWatch&) = delete;
  SweepWatch& operator=(const SweepWatch&) = delete;

 private:
  void watch();

  const Sweep& sweep_;
  const SweepLedger& ledger_;
  const Progress& progress_;
  const bool is_terminal_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool over_ = false;
  std::thread watcher_;
};

}  // namespace railyard
