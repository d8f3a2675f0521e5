#include "engine/packet/lookahead_scheduler.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "engine/packet/border.h"
#include "engine/packet/device/device_runner.h"
#include "engine/packet/progress_watch.h"
#include "engine/packet/team_rows.h"
#include "engine/packet/window_runner.h"
#include "engine/packet/worker.h"

namespace railyard::packet {

namespace {

/// Threads that play windows together, and where they meet.
struct Crew {
  Crew(SharedState& shared, unsigned threads) : barrier(threads) {
    for (unsigned i = 0; i < threads; i++) workers.push_back(std::make_unique<Worker>(shared, i, threads));
  }

  template<class Test>
  [[nodiscard]] bool any(const Test& test) const {
    return std::any_of(workers.begin(), workers.end(), [&](const auto& worker) { return test(*worker); });
  }
  [[nodiscard]] Time next() const {
    Time first = kNever;
    for (const auto& worker : workers) first = std::min(first, worker->next);
    return first;
  }
  [[nodiscard]] std::uint64_t visits() const {
    std::uint64_t sum = 0;
    for (const auto& worker : workers) sum += worker->visits;
    return sum;
  }

  std::vector<std::unique_ptr<Worker>> workers;  // the first is the caller's
  Barrier barrier;
  bool goes_on = false;  // written by the first before the last barrier of a window, read by all after it
};

/// All threads, or the caller's alone: what is faster (thread_choice.h).
class WorkerPool final : public WindowRunner {
 public:
  WorkerPool(Network& network, Time span, unsigned threads, ThreadUse use, TapFeed* tap, TeamPost* team,
             LookaheadScheduler& owner)
      : owner_(owner),
        shared_(network, owner.sampler, tap, span, threads),
        tap_(tap),
        team_(team),
        choice_(threads, shared_.processes > 1 ? ThreadUse::always : use),  // Border counts what one crew has told
        alone_(shared_, 1) {
    if (threads > 1) all_.emplace(shared_, threads);
    crew_ = all_ ? &*all_ : &alone_;
    if (shared_.processes > 1) {
      network.keep_rows_elsewhere();
      border_.emplace(shared_, *team);
    }
    for (unsigned i = 1; i < threads; i++) helpers_.emplace_back([this, i] { help(i); });
  }
  ~WorkerPool() override {
    stop_ = true;
    wake_helpers();
    for (std::thread& helper : helpers_) helper.join();
  }

  void offer(std::uint32_t flow) override {
    first().offer(flow, first().end);
    is_stale_ = true;
  }
  void move(std::uint32_t flow, std::uint32_t port, Time now) override { first().move(flow, port, now); }
  void pause(std::uint32_t port, std::uint8_t name, bool xoff, Time at) override {
    first().note_frame(port, name, xoff, at);
    first().hand({at, port, 0, name, xoff});
  }
  void lose_frames(std::uint32_t port) override { shared_.lose_frames(port); }
  void change_host(std::uint32_t node, std::int64_t rate, bool stuck, Time now) override {
    first().change_host(node, rate, stuck, now);
  }

  void run(Time until, bool stop_at_delivery, Time change) override {
    until_ = std::min({until, kLongestPacketRun.count(), change});
    change_ = change;
    stop_at_delivery_ = stop_at_delivery;
    begin_ = next();
    if (choice_.is_timed()) noted_ = Clock::now();
    while (begin_ < until_ && !watch_.is_livelocked) {
      choose_crew();
      if (crew_ != &alone_) wake_helpers();
      begin_ = work(*crew_, 0);
    }
    gather();
  }

  void bring_rows() override {
    if (border_) bring_to_first(shared_.network, owner_, *team_);
  }
  [[nodiscard]] bool is_livelocked() const override { return watch_.is_livelocked; }
  [[nodiscard]] Time edge() override { return first().end; }
  [[nodiscard]] Time next() override {
    if (border_ && std::exchange(is_stale_, false)) border_->agree(crew_->next());
    return next_of(*crew_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] Worker& first() const { return *crew_->workers.front(); }

  /// What hosts were sent in the interval may have been due in it.
  [[nodiscard]] Time next_of(const Crew& crew) const {
    return std::max(border_ ? border_->next() : crew.next(), crew.workers.front()->end);
  }

  void help(unsigned id) {
    for (std::uint32_t seen = 0;;) {
      round_.wait(seen, std::memory_order_acquire);
      seen = round_.load(std::memory_order_acquire);
      if (stop_) return;
      work(*all_, id);
    }
  }
  void wake_helpers() {
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
  }

  /// Helpers sleep, or are on their way to: they look at nothing any more but Crew::goes_on.
  void choose_crew() {
    Crew* const other = choice_.is_together() ? &*all_ : &alone_;
    if (other == crew_) return;
    const Worker& last = first();
    for (const auto& worker : other->workers) worker->take_over_from(last);
    if (tap_ != nullptr)
      for (const auto& worker : crew_->workers) tap_->take(worker->sightings);  // of what changed between runs
    other->workers.front()->next = crew_->next();
    crew_ = other;
  }

  /// Intervals, one after the other; all threads of a crew see the same. Before a barrier every thread writes what is its own,
  /// or reads. Returns where the next begins.
  Time work(Crew& crew, unsigned id) {
    Worker& me = *crew.workers[id];
    const Time until = until_, change = change_;  // once the last barrier is passed the caller may set others
    for (Time begin = begin_;;) {
      me.open(begin, change);
      if (id == 0) owner_.windows++;
      me.run_switches(crew.workers);
      crew.barrier.wait();
      if (border_ && border_->hosts_cross()) {
        if (id == 0) border_->pass_switches(crew.workers);
        crew.barrier.wait();
      }
      if (crew.any([](const Worker& worker) { return !worker.told(0).empty(); })) {
        me.collect(crew.workers, 0);
        crew.barrier.wait();
      }
      me.run_hosts(crew.workers);
      crew.barrier.wait();
      me.collect(crew.workers, 1);
      if (border_) {
        crew.barrier.wait();
        if (id == 0) border_->pass_hosts(crew.workers, crew.next());
        crew.barrier.wait();
      }
      if (id == 0) look_up(crew, me.end);
      begin = stop_at_delivery_ && has_deliveries(crew) ? kNever : next_of(crew);
      if (id == 0) crew.goes_on = begin < until && !watch_.is_livelocked && choice_.is_together() == (&crew != &alone_);
      crew.barrier.wait();
      if (!crew.goes_on) return begin;
    }
  }

  [[nodiscard]] bool has_deliveries(const Crew& crew) const {
    return crew.any([](const Worker& worker) { return !worker.deliveries.empty(); }) ||
           (border_ && !border_->delivered.empty());
  }

  /// What the first thread does at the end of a window. Nobody notes anything then.
  void look_up(const Crew& crew, Time end) {
    if (end >= owner_.sampler.due()) owner_.sampler.take(end);
    if (owner_.windows % ProgressWatch::kWindows == 0) look();
    if (tap_ != nullptr) tell_tap(crew, end);
    const Clock::time_point now = choice_.is_timed() ? Clock::now() : noted_;
    const std::uint64_t visits = crew.visits();
    std::uint64_t& seen = visits_[&crew != &alone_];
    choice_.note(visits - seen, now - noted_);
    seen = visits;
    noted_ = now;
  }

  /// Everything before this window is done, and nobody writes.
  void look() {
    const Net& net = shared_.network.net;
    std::uint64_t hops = 0, arrived = 0;
    for (std::uint32_t node = 0; node < shared_.network.nodes(); node++)
      if (!shared_.is_elsewhere(node)) hops += net.switches[node].hops + net.hosts[node].hops;
    if (!border_ && !watch_.is_due(hops)) return;
    for (std::uint32_t flow = 0; flow < shared_.network.flow_count(); flow++)
      if (!shared_.is_elsewhere(net.ends[flow].to))
        arrived += std::uint64_t{net.receivers[flow].expected} + net.receivers[flow].early;
    if (border_) border_->sum(hops, arrived);
    if (watch_.is_due(hops)) watch_.look(hops, arrived);
  }

  void tell_tap(const Crew& crew, Time end) {
    for (const auto& worker : crew.workers) tap_->take(worker->sightings);
    tap_->tell(end);
  }

  template<class Rows>
  static void take(Rows& from, Rows& to) {
    to.insert(to.end(), from.begin(), from.end());
    from.clear();
  }

  void gather() {
    if (border_) {
      take(border_->delivered, owner_.delivered);
      take(border_->acknowledged, owner_.acknowledged);
      border_->forget_told();
    }
    gather(alone_);
    if (all_) gather(*all_);
    std::sort(owner_.delivered.begin(), owner_.delivered.end());
    std::sort(owner_.acknowledged.begin(), owner_.acknowledged.end());
    std::sort(owner_.timeouts.begin(), owner_.timeouts.end());
  }
  void gather(Crew& crew) {
    for (const auto& worker : crew.workers) {
      take(worker->deliveries, owner_.delivered);
      take(worker->acknowledgements, owner_.acknowledged);
      take(worker->timeouts, owner_.timeouts);
      take(worker->pauses, owner_.pauses);
    }
  }

  LookaheadScheduler& owner_;
  SharedState shared_;
  TapFeed* const tap_;
  TeamPost* const team_;
  ThreadChoice choice_;
  Crew alone_;
  std::optional<Crew> all_;       // where there are several threads
  Crew* crew_;                    // who plays, or played last
  std::optional<Border> border_;  // where several processes play
  bool is_stale_ = true;          // when all of them have something to do is to be asked for
  std::vector<std::thread> helpers_;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<bool> stop_{false};
  Time until_ = 0, begin_ = kNever, change_ = kNever;  // of a run
  bool stop_at_delivery_ = true;
  ProgressWatch watch_;  // written by the first thread alone, between barriers
  Clock::time_point noted_;
  std::uint64_t visits_[2] = {};  // that were noted: alone, together
};

}  // namespace

LookaheadScheduler::LookaheadScheduler(Network& network, Time span, unsigned threads, TapFeed* tap, TeamPost* team,
                                       ThreadUse use)
    : sampler(network), runner_(std::make_unique<WorkerPool>(network, span, std::max(1U, threads), use, tap, team, *this)) {}
LookaheadScheduler::LookaheadScheduler(Network& network, Time span, device::Backend& backend)
    : sampler(network), runner_(device::make_runner(network, span, backend, *this)) {}
LookaheadScheduler::~LookaheadScheduler() = default;
void LookaheadScheduler::offer(std::uint32_t flow) { runner_->offer(flow); }
void LookaheadScheduler::run(Time until, bool stop_at_delivery, Time change) { runner_->run(until, stop_at_delivery, change); }
void LookaheadScheduler::move(std::uint32_t flow, std::uint32_t port, Time now) { runner_->move(flow, port, now); }
void LookaheadScheduler::pause(std::uint32_t port, std::uint8_t name, bool xoff, Time at) {
  runner_->pause(port, name, xoff, at);
}
void LookaheadScheduler::lose_frames(std::uint32_t port) { runner_->lose_frames(port); }
void LookaheadScheduler::change_host(std::uint32_t node, std::int64_t rate, bool stuck, Time now) {
  runner_->change_host(node, rate, stuck, now);
}
void LookaheadScheduler::bring_rows() { runner_->bring_rows(); }
bool LookaheadScheduler::is_livelocked() const { return runner_->is_livelocked(); }
Time LookaheadScheduler::edge() const { return runner_->edge(); }
Time LookaheadScheduler::next() const { return runner_->next(); }

}  // namespace railyard::packet
