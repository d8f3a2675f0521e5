#include "engine/packet/dcqcn.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/rng.h"
#include "engine/packet/parameters.h"
#include "fabric/build.h"
#include "fabric/testing.h"

namespace railyard::packet {
namespace {

constexpr std::int64_t kLineRate = 400'000'000'000;
constexpr Time kMicrosecond = 1'000'000;

DcqcnParameters parameters(const DcqcnPlan& plan = {}) { return dcqcn_of(plan); }

ReactionPoint fresh(const DcqcnParameters& p) {
  ReactionPoint r;
  reset(r, p, kLineRate);
  return r;
}

/// The same rules with every timer as an event and in floating point.
struct Eager {
  explicit Eager(const DcqcnPlan& the_plan) : plan(the_plan) {}

  void notify(Time at) {
    run(at);
    if (origin < 0) {
      origin = at;
      alpha = plan.initial_alpha_value / 1024.0;
      next_alpha = at + plan.dce_tcp_rtt.count();
      next_rate_reduce = at + plan.rate_reduce_monitor_period.count();
    }
    seen_by_alpha = seen_by_rate_reduce = true;
  }

  void run(Time until) {
    for (;;) {
      const Time next = std::min(std::min(next_alpha, next_rate_reduce), next_increase);
      if (origin < 0 || next > until) return;
      if (next_alpha == next) {
        const double g = plan.dce_tcp_g / 1024.0;
        alpha = g * alpha + (seen_by_alpha ? 1 - g : 0);
        seen_by_alpha = false;
        next_alpha += plan.dce_tcp_rtt.count();
      } else if (next_rate_reduce == next) {
        if (seen_by_rate_reduce) reduce_rate(next);
        seen_by_rate_reduce = false;
        next_rate_reduce += plan.rate_reduce_monitor_period.count();
      } else {
        increase();
        next_increase += plan.rpg_time_reset.count();
      }
    }
  }

  void reduce_rate(Time at) {
    if (plan.clamp_tgt_rate || (stage > 0 && plan.clamp_tgt_rate_after_time_inc)) target = rate;
    rate = std::max(1e6, rate * std::max(plan.rpg_min_dec_fac / 100.0, 1 - alpha / std::pow(2, plan.rpg_gd - 10)));
    stage = 0;
    next_increase = at + plan.rpg_time_reset.count();
  }

  void increase() {
    if (stage > plan.rpg_threshold)
      target += static_cast<double>(plan.rpg_hai_rate.count());
    else if (stage == plan.rpg_threshold)
      target += static_cast<double>(plan.rpg_ai_rate.count());
    target = std::min<double>(target, kLineRate);
    rate = (rate + target) / 2;
    stage++;
  }

  DcqcnPlan plan;
  double rate = kLineRate, target = kLineRate, alpha = 0;
  unsigned stage = 0;
  Time origin = -1, next_alpha = kNever, next_rate_reduce = kNever, next_increase = kNever;
  bool seen_by_alpha = false, seen_by_rate_reduce = false;
};

DcqcnPlan timers_only() {
  DcqcnPlan plan;
  plan.rpg_byte_reset = 0_B;
  plan.rpg_time_reset = Picoseconds(50 * kMicrosecond + 1);  // never in the same instant as a cut
  plan.rpg_hai_rate = 500_Mbps;
  return plan;
}

TEST(Dcqcn, nothing_happens_without_notifications) {
  const DcqcnParameters p = parameters();
  ReactionPoint r = fresh(p);
  catch_up(r, p, 1000 * kMicrosecond);
  EXPECT_EQ(r.rate, kLineRate);
  charge(r, p, 4178);
  EXPECT_EQ(paid_at(r, p), 1000 * kMicrosecond);  // the wire alone sets the pace
}

TEST(Dcqcn, the_first_notification_halves_the_rate_at_the_next_rate_reduction) {
  const DcqcnParameters p = parameters(timers_only());
  ReactionPoint r = fresh(p);
  notify(r, p, 10 * kMicrosecond);
  catch_up(r, p, 14 * kMicrosecond - 1);
  EXPECT_EQ(r.rate, kLineRate);
  catch_up(r, p, 14 * kMicrosecond);
  // Alpha is 1023/1024 at first, grows by the one that was seen, and decays three times before the cut.
  const double g = 1019.0 / 1024, alpha = (g * 1023 / 1024 + (1 - g)) * g * g * g;
  EXPECT_NEAR(static_cast<double>(r.rate), kLineRate * (1 - alpha / 2), 1e3);
}

TEST(Dcqcn, looking_late_gives_what_timers_give) {
  const DcqcnPlan plan = timers_only();
  const DcqcnParameters p = parameters(plan);
  for (std::uint32_t run = 0; run < 50; run++) {
    Rng rng(7, "notifications", run);
    ReactionPoint lazy = fresh(p);
    Eager eager(plan);
    Time now = 0;
    for (int i = 0; i < 40; i++) {
      now += 137 + rng.below(static_cast<std::uint32_t>(200 * kMicrosecond));
      notify(lazy, p, now);
      eager.notify(now);
    }
    now += rng.below(3'000'000'000);
    catch_up(lazy, p, now);
    eager.run(now);
    EXPECT_NEAR(static_cast<double>(lazy.rate) / eager.rate, 1, 1e-5) << "run " << run;
  }
}

TEST(Dcqcn, packets_leave_at_the_rate) {
  const DcqcnParameters p = parameters(timers_only());
  ReactionPoint r = fresh(p);
  notify(r, p, 0);
  Time now = 5 * kMicrosecond;  // past the cut, before the first increase
  catch_up(r, p, now);
  const std::int64_t rate = r.rate;
  const Time begin = now;
  for (int i = 0; i < 100; i++) {
    charge(r, p, 4178);
    now = paid_at(r, p);
    catch_up(r, p, now);
  }
  const double expected = 100 * 4178 * 8.0 / static_cast<double>(rate) * 1e12;
  EXPECT_NEAR(static_cast<double>(now - begin), expected, 100);  // a picosecond of rounding each
}

/// A queue pair down at the least rate that has just sent a packet.
ReactionPoint at_the_bottom(const DcqcnParameters& p) {
  ReactionPoint r = fresh(p);
  for (Time at = 0; at < 200 * kMicrosecond; at += kMicrosecond) notify(r, p, at);
  EXPECT_LT(r.rate, 10'000'000);
  charge(r, p, 4178);
  return r;
}

Time time_at_rate(const ReactionPoint& r) { return Time{4178} * 8 * 1'000'000'000'000 / r.rate; }

TEST(Dcqcn, a_slow_queue_pair_wakes_up_as_its_rate_recovers) {
  DcqcnPlan plan = timers_only();
  plan.rpg_min_dec_fac = 0;
  const DcqcnParameters p = parameters(plan);
  const ReactionPoint r = at_the_bottom(p);
  EXPECT_LT(paid_at(r, p), (r.at + time_at_rate(r)) / 2);  // at the first rate it would have waited much longer
}

TEST(Dcqcn, a_packet_may_fix_when_the_next_one_leaves) {
  DcqcnPlan plan = timers_only();
  plan.rpg_min_dec_fac = 0;
  plan.pacing = RatePacing::at_send;
  const DcqcnParameters p = parameters(plan);
  ReactionPoint r = at_the_bottom(p);
  const Time fixed = r.at + time_at_rate(r);
  EXPECT_NEAR(static_cast<double>(paid_at(r, p)), static_cast<double>(fixed), 1);
  const std::int64_t before = r.rate;
  catch_up(r, p, fixed / 2);
  EXPECT_GT(r.rate, 2 * before);
  EXPECT_NEAR(static_cast<double>(paid_at(r, p)), static_cast<double>(fixed), 1);  // whatever the rate is meanwhile
  catch_up(r, p, fixed + kMicrosecond);
  EXPECT_EQ(paid_at(r, p), fixed + kMicrosecond);
}

}  // namespace
}  // namespace railyard::packet
