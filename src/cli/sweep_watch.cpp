#include "cli/sweep_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>

#include "base/quantity_text.h"
#include "cli/output.h"

namespace railyard {

namespace {

using namespace std::chrono_literals;

constexpr auto kBetweenLooks = 200ms;
constexpr double kFirstOnTerminal = 1, kFirstInLog = 5, kBetweenLogLines = 30;  // seconds
constexpr std::size_t kEnoughRuns = 3;                                          // that miss a figure
constexpr double kKnownShare = 0.01;

}  // namespace

std::string sweep_progress_text(std::size_t done, std::size_t points, double share, double elapsed_s) {
  std::string text = fmt::format("{} of {} points, {:.0f} s", format_count(done), format_count(points), elapsed_s);
  if (share > kKnownShare) text += fmt::format(", about {:.0f} s left", elapsed_s * (1 / share - 1));
  return text;
}

SweepWatch::SweepWatch(const Sweep& sweep, const SweepLedger& ledger, const Progress& progress, bool quiet)
    : sweep_(sweep), ledger_(ledger), progress_(progress), is_terminal_(isatty(STDERR_FILENO) == 1) {
  if (!quiet) watcher_ = std::thread([this] { watch(); });
}

SweepWatch::~SweepWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void SweepWatch::watch() {
  const auto start = std::chrono::steady_clock::now();
  double next = is_terminal_ ? kFirstOnTerminal : kFirstInLog;
  bool is_shown = false;
  const auto clear = [&] {
    if (is_shown) fmt::print(stderr, "\r\033[K");
    is_shown = false;
  };
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kBetweenLooks, [this] { return over_; })) {
    if (const Diagnostics missed = sweep_.missed_figures().found(kEnoughRuns); !missed.empty()) {
      clear();
      show_findings(missed, std::cerr);
    }
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (elapsed < next) continue;
    const std::string text = sweep_progress_text(ledger_.done(), sweep_.points().size(), progress_.share(), elapsed);
    if (is_terminal_)
      fmt::print(stderr, "\r\033[K{}", text);
    else
      fmt::print(stderr, "railyard: {}\n", text);
    std::fflush(stderr);
    is_shown = is_terminal_;
    if (!is_terminal_) next += kBetweenLogLines;
  }
  clear();
}

}  // namespace railyard
