// DCQCN's reaction point with timers that ring, as plainly as Zhu et al. (SIGCOMM 2015, 3.1) and NVIDIA's documentation of
// its parameters describe it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "plain_clock.h"
#include "plan/packet_plan.h"

namespace railyard {

/// The rate of one queue pair. Alpha and shares are counted in 2^-30, rates in bits per second (docs/models.md, DCQCN).
class PlainRate {
 public:
  PlainRate(PlainClock& clock, const DcqcnPlan& plan, BitsPerSecond line)
      : clock_(clock), plan_(plan), line_(line.count()), most_(line_) {
    if (plan.rpg_max_rate > BitsPerSecond::zero()) most_ = std::min(most_, plan.rpg_max_rate.count());
    rate_ = target_ = most_;
  }

  /// The rate is another: what waits for paid_at should ask anew.
  std::function<void()> changed = [] {};

  /// A CNP arrives. The first starts the timers.
  void notify() {
    came_since_alpha_ = came_since_cut_ = true;
    if (is_notified_) return;
    is_notified_ = true;
    alpha_ = std::int64_t{plan_.initial_alpha_value} << 20;
    if (plan_.rate_to_set_on_first_cnp > BitsPerSecond::zero())
      set(std::min(rate_, plan_.rate_to_set_on_first_cnp.count()), 0), target_ = rate_;
    every(plan_.dce_tcp_rtt, 0, [this] { update_alpha(); });
    every(plan_.rate_reduce_monitor_period, 1, [this] {
      if (came_since_cut_) cut();
    });
  }

  /// A packet has begun to leave, and owes its time at the rate; or that time is fixed now (HPCC's ns-3: the rate changes, the
  /// next send does not). Counts bytes while the rate is below the line's.
  void charge(Bytes size) {
    if (rate_ == line_) return;
    const Int128 cost = Int128(size.count()) * 8 * kPicosecondsPerSecond;
    if (plan_.pacing == RatePacing::at_send) {
      next_send_ = clock_.now() + Picoseconds(static_cast<std::int64_t>((cost + rate_ - 1) / rate_));
    } else {
      pay();
      debt_ += cost;
    }
    if (plan_.rpg_byte_reset == Bytes::zero()) return;
    for (bytes_ += size; bytes_ >= plan_.rpg_byte_reset; bytes_ -= plan_.rpg_byte_reset) increase(true);
  }

  /// When everything that left will be paid for, if the rate stays.
  [[nodiscard]] Picoseconds paid_at() {
    if (plan_.pacing == RatePacing::at_send) return std::max(next_send_, clock_.now());
    pay();
    return clock_.now() + Picoseconds(static_cast<std::int64_t>((debt_ + rate_ - 1) / rate_));
  }

 private:
  static constexpr std::int64_t kWhole = std::int64_t{1} << 30;

  void every(Picoseconds period, std::uint32_t index, const std::function<void()>& action) {
    clock_.at(clock_.now() + period, PlainOrder::control_timer, index, [=, this] {
      every(period, index, action);
      action();
    });
  }

  void pay() {
    debt_ = std::max<Int128>(0, debt_ - Int128((clock_.now() - paid_until_).count()) * rate_);
    paid_until_ = clock_.now();
  }

  void set(std::int64_t rate, std::int64_t least) {
    pay();
    rate_ = std::max(rate, std::min(least, rate_));
    changed();
  }

  /// Zhu et al., 3.1: alpha = (1 - g) alpha + g where a CNP came, (1 - g) alpha where none did. dce_tcp_g is 1 - g.
  void update_alpha() {
    alpha_ = alpha_ * plan_.dce_tcp_g / 1024;
    if (came_since_alpha_) alpha_ += (1024 - plan_.dce_tcp_g) * (kWhole / 1024);
    came_since_alpha_ = false;
  }

  /// Zhu et al., 3.1: the target becomes the rate (NVIDIA: only where clamp_tgt_rate says so), the rate (1 - alpha / 2) of it,
  /// with NVIDIA's rpg_gd and rpg_min_dec_fac. Both counters and the timer begin anew.
  void cut() {
    came_since_cut_ = false;
    const bool has_increased = time_stage_ > 0 || byte_stage_ > 0;
    if (plan_.clamp_tgt_rate || (has_increased && (by_bytes_ || plan_.clamp_tgt_rate_after_time_inc))) target_ = rate_;
    const std::int64_t kept = std::max(kWhole - (alpha_ >> (plan_.rpg_gd - 10)), kWhole / 100 * plan_.rpg_min_dec_fac);
    const std::int64_t high = rate_ >> 15, low = rate_ & 0x7FFF;  // each rounded down (docs/models.md, DCQCN)
    set((high * kept >> 15) + (low * kept >> 30), plan_.rpg_min_rate.count());
    time_stage_ = byte_stage_ = 0;
    bytes_ = Bytes::zero();
    start_increase_timer();
  }

  void start_increase_timer() {
    const std::uint64_t mine = ++increase_timer_;
    clock_.at(clock_.now() + plan_.rpg_time_reset, PlainOrder::control_timer, 2, [this, mine] {
      if (mine != increase_timer_) return;
      start_increase_timer();
      increase(false);
    });
  }

  /// Zhu et al., 3.1: fast recovery for the first F steps, then additive increase, and hyper increase once both
  /// counters are beyond F; in each the rate goes half the way to the target. The counters are those of steps made before.
  void increase(bool by_bytes) {
    const std::uint32_t t = time_stage_, b = plan_.rpg_byte_reset == Bytes::zero() ? time_stage_ : byte_stage_;
    if (std::min(t, b) > plan_.rpg_threshold)
      target_ += plan_.rpg_hai_rate.count();
    else if (std::max(t, b) >= plan_.rpg_threshold)
      target_ += plan_.rpg_ai_rate.count();
    target_ = std::min(target_, most_);
    by_bytes_ = by_bytes;
    (by_bytes ? byte_stage_ : time_stage_)++;
    set((rate_ + target_ + 1) / 2, 0);
  }

  PlainClock& clock_;
  const DcqcnPlan& plan_;
  std::int64_t line_, most_, rate_ = 0, target_ = 0, alpha_ = 0;
  Int128 debt_ = 0;  // bits · 10^12
  Picoseconds paid_until_, next_send_;
  bool is_notified_ = false, came_since_alpha_ = false, came_since_cut_ = false, by_bytes_ = false;
  std::uint32_t time_stage_ = 0, byte_stage_ = 0;
  std::uint64_t increase_timer_ = 0;
  Bytes bytes_;
};

}  // namespace railyard
