// Whether windows are played by all threads or by one alone: what is faster here and now.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace railyard::packet {

/// When several threads play a window together. The outcome is the same; tests want to see them meet.
enum class ThreadUse { where_it_pays, always, in_turn };

/// Tries both and keeps what takes less time for each visit of a node. Windows may be so small that meeting at barriers costs
/// more than playing them; and on a busy machine every barrier waits until the last thread gets its turn, which may take
/// milliseconds. Nothing but the time that a run takes depends on this.
class ThreadChoice {
 public:
  using Nanoseconds = std::chrono::nanoseconds;

  /// How long the other way is tried; how long the better one is kept at first, and at most, before the other is tried again.
  static constexpr Nanoseconds kTrial = std::chrono::milliseconds(2), kFirst = std::chrono::milliseconds(20),
                               kLongest = std::chrono::seconds(2);
  /// A way is judged by so many windows, unless they take ten trials; the first of them, for which threads wake up, is no part.
  static constexpr unsigned kWindows = 8;

  ThreadChoice(unsigned threads, ThreadUse use) : together_(threads > 1), use_(threads > 1 ? use : ThreadUse::always) {}

  [[nodiscard]] bool is_together() const { return together_; }
  /// Whether note() wants to know the time.
  [[nodiscard]] bool is_timed() const { return use_ == ThreadUse::where_it_pays; }

  /// A window has been played like that.
  void note(std::uint64_t visits, Nanoseconds took) {
    if (use_ == ThreadUse::in_turn) together_ = !together_;
    if (use_ != ThreadUse::where_it_pays) return;
    if (windows_++ == 0) return;
    visits_ += visits;
    took_ += took;
    if (took_ < (is_trial_ ? kTrial : period_) || (windows_ <= kWindows && took_ < 10 * kTrial)) return;
    cost_[together_] = static_cast<double>(took_.count()) / static_cast<double>(std::max<std::uint64_t>(visits_, 1));
    is_trial_ ? judge() : turn();
    visits_ = windows_ = 0;
    took_ = {};
  }

 private:
  /// To the other way, for a while.
  void turn() {
    together_ = !together_;
    is_trial_ = true;
  }

  /// What has just been tried stays if it was better; the longer nothing changes, the longer it is believed.
  void judge() {
    const bool is_better = cost_[together_] < cost_[!together_];
    period_ = is_better ? kFirst : std::clamp(2 * period_, kFirst, kLongest);
    if (!is_better) together_ = !together_;
    is_trial_ = false;
  }

  bool together_;
  const ThreadUse use_;
  bool is_trial_ = false;
  Nanoseconds period_ = kTrial;             // the first comparison comes soon
  std::uint64_t visits_ = 0, windows_ = 0;  // since the way was changed
  Nanoseconds took_{};
  double cost_[2] = {};  // nanoseconds a visit, when it was last known: alone, together
};

}  // namespace railyard::packet
