// NSCC, Ultra Ethernet's network-signaled congestion control, in real numbers and as plainly as its specification (release 1.0,
// 3.6.13) tells it; what that leaves open is as in the consortium's model for htsim, and said where it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/units.h"

namespace railyard {

/// The congestion window of one connection. Bytes and picoseconds, as real numbers: nothing is rounded.
class PlainNscc {
 public:
  /// Table 3-82 and 3.6.13.3: constants are given for 100 Gb/s and a round trip of 12 µs, and scaled to the network at hand.
  PlainNscc(double mtu, double base_rtt, double bytes_per_ps, bool trims)
      : mtu_(mtu), base_rtt_(base_rtt), target_(trims ? 0.75 * base_rtt : base_rtt) {
    const double bdp = std::max(mtu, base_rtt * bytes_per_ps);
    a_ = bdp / 150'000;
    b_ = target_ / 12e6;
    max_wnd_ = 1.5 * bdp;
    cwnd_ = max_wnd_;
  }

  [[nodiscard]] double cwnd() const { return cwnd_; }

  struct Count {
    std::uint64_t fair = 0, proportional = 0, fast = 0, decreased = 0, moved = 0, adapted = 0, ignored = 0;
  } count;

  /// 3.6.13.5 and 3.6.13.6. `in_flight`: bytes, after this acknowledgement.
  void on_ack(double bytes, bool marked, double rtt, double in_flight, double now) {
    received_ += bytes, achieved_ += bytes, ignored_ += bytes;
    base_rtt_ = std::min(base_rtt_, rtt);
    const double delay = rtt - base_rtt_;
    average(!marked && delay > target_ ? base_rtt_ / 4 : delay);  // htsim: what is spread over ways is not one queue's delay
    if (quick_adapt(false, marked, delay, in_flight, now)) return;
    if (!marked && delay >= target_)
      fair_increase(bytes);
    else if (!marked)
      proportional_increase(bytes, delay);
    else if (delay >= target_)
      multiplicative_decrease(now);
    else
      count.moved++;  // the load balancer's turn, not the window's
    bound();
    if (received_ > 8 * mtu_ || now - adjusted_at_ > base_rtt_) fulfill_adjustment(now);
    bound();
  }

  /// 3.6.13.5: a trimmed packet met a full queue, and is taken to have waited for a base round trip.
  void on_trim(double bytes, double in_flight, double now) {
    ignored_ += bytes;
    average(base_rtt_);
    trigger_ = true;
    if (quick_adapt(true, true, 0, in_flight, now)) return;
    cwnd_ -= bytes;
    bound();
  }

  void on_timeout() { cwnd_ = mtu_; }

 private:
  void bound() { cwnd_ = std::clamp(cwnd_, mtu_, std::max(mtu_, max_wnd_)); }

  /// The specification asks for a mean over a base round trip; htsim takes one in 80 of each sample.
  void average(double delay) { average_ += (delay - average_) / 80; }

  /// Once per base round trip and target: where packets were lost or waited long, and less than an eighth of the largest window
  /// arrived, the window becomes what did. Marks of what was under way then tell nothing new.
  bool quick_adapt(bool loss, bool marked, double delay, double in_flight, double now) {
    bool done = false;
    if (marked && ignored_ < to_ignore_) {
      count.ignored++;
      done = true;
    } else if (now > adapt_at_) {
      const bool due = trigger_ || loss || delay > 4 * target_;
      if (adapt_at_ > 0 && due && achieved_ < max_wnd_ / 8) {
        count.adapted++;
        cwnd_ = std::max(achieved_, mtu_);
        to_ignore_ = in_flight;
        ignored_ = 0;
        trigger_ = false;
        done = true;
      }
      achieved_ = 0;
      adapt_at_ = now + base_rtt_ + target_;
    }
    if (done) increase_ = received_ = 0;
    return done;
  }

  void fair_increase(double bytes) {
    count.fair++;
    increase_ += 5 * mtu_ * a_ * bytes;
  }

  /// The less a packet waited, the more; after a window of such that met no queue (less than 1 µs) faster still.
  void proportional_increase(double bytes, double delay) {
    clear_bytes_ = delay < 1e6 ? clear_bytes_ + bytes : 0;
    is_clear_ = delay < 1e6 && (is_clear_ || clear_bytes_ > cwnd_);
    (is_clear_ ? count.fast : count.proportional)++;
    if (is_clear_)
      cwnd_ += 0.25 * a_ * bytes;
    else
      increase_ += 4 * mtu_ * a_ * b_ * (target_ - delay) / target_ * bytes;
  }

  void multiplicative_decrease(double now) {
    is_clear_ = false;
    clear_bytes_ = 0;
    if (average_ <= target_ || now - decreased_at_ <= base_rtt_) return;
    count.decreased++;
    cwnd_ *= std::max(0.5, 1 - 0.8 * (average_ - target_) / average_);
    decreased_at_ = now;
  }

  void fulfill_adjustment(double now) {
    cwnd_ += increase_ / cwnd_;
    if (now - adjusted_at_ >= base_rtt_) {
      cwnd_ += 0.15 * mtu_ * a_;
      adjusted_at_ = now;
    }
    increase_ = received_ = 0;
  }

  double mtu_, base_rtt_, target_, a_ = 0, b_ = 0, max_wnd_ = 0, cwnd_ = 0;
  double average_ = 0, increase_ = 0, received_ = 0, achieved_ = 0, ignored_ = 0, to_ignore_ = 0, clear_bytes_ = 0;
  double adapt_at_ = 0, decreased_at_ = 0, adjusted_at_ = 0;
  bool trigger_ = false, is_clear_ = false;
};

}  // namespace railyard
