#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "base/quantity_text.h"

namespace railyard {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kFirstSign = 1s;
constexpr auto kBetweenSigns = 200ms;

std::string line_of(const Progress& progress, std::string_view unit, std::chrono::duration<double> elapsed) {
  if (progress.total() == 0) return fmt::format("building the fabric  {:.0f} s", elapsed.count());
  const double share = progress.total() ? static_cast<double>(progress.done()) / static_cast<double>(progress.total()) : 0;
  std::string line = fmt::format("{:5.1f} %  {} of {} {}  {:.0f} s", share * 100, format_count(progress.done()),
                                 format_count(progress.total()), unit, elapsed.count());
  if (share > 0.01) line += fmt::format(", about {:.0f} s left", elapsed.count() * (1 / share - 1));
  return line;
}

}  // namespace

ProgressLine::ProgressLine(const Progress& progress, bool quiet, std::string_view unit) : progress_(progress), unit_(unit) {
  if (!quiet && isatty(STDERR_FILENO)) watcher_ = std::thread([this] { watch(); });
}

ProgressLine::~ProgressLine() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (watcher_.joinable()) watcher_.join();
}

void ProgressLine::watch() {
  const Clock::time_point start = Clock::now();
  bool shown = false;
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, shown ? kBetweenSigns : kFirstSign, [this] { return over_; })) {
    fmt::print(stderr, "\r\033[K{}", line_of(progress_, unit_, Clock::now() - start));
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

}  // namespace railyard
