#include "cli/stop_signals.h"

#include <pthread.h>

#include <ctime>

namespace railyard {

StopSignals::StopSignals(Progress& progress) {
  sigemptyset(&watched_);
  for (const int signal : {SIGINT, SIGTERM}) sigaddset(&watched_, signal);
  pthread_sigmask(SIG_BLOCK, &watched_, &before_);
  watcher_ = std::thread([this, &progress] {
    const timespec patience{0, 50'000'000};
    while (!over_) {
      const int signal = sigtimedwait(&watched_, nullptr, &patience);
      if (signal <= 0) continue;
      came_ = signal;
      progress.cancel();
    }
  });
}

StopSignals::~StopSignals() {
  over_ = true;
  watcher_.join();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

}  // namespace railyard
