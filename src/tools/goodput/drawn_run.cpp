#include "tools/goodput/drawn_run.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <queue>

#include "base/check.h"
#include "base/rng.h"

namespace railyard {

namespace {

double drawn_gap(Rng& rng, double rate) { return rate > 0 ? -std::log1p(-rng.unit()) / rate : kForever; }

/// How far training is, and what of it could be restored.
class Trainer {
 public:
  explicit Trainer(const TrainingJob& job) : job_(job) {}

  /// Trains for `span`, or until the goal if that is sooner. Returns how long.
  double train(double span, double speed, TimeParts& time) {
    double used = 0;
    while (used < span && !finished()) {
      if (stalled_ > 0) {
        used += stall(span - used, time);
        continue;
      }
      used += skip_segments(span - used, speed, time);
      const double to_snapshot = job_.interval - (done_ - saved_), to_goal = job_.work - done_;
      const double most = std::min(to_snapshot, to_goal), within = (span - used) * speed;
      const double work = std::min(most, within);
      done_ = work == to_goal ? job_.work : done_ + work;
      since_ += work / speed;
      used = within <= most ? span : used + work / speed;
      time.training += work;
      time.slow += work / speed - work;
      if (work == to_snapshot && !finished()) begin_stall();
    }
    return used;
  }

  /// A failure: training goes back to the last checkpoint that was written. Returns what is lost.
  double fail(TimeParts& time) {
    const double restored = since_ >= job_.lag ? saved_ : before_;
    const double lost = done_ - restored;
    done_ = saved_ = before_ = restored;
    stalled_ = 0;
    since_ = kForever;
    time.training -= lost;
    time.lost += lost;
    return lost;
  }

  /// A planned interruption: a checkpoint first. Returns the time of it.
  double save(TimeParts& time) {
    const double span = stalled_ > 0 ? stalled_ : job_.stall;
    stalled_ = 0;
    before_ = saved_ = done_;
    since_ = kForever;
    time.checkpoint += span;
    return span;
  }

  [[nodiscard]] bool finished() const { return done_ >= job_.work; }

 private:
  void begin_stall() {
    stalled_ = job_.stall;
    if (stalled_ <= 0) snapshot();
  }

  void snapshot() {
    before_ = saved_;
    saved_ = done_;
    since_ = 0;
  }

  double stall(double span, TimeParts& time) {
    const double part = std::min(span, stalled_);
    stalled_ -= part;
    since_ += part;
    time.checkpoint += part;
    if (stalled_ <= 0) snapshot();
    return part;
  }

  /// Whole segments at once, from one checkpoint to the next.
  double skip_segments(double span, double speed, TimeParts& time) {
    if (done_ != saved_) return 0;
    const double length = job_.interval / speed + job_.stall;
    const double whole = std::floor(std::min(span / length, (job_.work - done_) / job_.interval)) - 1;
    if (whole < 1) return 0;
    before_ = done_ + (whole - 1) * job_.interval;
    done_ = saved_ = done_ + whole * job_.interval;
    since_ = 0;
    time.training += whole * job_.interval;
    time.slow += whole * (job_.interval / speed - job_.interval);
    time.checkpoint += whole * job_.stall;
    return whole * length;
  }

  const TrainingJob& job_;
  double done_ = 0, saved_ = 0, before_ = 0;  // training so far; at the last checkpoint, and at the one before
  double stalled_ = 0;                        // what is left of a stall
  double since_ = kForever;                   // time since the last checkpoint was taken
};

/// Servers that are being repaired.
class Workshop {
 public:
  Workshop(const Spares& spares, std::uint64_t seed, std::uint64_t number) : spares_(spares), rng_(seed, "repair", number) {
    if (spares.crews) crews_ = std::vector<double>(*spares.crews, 0.0);
  }

  void take(std::uint32_t servers, double now) {
    if (!spares_.servers) return;
    for (std::uint32_t i = 0; i < servers; i++) {
      const double length = drawn_gap(rng_, 1 / spares_.repair);
      double begin = now;
      if (!crews_.empty()) {
        std::pop_heap(crews_.begin(), crews_.end(), std::greater<>());
        begin = std::max(now, crews_.back());
        crews_.back() = begin + length;
        std::push_heap(crews_.begin(), crews_.end(), std::greater<>());
      }
      back_.push(begin + length);
    }
  }

  /// How long from now until there are enough servers again.
  double wait(double now) {
    if (!spares_.servers) return 0;
    while (!back_.empty() && back_.top() <= now) back_.pop();
    double until = now;
    while (back_.size() > *spares_.servers) until = back_.top(), back_.pop();
    return until - now;
  }

 private:
  const Spares& spares_;
  Rng rng_;
  std::vector<double> crews_;  // when each is free; a heap with the first on top
  std::priority_queue<double, std::vector<double>, std::greater<>> back_;
};

/// The clock of one run and all that goes on in it.
class Weeks {
 public:
  Weeks(const TrainingJob& job, std::uint64_t seed, std::uint64_t number, std::vector<Interruption>* record)
      : job_(job),
        trainer_(job),
        workshop_(job.spares, seed, number),
        failures_(seed, "failure", number),
        slow_(seed, "straggler", number),
        record_(record) {
    for (const Cause& cause : job.causes) cumulative_.push_back(rate_ += cause.rate);
    run_.causes.resize(job.causes.size() + 1);
    next_failure_ = drawn_gap(failures_, rate_);
    next_straggler_ = drawn_gap(slow_, job.stragglers.rate);
  }

  DrawnRun play() {
    while (now_ < job_.horizon) {
      const double found = found_.empty() ? kForever : found_.front();
      const double next = std::min({next_failure_, next_straggler_, found, job_.horizon});
      now_ += trainer_.train(next - now_, found_.empty() ? 1 : 1 / (1 + job_.stragglers.slowdown), run_.time);
      if (trainer_.finished()) break;
      now_ = next;
      if (now_ >= job_.horizon) break;
      if (next == next_straggler_)
        add_straggler();
      else if (next == found)
        interrupt(static_cast<std::uint32_t>(job_.causes.size()));
      else
        interrupt(next_cause());
    }
    run_.finished = trainer_.finished();
    return std::move(run_);
  }

 private:
  void add_straggler() {
    found_.push_back(next_straggler_ + job_.stragglers.detection);
    next_straggler_ += drawn_gap(slow_, job_.stragglers.rate);
  }

  /// Of the failure that comes next, which is then the one after it.
  std::uint32_t next_cause() {
    const double at = failures_.unit() * rate_;
    const auto cause = std::upper_bound(cumulative_.begin(), cumulative_.end() - 1, at) - cumulative_.begin();
    next_failure_ += drawn_gap(failures_, rate_);
    run_.causes[static_cast<std::size_t>(cause)].failures++;
    return static_cast<std::uint32_t>(cause);
  }

  [[nodiscard]] std::uint32_t nodes_of(std::uint32_t cause) const {
    return cause < job_.causes.size() ? job_.causes[cause].nodes : 1;
  }

  /// Lets `span` pass in which the job stands. What fails meanwhile is found along.
  void stand(double span) {
    now_ += span;
    while (next_failure_ < now_) workshop_.take(nodes_of(next_cause()), now_);
  }

  /// While servers are waited for nothing is in use, and nothing fails.
  void stand_idle(double span) {
    now_ += span;
    next_failure_ += span;
    next_straggler_ += span;
  }

  /// Stragglers that were found by now are exchanged in the same restart.
  void exchange_stragglers() {
    while (next_straggler_ <= now_) add_straggler();
    for (; !found_.empty() && found_.front() <= now_; found_.pop_front()) workshop_.take(1, now_);
  }

  void interrupt(std::uint32_t cause) {
    Interruption one{.at = now_, .cause = cause};
    const bool told = cause == job_.causes.size() || job_.causes[cause].planned;
    if (told)
      stand(trainer_.save(run_.time));
    else
      one.lost = trainer_.fail(run_.time);
    const double detection = cause < job_.causes.size() ? job_.causes[cause].detection : 0;
    if (cause < job_.causes.size()) workshop_.take(nodes_of(cause), now_ + detection);
    stand(detection);
    one.detection = detection;
    restore(one);
    end_at_horizon(one);
    account(one);
  }

  /// Begins anew if something fails before training goes on.
  void restore(Interruption& one) {
    const double length = job_.restart + job_.load;
    while (true) {
      exchange_stragglers();
      const double waiting = workshop_.wait(now_);
      stand_idle(waiting);
      one.waiting += waiting;
      if (next_failure_ >= now_ + length) break;
      one.restart += next_failure_ - now_;
      now_ = next_failure_;
      const std::uint32_t again = next_cause();
      const double detection = job_.causes[again].detection;
      workshop_.take(nodes_of(again), now_ + detection);
      stand(detection);
      one.detection += detection;
    }
    now_ += length;
    one.restart += length;
    exchange_stragglers();
  }

  /// What lies beyond the time there is does not count.
  void end_at_horizon(Interruption& one) const {
    double beyond = std::max(0.0, now_ - job_.horizon);
    for (double* part : {&one.restart, &one.waiting, &one.detection}) {
      const double cut = std::min(beyond, *part);
      *part -= cut;
      beyond -= cut;
    }
  }

  void account(const Interruption& one) {
    CauseTotals& totals = run_.causes[one.cause];
    totals.interruptions++;
    totals.lost += one.lost;
    totals.detection += one.detection;
    totals.waiting += one.waiting;
    totals.restart += one.restart;
    run_.time.detection += one.detection;
    run_.time.waiting += one.waiting;
    run_.time.restart += one.restart;
    run_.interruptions++;
    if (record_) record_->push_back(one);
  }

  const TrainingJob& job_;
  Trainer trainer_;
  Workshop workshop_;
  Rng failures_, slow_;
  std::vector<Interruption>* record_;
  std::vector<double> cumulative_;  // rates of the causes, summed up
  double rate_ = 0, now_ = 0, next_failure_ = 0, next_straggler_ = 0;
  std::deque<double> found_;  // when each straggler there is will be found
  DrawnRun run_;
};

}  // namespace

TimeParts& TimeParts::operator+=(const TimeParts& other) {
  training += other.training, checkpoint += other.checkpoint, lost += other.lost, slow += other.slow;
  detection += other.detection, waiting += other.waiting, restart += other.restart;
  return *this;
}

DrawnRun draw_run(const TrainingJob& job, std::uint64_t seed, std::uint64_t number, std::vector<Interruption>* record) {
  RY_CHECK(job.interval > 0 && job.work > 0, "a job has something to train, and checkpoints");
  return Weeks(job, seed, number, record).play();
}

}  // namespace railyard
