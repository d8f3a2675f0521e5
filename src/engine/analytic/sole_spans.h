// Messages of groups that know nothing of each other, span by span.
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "base/units.h"
#include "engine/analytic/analytic_counters.h"
#include "engine/analytic/analytic_lines.h"
#include "engine/analytic/delivery_run.h"
#include "engine/analytic/equal_shares.h"
#include "engine/analytic/span_ends.h"
#include "engine/start_queue.h"

namespace railyard {

/// Plays all groups of EqualShares one after the other for a span of time that is no longer than the least latency of a path,
/// instead of all together from one end to the next.
///
/// What is delivered within such a span was through before it began, so all its deliveries are known and in order when it
/// begins. Messages are posted when others are delivered, or by somebody who has no more to post within the span: so when it
/// has passed, all starts are known, too, and groups meet nowhere else. Starts, ends and rates of a group are those of playing
/// them all together, and so is what is handed out (docs/models.md, links that hold alone).
///
/// Only while some message is under way all the time: what starts on idle links takes a closed form.
class SoleSpans {
 public:
  SoleSpans(AnalyticLines& lines, AnalyticCounters& counters, EqualShares& shares, DeliveryQueue& far)
      : lines_(lines), counters_(counters), shares_(shares), far_(far) {}

  [[nodiscard]] bool is_open() const { return until_ != kNotOpen; }
  /// The end of the span. REQUIRES: it is open.
  [[nodiscard]] Picoseconds until() const { return until_; }

  /// Begins to play, at `now`, unless paths have no latency or everything may be through soon. What is there has the number of
  /// its flight from then on, job(sending). REQUIRES: all paths are followed by shares, path p is the only one of connection p,
  /// and all before `now` has happened.
  template<class Job>
  [[nodiscard]] bool begin(Picoseconds now, Job job) {
    find_span();
    if (span_ <= Picoseconds::zero()) return false;
    ends_.begin(shares_.groups(), [&](std::uint32_t group) { return shares_.end_at(group); });
    starting_.resize(shares_.groups());
    if (!open(now)) return false;
    shares_.forget_ends();
    shares_.renumber(job);
    return true;
  }
  /// Begins the next span. False if everything may be through within it; then it is over. REQUIRES: the last was played, and
  /// nothing happens before `from`.
  [[nodiscard]] bool open(Picoseconds from);
  /// When something may happen after the last span that was played, unless it starts.
  [[nodiscard]] Picoseconds next() const { return std::min(ends_.not_before(), deliveries_.first_later()); }
  /// Plays to the end of the span. Returns how many more are on the wire.
  std::int64_t close(StartQueue& starts) { return play(starts, starts.size(), until_); }
  /// Plays to `now` and what happens then, of starts the first `known`. The same.
  std::int64_t cut(StartQueue& starts, std::size_t known, Picoseconds now) { return play(starts, known, now + Picoseconds(1)); }
  /// Plays no more and gives up what is to be delivered, deliver(at, flight), and numbers, job(flight). REQUIRES: all was
  /// played, or the next span did not begin.
  template<class Deliver, class Job>
  void end(Deliver deliver, Job job) {
    until_ = kNotOpen;
    deliveries_.release(deliver);
    for (std::uint32_t group = 0; group < shares_.groups(); group++)
      if (ends_.at(group) != kNever) shares_.set_end(group, ends_.at(group));
    shares_.renumber(job);
  }

  [[nodiscard]] DeliveryRun& deliveries() { return deliveries_; }
  [[nodiscard]] const DeliveryRun& deliveries() const { return deliveries_; }

 private:
  static constexpr Picoseconds kNotOpen = Picoseconds(-1);
  static constexpr int kNear = 8;  // spans
  struct Starting {
    std::uint32_t first = kNoMessage, last = kNoMessage;  // flights
  };

  std::int64_t play(StartQueue& starts, std::size_t known, Picoseconds until);
  void deal(StartQueue& starts, std::size_t known, Picoseconds until);
  void play_group(std::uint32_t group, Picoseconds end, Picoseconds until);
  [[gnu::always_inline]] bool begin(std::uint32_t flight, EqualShares::Alone& group, Picoseconds now);
  [[gnu::always_inline]] void enter(std::uint32_t flight, EqualShares::Alone& group);
  [[gnu::always_inline]] void end(std::uint32_t flight, EqualShares::Alone& group, Picoseconds now);
  void find_span();

  /// Of lines_, while groups are played.
  struct Rows {
    AnalyticMessage* flights = nullptr;
    SendLine* lines = nullptr;
    AnalyticConnection* connections = nullptr;
  };

  AnalyticLines& lines_;
  Rows rows_;
  AnalyticCounters& counters_;
  EqualShares& shares_;
  DeliveryQueue& far_;  // what is delivered many spans later
  DeliveryRun deliveries_;
  SpanEnds ends_;
  Picoseconds span_, until_ = kNotOpen, far_from_;
  std::uint32_t paths_of_span_ = 0;  // for which it was found
  std::int64_t more_ = 0;            // on the wire
  Bytes payload_ = Bytes(-1), on_wire_;
  Int128 volume_ = 0;                   // of payload_
  LargeArray<Starting> starting_;       // by group: what starts in this span, in order
  std::vector<std::uint32_t> started_;  // groups with a start
  std::vector<std::uint32_t> through_;  // flights
};

}  // namespace railyard
