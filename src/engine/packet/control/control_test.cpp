#include "engine/packet/control/control.h"

#include <gtest/gtest.h>

#include "engine/packet/echo.h"
#include "engine/packet/net.h"
#include "engine/packet/receiver_credits.h"

namespace railyard::packet {
namespace {

constexpr std::int64_t kLine = 100'000'000'000;
constexpr Time kTrip = 12'000'000;  // the network NSCC's constants are for: 150 kB in flight
constexpr std::uint32_t kMtu = 4096;

ControlParameters parameters(Control kind) {
  ControlParameters p;
  p.kind = kind;
  p.limits.mtu = kMtu;
  return p;
}

Window begun(const ControlParameters& p) {
  Window w;
  w.round_trip = kTrip;
  begin(w, p, kLine);
  return w;
}

Answer answer_of(Time waited, bool marked, Time now = 0, std::int64_t bytes = kMtu) {
  return {.now = now, .round_trip = kTrip + waited, .bytes = bytes, .load = 0, .through = 0, .next = 0, .marked = marked};
}

TEST(Control, nscc_begins_with_one_and_a_half_of_what_the_path_holds) {
  const Window w = begun(parameters(Control::nscc));
  EXPECT_EQ(w.size, 225'000);
  EXPECT_EQ(w.nscc.target, kTrip / 4 * 3);
  EXPECT_EQ(w.nscc.scale, 1024U);
}

TEST(Control, nscc_grows_in_proportion_below_the_target_and_fairly_above) {
  const ControlParameters p = parameters(Control::nscc);
  Window w = begun(p);
  w.size = 100'000;
  w.nscc.adjusted_at = 0;
  answer(w, p, answer_of(w.nscc.target / 2, false, kTrip / 2, 9 * kMtu));  // more than eight packets: it takes effect
  // 4 · mtu · 3/4 · 1/2 · bytes / w
  EXPECT_NEAR(static_cast<double>(w.size), 100'000 + 4.0 * kMtu * 0.75 * 0.5 * 9 * kMtu / 100'000, 10);
  w.size = 100'000;
  answer(w, p, answer_of(w.nscc.target * 2, false, kTrip / 2, 9 * kMtu));
  EXPECT_NEAR(static_cast<double>(w.size), 100'000 + 5.0 * kMtu * 9 * kMtu / 100'000, 10);
}

TEST(Control, nscc_does_nothing_about_a_mark_without_delay) {
  const ControlParameters p = parameters(Control::nscc);
  Window w = begun(p);
  w.size = 100'000;
  answer(w, p, answer_of(w.nscc.target / 2, true, kTrip / 2));
  EXPECT_EQ(w.size, 100'000);
}

TEST(Control, nscc_shrinks_once_a_round_trip_and_by_half_at_most) {
  const ControlParameters p = parameters(Control::nscc);
  Window w = begun(p);
  w.nscc.mean_delay = 100 * w.nscc.target;
  w.nscc.round_end = kNever;
  answer(w, p, answer_of(2 * w.nscc.target, true, 2 * kTrip));
  const std::int64_t once = w.size;
  EXPECT_NEAR(static_cast<double>(once), 112'500, 1'000);
  answer(w, p, answer_of(2 * w.nscc.target, true, 2 * kTrip + kTrip / 2));
  EXPECT_LE(w.size, once + kMtu);
  EXPECT_GE(w.size, once);
}

TEST(Control, nscc_jumps_to_what_got_through) {
  const ControlParameters p = parameters(Control::nscc);
  Window w = begun(p);
  w.nscc.round_end = 1;
  w.nscc.achieved = 3 * kMtu;
  lose(w, p, 0, 10, 2 * kTrip);
  EXPECT_EQ(w.size, 3 * kMtu);
}

TEST(Control, dctcp_shrinks_by_half_the_share_of_marks) {
  const ControlParameters p = parameters(Control::dctcp);
  Window w = begun(p);
  EXPECT_EQ(w.size, 10 * kMtu);
  w.size = w.dctcp.slow_start = 1'000'000;
  w.dctcp.alpha = 512;  // one half
  Answer a = answer_of(0, true);
  a.next = 100;
  answer(w, p, a);  // the round is over: all of its bytes were marked
  EXPECT_EQ(w.dctcp.alpha, 512U + 512 / 16);
  EXPECT_EQ(w.size, 1'000'000 - 1'000'000 * std::int64_t{w.dctcp.alpha} / 2048);
  const std::int64_t decreased = w.size;
  a.through = 50;
  answer(w, p, a);  // in the next one nothing happens before it is over
  EXPECT_EQ(w.size, decreased);
}

TEST(Control, dctcp_doubles_in_slow_start_and_then_adds_a_packet_a_round) {
  const ControlParameters p = parameters(Control::dctcp);
  Window w = begun(p);
  answer(w, p, answer_of(0, false, 0, 10 * kMtu));
  EXPECT_EQ(w.size, 20 * kMtu);
  w.dctcp.slow_start = w.size;
  answer(w, p, answer_of(0, false, 0, w.size));
  EXPECT_EQ(w.size, 21 * kMtu);
}

TEST(Control, cubic_comes_back_to_where_it_was_after_the_time_it_says) {
  EXPECT_EQ(cube_root(26), 2);
  EXPECT_EQ(cube_root(27), 3);
  EXPECT_EQ(cube_root(std::int64_t{1'000'000'000'000}), 10'000);
  const ControlParameters p = parameters(Control::cubic);
  Window w = begun(p);
  w.size = 1000 * kMtu;
  lose(w, p, 0, 10, 0);
  EXPECT_EQ(w.size, 700 * kMtu);
  EXPECT_EQ(w.cubic.before, 1000 * kMtu);
  answer(w, p, answer_of(0, false, 0));
  // K = cube root of 300 packets / 0.4 = 9.086 s
  EXPECT_NEAR(static_cast<double>(w.cubic.inflection) * 1e-12, 9.086, 0.2);
}

TEST(Control, losses_of_one_window_are_answered_once) {
  const ControlParameters p = parameters(Control::dctcp);
  Window w = begun(p);
  w.size = 64 * kMtu;
  lose(w, p, 5, 40, 0);
  lose(w, p, 39, 41, 0);
  EXPECT_EQ(w.size, 32 * kMtu);
  lose(w, p, 40, 80, 0);
  EXPECT_EQ(w.size, 16 * kMtu);
  time_out(w, p, 90);
  EXPECT_EQ(w.size, kMtu);
}

TEST(Control, swift_keeps_to_its_target) {
  ControlParameters p = parameters(Control::swift);
  p.swift.queueing = 4'000'000;
  Window w = begun(p);
  const std::int64_t before = w.size;
  EXPECT_EQ(before, 150'000);
  answer(w, p, answer_of(1'000'000, false, kTrip, w.size));
  EXPECT_EQ(w.size, before + kMtu);
  answer(w, p, answer_of(8'000'000, false, 3 * kTrip));  // 4 of 20 µs too long
  EXPECT_NEAR(static_cast<double>(w.size), static_cast<double>(before + kMtu) * (1 - 0.8 * 0.2), 300);
}

TEST(Control, hpcc_aims_at_95_per_cent) {
  const ControlParameters p = parameters(Control::hpcc);
  Window w = begun(p);
  const std::int64_t first = w.size;
  Answer a = answer_of(0, false);
  a.load = 2 * 4096;
  a.next = 10;
  answer(w, p, a);
  EXPECT_NEAR(static_cast<double>(w.size), static_cast<double>(first) * 0.95 / 2, 200);
}

constexpr Time kTimelyLeast = 20'000'000;  // 2/5 of 50 µs

/// One step: a least round trip after the last, a segment has arrived.
void step_timely(Window& w, const ControlParameters& p, Time trip, Time& now) {
  now += kTimelyLeast;
  answer(w, p, {.now = now, .round_trip = trip, .bytes = kTimelySegment, .load = 0, .through = 0, .next = 0, .marked = false});
}

TEST(Control, timely_begins_at_line_rate_and_is_paced) {
  const ControlParameters p = parameters(Control::timely);
  Window w = begun(p);
  EXPECT_EQ(pace_of(w, p, 0), kLine);
  Time now = 0;
  for (int i = 0; i < 10; i++) step_timely(w, p, kTrip, now);
  EXPECT_EQ(pace_of(w, p, now), kLine);  // and keeps to it
}

TEST(Control, timely_slows_down_by_the_gradient_between_its_thresholds) {
  const ControlParameters p = parameters(Control::timely);
  Window w = begun(p);
  Time now = 0;
  step_timely(w, p, 100'000'000, now);
  step_timely(w, p, 100'000'000 + kTimelyLeast / 4, now);  // 7/8 of a quarter, by which it slows down to 1 - 0.8 · 0.219
  EXPECT_NEAR(static_cast<double>(w.timely.rate), 100e9 * (1 - 0.8 * 0.875 * 0.25), 0.2e9);
  const std::int64_t decreased = w.timely.rate;
  step_timely(w, p, 90'000'000, now);  // shrinks: one step up, and five at once from the fifth on
  EXPECT_EQ(w.timely.rate, decreased + kLine / 1000);
  for (int i = 0; i < 3; i++) step_timely(w, p, 90'000'000, now);
  EXPECT_EQ(w.timely.rate, decreased + 4 * (kLine / 1000));
  step_timely(w, p, 90'000'000, now);
  EXPECT_EQ(w.timely.rate, decreased + 9 * (kLine / 1000));
}

TEST(Control, timely_knows_round_trips_that_are_always_good_or_bad) {
  const ControlParameters p = parameters(Control::timely);
  Window w = begun(p);
  Time now = 0;
  w.timely.rate = kLine / 2;
  step_timely(w, p, 20'000'000, now);
  step_timely(w, p, 40'000'000, now);  // grows, but is below 50 µs
  EXPECT_EQ(w.timely.rate, kLine / 2 + 2 * (kLine / 1000));
  w.timely.rate = kLine;
  step_timely(w, p, 625'000'000, now);  // 1 - 0.8 · (1 - 500/625)
  EXPECT_NEAR(static_cast<double>(w.timely.rate), 100e9 * (1 - 0.8 * 0.2), 0.2e9);
}

TEST(Control, timely_takes_one_step_a_segment_and_round_trip) {
  const ControlParameters p = parameters(Control::timely);
  Window w = begun(p);
  w.timely.rate = kLine / 2;
  answer(w, p, answer_of(0, false, kTimelyLeast, kTimelySegment - 1));
  EXPECT_EQ(w.timely.rate, kLine / 2);
  answer(w, p, answer_of(0, false, kTimelyLeast, 1));
  EXPECT_EQ(w.timely.rate, kLine / 2 + kLine / 1000);
  answer(w, p, answer_of(0, false, kTimelyLeast * 3 / 2, kTimelySegment));
  EXPECT_EQ(w.timely.rate, kLine / 2 + kLine / 1000);
}

TEST(Control, ibcc_raises_its_index_by_marks_and_lowers_it_by_time) {
  ControlParameters p = parameters(Control::ibcc);
  p.ibcc = {.increase = 2, .limit = 5, .timer = 1'000'000};
  Window w = begun(p);
  EXPECT_EQ(pace_of(w, p, 0), 0);  // nothing holds it back
  answer(w, p, answer_of(0, true, 0));
  EXPECT_EQ(pace_of(w, p, 999'999), kLine / 3);
  for (int i = 0; i < 5; i++) answer(w, p, answer_of(0, true, 999'999));
  EXPECT_EQ(pace_of(w, p, 999'999), kLine / 6);  // the limit
  EXPECT_EQ(pace_of(w, p, 3'000'000), kLine / 3);
  answer(w, p, answer_of(0, false, 3'000'000));
  EXPECT_EQ(pace_of(w, p, 3'000'000), kLine / 3);
  EXPECT_EQ(pace_of(w, p, 100'000'000), 0);
}

TEST(Control, a_port_at_line_rate_tells_a_load_of_one) {
  std::uint32_t load = 0;
  const std::int64_t room = 150'000;
  for (int i = 0; i < 1000; i++) load = load_after(load, 334'240, 0, 4178, room, kTrip);
  EXPECT_NEAR(load / 4096.0, 1, 0.02);
  load = load_after(load, 334'240, 150'000, 4178, room, kTrip);  // and more with a queue
  EXPECT_GT(load, 4096U);
}

TEST(Echo, comes_back_as_it_was) {
  const std::uint32_t echo = echo_of(stamp_of(123'456'789'000), 77);
  EXPECT_EQ(entropy_of(echo), 77U);
  EXPECT_NEAR(static_cast<double>(age_of(echo, 123'456'789'000 + 5'000'000)), 5e6, 8200);
  const std::uint32_t receipt = receipt_of(0xFFFFF + 5, 9);
  EXPECT_EQ(progress_of(receipt, 0xFFFFF), 5);
  EXPECT_EQ(progress_of(receipt, 0xFFFFF + 7), -2);
  EXPECT_EQ(early_of(receipt), 9U);
}

TEST(EntropyCache, keep_the_last_eight_and_give_the_oldest_first) {
  EntropyCache entropies;
  for (std::uint32_t entropy = 0; entropy < 10; entropy++) entropies.keep(entropy);
  EXPECT_EQ(entropies.count, 8);
  EXPECT_EQ(entropies.take(), 2U);
  EXPECT_EQ(entropies.take(), 3U);
  EXPECT_EQ(entropies.count, 6);
}

TEST(Control, receivers_give_credit_for_what_they_take_in) {
  Port port;
  port.rate = kLine;
  Host host;
  const std::uint32_t first_port[] = {0, 1};
  Net net;
  net.ports = &port;
  net.hosts = &host;
  net.first_port = first_port;
  net.p.most_packet = kMtu;
  EXPECT_EQ(take_rate_of(net, 0), kLine);
  host.take_rate = kLine / 5;  // of a slow host
  EXPECT_EQ(take_rate_of(net, 0), kLine / 5);
  EXPECT_GT(grant_time(net, take_rate_of(net, 0), 1), 4 * grant_time(net, rate_of(net, 0), 1));
  host.take_rate = 2 * kLine;
  EXPECT_EQ(take_rate_of(net, 0), kLine);
}

}  // namespace
}  // namespace railyard::packet
