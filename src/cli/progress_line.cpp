#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/printable.h"

namespace railyard {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kFirstSign = 1s;
constexpr auto kBetweenSigns = 200ms;

constexpr double kKnown = 0.01;       // share from which on it says how long it may take
constexpr std::size_t kLongest = 44;  // characters of what it is at: the line fits into 80 columns

/// Whole characters of UTF-8.
std::string shortened(const std::string& text) {
  std::size_t end = 0, characters = 0;
  for (; end < text.size(); end++)
    if ((static_cast<unsigned char>(text[end]) & 0xC0U) != 0x80U && characters++ == kLongest) return text.substr(0, end) + "…";
  return text;
}

}  // namespace

std::string progress_text(const Progress& progress, double elapsed_s) {
  if (progress.total() == 0) return fmt::format("building the fabric  {:.0f} s", elapsed_s);
  const double share = progress.share();
  const std::string now = progress.now();
  std::string text = fmt::format("{:5.1f} %  {}  {:.0f} s", std::floor(share * 1000) / 10,
                                 now.empty() ? "simulating" : shortened(now), elapsed_s);
  if (share > kKnown) text += fmt::format(", about {:.0f} s left", elapsed_s * (1 / share - 1));
  return text;
}

ProgressLine::ProgressLine(const Progress& progress, bool quiet, std::function<void(double)> on_sign)
    : progress_(progress), on_sign_(std::move(on_sign)) {
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
    const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    if (on_sign_) on_sign_(elapsed);
    fmt::print(stderr, "\r\033[K{}", printable(progress_text(progress_, elapsed)));
    std::fflush(stderr);
    shown = true;
  }
  if (shown) fmt::print(stderr, "\r\033[K");
}

}  // namespace railyard
