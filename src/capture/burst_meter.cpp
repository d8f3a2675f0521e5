#include "capture/burst_meter.h"

#include <algorithm>

namespace railyard {

namespace {

constexpr double kBusyShare = 0.01;

double bits_per_second(double bytes, std::int64_t ns) { return bytes * 8e9 / static_cast<double>(ns); }

}  // namespace

BurstMeter::BurstMeter(std::int64_t width_ns, BitsPerSecond rate)
    : width_ns_(width_ns), busy_bytes_(static_cast<double>(rate.count()) * kBusyShare / 8e9 * static_cast<double>(width_ns)) {}

void BurstMeter::add(std::int64_t at_ns, std::uint64_t bytes) {
  const std::int64_t bin = at_ns / width_ns_;
  if (!has_begun_) first_ = bin_ = idle_since_ = bin;
  has_begun_ = true;
  if (bin > bin_) close(bin);
  bytes_ += bytes;
  all_bytes_ += bytes;
}

/// The open bin is over, and those before `next` are empty.
void BurstMeter::close(std::int64_t next) {
  peak_bytes_ = std::max(peak_bytes_, bytes_);
  const bool is_busy = static_cast<double>(bytes_) > busy_bytes_;
  busy_ += is_busy;
  if (is_busy && !is_burst_) {
    if (bursts_.count() > 0) gaps_.add(bin_ - idle_since_);
    since_ = bin_;
  }
  const bool ends = is_busy ? next > bin_ + 1 : is_burst_;  // an idle bin follows, or this one is
  if (ends) {
    idle_since_ = is_busy ? bin_ + 1 : bin_;
    bursts_.add(idle_since_ - since_);
  }
  is_burst_ = is_busy && !ends;
  bin_ = next;
  bytes_ = 0;
}

void BurstMeter::finish() {
  if (!has_begun_) return;
  bins_ = static_cast<std::uint64_t>(bin_ - first_ + 1);
  close(bin_ + 2);
  has_begun_ = false;
}

double BurstMeter::peak_bps() const { return bits_per_second(static_cast<double>(peak_bytes_), width_ns_); }
double BurstMeter::mean_bps() const {
  return bins_ == 0 ? 0 : bits_per_second(static_cast<double>(all_bytes_), width_ns_) / static_cast<double>(bins_);
}
double BurstMeter::duty_cycle() const { return bins_ == 0 ? 0 : static_cast<double>(busy_) / static_cast<double>(bins_); }

}  // namespace railyard
