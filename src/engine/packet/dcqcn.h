// DCQCN's reaction point: what a sender's rate does when congestion is notified and when it is not. No timers run: state is
// brought up to date when it is looked at, in the same steps that timers would have taken (docs/models.md, DCQCN).
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/packet/packet.h"

namespace railyard::packet {

/// Settings of one NIC in the units the state has. Shares are in 1/1024.
struct DcqcnParameters {
  bool enabled = false;                       // it slows down when it is told to
  bool notifies = false, cnp_on_ack = false;  // it tells senders of marks: by CNPs, or by a flag on every ACK
  Time min_time_between_cnps = 0;
  bool clamp_tgt_rate = false, clamp_tgt_rate_after_time_inc = true;
  bool at_send = false;  // a packet fixes when the next one leaves; else it owes its time at the rate of the moment
  Time rpg_time_reset = 0, dce_tcp_rtt = 1, rate_reduce_monitor_period = 1;
  std::uint32_t rpg_byte_reset = 0, rpg_threshold = 1, rpg_gd = 11, rpg_min_dec_fac = 50, dce_tcp_g = 1019,
                initial_alpha_value = 1023;
  std::int64_t rpg_max_rate = 0, rpg_min_rate = 0, rpg_ai_rate = 0, rpg_hai_rate = 0,
               rate_to_set_on_first_cnp = 0;  // bits per second; zero: the port's
  std::uint32_t decay[24] = {};               // dce_tcp_g^(2^k) in units of 2^-30
};

inline constexpr std::uint32_t kOne = 1U << 30;  // alpha = 1

inline std::uint32_t times(std::uint32_t a, std::uint32_t b) { return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 30); }

/// Alpha after `ticks` without a notification.
inline std::uint32_t decayed(const DcqcnParameters& p, std::uint32_t alpha, std::int64_t ticks) {
  if (ticks >> 24 != 0) return 0;
  for (int k = 0; ticks != 0; k++, ticks >>= 1)
    if (ticks & 1) alpha = times(alpha, p.decay[k]);
  return alpha;
}

/// One queue pair's rate and the packets it owes time for.
struct ReactionPoint {
  bool paced = false;     // more than the wire may set the time of the next packet: a rate, what is owed, or a reduction due
  bool by_bytes = false;  // the last increase was
  std::uint16_t time_stage = 0, byte_stage = 0;
  std::int64_t line = 0, rate = 0, target = 0;  // bits per second
  Time at = 0;                                  // up to date until here
  Time origin = -1;                             // of the timers: the first notification; none yet
  Time next_increase = kNever, next_rate_reduce = kNever;
  std::int64_t debt = 0;  // of what was sent, what the rate has not paid for: bits · 10^12; at_send: when the next may leave
  std::int64_t alpha_tick = 0, alpha_tick_before = 0;
  std::uint32_t alpha = 0, alpha_before = 0;  // at those ticks
  std::uint32_t bytes = 0;                    // since the byte counter's last step

  [[nodiscard]] bool is_limited() const { return rate < line; }
};

inline void note_pace(ReactionPoint& r) { r.paced = r.is_limited() || r.debt != 0 || r.next_rate_reduce != kNever; }

inline void reset(ReactionPoint& r, const DcqcnParameters& p, std::int64_t line) {
  r = ReactionPoint{};
  r.line = p.rpg_max_rate > 0 ? std::min(p.rpg_max_rate, line) : line;
  r.rate = r.target = r.line;
  r.line = line;
  note_pace(r);
}

/// Alpha at an instant, which may lie before the tick that the last notification will count at.
inline std::uint32_t alpha_at(const ReactionPoint& r, const DcqcnParameters& p, Time at) {
  const std::int64_t tick = (at - r.origin) / p.dce_tcp_rtt;
  if (tick >= r.alpha_tick) return decayed(p, r.alpha, tick - r.alpha_tick);
  return decayed(p, r.alpha_before, std::max<std::int64_t>(0, tick - r.alpha_tick_before));
}

inline void pay(ReactionPoint& r, const DcqcnParameters& p, Time until) {
  if (p.at_send)
    r.debt = r.debt > until ? r.debt : 0;
  else if (const Time span = until - r.at; r.debt > 0 && span > 0)
    r.debt = span > r.debt / r.rate ? 0 : r.debt - span * r.rate;
  r.at = until;
}

inline void reduce_rate(ReactionPoint& r, const DcqcnParameters& p) {
  const bool increased = (r.time_stage | r.byte_stage) != 0;
  if (p.clamp_tgt_rate || (increased && (r.by_bytes || p.clamp_tgt_rate_after_time_inc))) r.target = r.rate;
  const std::uint32_t alpha = alpha_at(r, p, r.at);
  const std::int64_t kept =
      std::max<std::int64_t>(kOne - (alpha >> (p.rpg_gd - 10)), std::int64_t{kOne} / 100 * p.rpg_min_dec_fac);
  // In two steps: a rate times 2^30 does not fit.
  const std::int64_t whole = (r.rate >> 15) * kept >> 15, rest = (r.rate & 0x7FFF) * kept >> 30;
  r.rate = std::max(std::min(p.rpg_min_rate, r.rate), whole + rest);
  r.time_stage = r.byte_stage = 0;
  r.bytes = 0;
  r.next_rate_reduce = kNever;
  r.next_increase = r.at + p.rpg_time_reset;
}

inline void increase(ReactionPoint& r, const DcqcnParameters& p, bool by_bytes) {
  const std::uint32_t t = r.time_stage, b = p.rpg_byte_reset == 0 ? t : r.byte_stage;
  if (std::min(t, b) > p.rpg_threshold)
    r.target += p.rpg_hai_rate;
  else if (std::max(t, b) >= p.rpg_threshold)
    r.target += p.rpg_ai_rate;
  const std::int64_t most = p.rpg_max_rate > 0 ? std::min(p.rpg_max_rate, r.line) : r.line;
  r.target = std::min(r.target, most);
  r.rate = (r.rate + r.target + 1) / 2;
  r.by_bytes = by_bytes;
  std::uint16_t& stage = by_bytes ? r.byte_stage : r.time_stage;
  if (stage < 0xFFFF) stage++;
}

/// Whether nothing changes any more unless congestion is notified.
inline bool has_recovered(const ReactionPoint& r, const DcqcnParameters& p) {
  return r.rate == r.target && r.rate == (p.rpg_max_rate > 0 ? std::min(p.rpg_max_rate, r.line) : r.line);
}

/// Takes every step that is due. REQUIRES: now >= r.at.
inline void catch_up(ReactionPoint& r, const DcqcnParameters& p, Time now) {
  for (Time step = std::min(r.next_rate_reduce, r.next_increase); step <= now;
       step = std::min(r.next_rate_reduce, r.next_increase)) {
    pay(r, p, step);
    if (r.next_rate_reduce == step) {
      reduce_rate(r, p);
    } else {
      increase(r, p, false);
      r.next_increase = has_recovered(r, p) ? kNever : step + p.rpg_time_reset;
    }
  }
  pay(r, p, now);
  note_pace(r);
}

/// A notification arrives.
inline void notify(ReactionPoint& r, const DcqcnParameters& p, Time now) {
  catch_up(r, p, now);
  if (r.origin < 0) {
    r.origin = now;
    r.alpha = r.alpha_before = p.initial_alpha_value << 20;
    if (p.rate_to_set_on_first_cnp > 0) r.rate = r.target = std::min(r.rate, p.rate_to_set_on_first_cnp);
  }
  const std::int64_t tick = (now - r.origin) / p.dce_tcp_rtt + 1;
  if (tick > r.alpha_tick) {
    const std::uint32_t before = decayed(p, r.alpha, tick - 1 - r.alpha_tick);
    r.alpha_before = before;
    r.alpha_tick_before = tick - 1;
    r.alpha = times(before, p.decay[0]) + (1024 - p.dce_tcp_g) * (kOne / 1024);
    r.alpha_tick = tick;
  }
  if (r.next_rate_reduce == kNever)
    r.next_rate_reduce = r.origin + ((now - r.origin) / p.rate_reduce_monitor_period + 1) * p.rate_reduce_monitor_period;
  note_pace(r);
}

/// A packet of `size` leaves. REQUIRES: caught up.
inline void charge(ReactionPoint& r, const DcqcnParameters& p, std::uint32_t size) {
  if (!r.is_limited()) return;
  const std::int64_t cost = std::int64_t{size} * 8'000'000'000'000;
  r.debt = p.at_send ? r.at + (cost + r.rate - 1) / r.rate : r.debt + cost;
  if (p.rpg_byte_reset == 0) return;
  r.bytes += size;
  while (r.bytes >= p.rpg_byte_reset) {
    r.bytes -= p.rpg_byte_reset;
    increase(r, p, true);
  }
}

/// When what was sent will be paid for, if no notification comes: the next packet may leave then. REQUIRES: caught up.
inline Time paid_at(const ReactionPoint& r, const DcqcnParameters& p) {
  if (r.debt == 0) return r.at;
  if (p.at_send) return r.debt;
  const Time simple = r.at + (r.debt + r.rate - 1) / r.rate;
  if (simple <= std::min(r.next_rate_reduce, r.next_increase)) return simple;
  ReactionPoint later = r;
  while (later.debt > 0) {
    const Time paid = later.at + (later.debt + later.rate - 1) / later.rate;
    const Time step = std::min(later.next_rate_reduce, later.next_increase);
    if (paid <= step) return paid;
    catch_up(later, p, step);
  }
  return later.at;
}

}  // namespace railyard::packet
