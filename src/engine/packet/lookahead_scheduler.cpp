#include "engine/packet/lookahead_scheduler.h"

#include <algorithm>
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

/// The threads and their work. The caller's is the first.
class WorkerPool final : public WindowRunner {
 public:
  WorkerPool(Network& network, Time span, unsigned threads, TapFeed* tap, TeamPost* team, LookaheadScheduler& owner)
      : owner_(owner), shared_(network, owner.sampler, tap, span, threads), tap_(tap), team_(team), threads_(threads) {
    for (unsigned i = 0; i < threads; i++) workers_.push_back(std::make_unique<Worker>(shared_, i));
    if (shared_.processes > 1) {
      network.keep_rows_elsewhere();
      border_.emplace(shared_, *team);
    }
    for (unsigned i = 1; i < threads; i++) helpers_.emplace_back([this, i] { help(i); });
  }
  ~WorkerPool() override {
    stop_ = true;
    round_.fetch_add(1, std::memory_order_release);
    round_.notify_all();
    for (std::thread& helper : helpers_) helper.join();
  }

  void offer(std::uint32_t flow) override {
    Worker& first = *workers_.front();
    first.offer(flow, first.end);
    is_stale_ = true;
  }

  void move(std::uint32_t flow, std::uint32_t port, Time now) override { workers_.front()->move(flow, port, now); }
  void pause(std::uint32_t port, std::uint8_t name, bool xoff, Time at) override {
    workers_.front()->note_frame(port, name, xoff, at);
    workers_.front()->hand({at, port, 0, name, xoff});
  }
  void lose_frames(std::uint32_t port) override { workers_.front()->lose_frames(port); }
  void change_host(std::uint32_t node, std::int64_t rate, bool stuck, Time now) override {
    workers_.front()->change_host(node, rate, stuck, now);
  }

  void run(Time until, bool stop_at_delivery, Time change) override {
    until_ = std::min({until, kLongestPacketRun.count(), change});
    change_ = change;
    stop_at_delivery_ = stop_at_delivery;
    first_ = next();
    if (first_ >= until_ || watch_.is_livelocked) return;
    if (threads_ > 1) {
      round_.fetch_add(1, std::memory_order_release);
      round_.notify_all();
    }
    work(0);
    gather();
  }

  void bring_rows() override {
    if (border_) bring_to_first(shared_.network, owner_, *team_);
  }
  [[nodiscard]] bool is_livelocked() const override { return watch_.is_livelocked; }
  [[nodiscard]] Time edge() override { return workers_.front()->end; }
  [[nodiscard]] Time next() override {
    if (!border_) return std::max(own_next(), edge());  // what hosts were sent in the interval may have been due in it
    if (std::exchange(is_stale_, false)) border_->agree(own_next());
    return std::max(border_->next(), edge());
  }

 private:
  [[nodiscard]] Time own_next() const {
    Time first = kNever;
    for (const auto& worker : workers_) first = std::min(first, worker->next);
    return first;
  }

  void help(unsigned id) {
    for (std::uint32_t seen = 0;;) {
      round_.wait(seen, std::memory_order_acquire);
      seen = round_.load(std::memory_order_acquire);
      if (stop_) return;
      work(id);
    }
  }

  /// Intervals, one after the other; all threads see the same. Before a barrier every thread writes what is its own, or reads.
  void work(unsigned id) {
    Worker& me = *workers_[id];
    const Time until = until_, change = change_;  // once the last barrier is passed the caller may set others
    for (Time begin = first_; begin < until && !watch_.is_livelocked;) {
      me.open(begin, change);
      if (id == 0) owner_.windows++;
      me.run_switches(workers_);
      shared_.barrier.wait();
      if (border_ && border_->hosts_cross()) {
        if (id == 0) border_->pass_switches(workers_);
        shared_.barrier.wait();
      }
      if (any([](const Worker& worker) { return !worker.told(0).empty(); })) {
        me.collect(workers_, 0);
        shared_.barrier.wait();
      }
      me.run_hosts(workers_);
      shared_.barrier.wait();
      me.collect(workers_, 1);
      if (border_) {
        shared_.barrier.wait();
        if (id == 0) border_->pass_hosts(workers_, own_next());
        shared_.barrier.wait();
      }
      if (id == 0 && me.end >= owner_.sampler.due()) owner_.sampler.take(me.end);
      if (id == 0 && owner_.windows % ProgressWatch::kWindows == 0) look();
      if (id == 0 && tap_ != nullptr) tell_tap(me.end);
      begin = stop_at_delivery_ && has_deliveries() ? kNever : next();
      shared_.barrier.wait();
    }
  }

  [[nodiscard]] bool has_deliveries() const {
    return any([](const Worker& worker) { return !worker.deliveries.empty(); }) || (border_ && !border_->delivered.empty());
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

  template<class Test>
  [[nodiscard]] bool any(const Test& test) const {
    return std::any_of(workers_.begin(), workers_.end(), [&](const auto& worker) { return test(*worker); });
  }

  /// Nobody notes anything between barriers.
  void tell_tap(Time end) {
    for (const auto& worker : workers_) tap_->take(worker->sightings);
    tap_->tell(end);
  }

  void gather() {
    const auto take = [](auto& from, auto& to) {
      to.insert(to.end(), from.begin(), from.end());
      from.clear();
    };
    if (border_) {
      take(border_->delivered, owner_.delivered);
      take(border_->acknowledged, owner_.acknowledged);
      border_->forget_told();
    }
    for (const auto& worker : workers_) {
      take(worker->deliveries, owner_.delivered);
      take(worker->acknowledgements, owner_.acknowledged);
      take(worker->timeouts, owner_.timeouts);
      take(worker->pauses, owner_.pauses);
    }
    std::sort(owner_.delivered.begin(), owner_.delivered.end());
    std::sort(owner_.acknowledged.begin(), owner_.acknowledged.end());
    std::sort(owner_.timeouts.begin(), owner_.timeouts.end());
  }

  LookaheadScheduler& owner_;
  SharedState shared_;
  TapFeed* const tap_;
  TeamPost* const team_;
  const unsigned threads_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::optional<Border> border_;  // where several processes play
  bool is_stale_ = true;          // when all of them have something to do is to be asked for
  std::vector<std::thread> helpers_;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<bool> stop_{false};
  Time until_ = 0, first_ = kNever, change_ = kNever;  // of a run
  bool stop_at_delivery_ = true;
  ProgressWatch watch_;  // written by the first thread alone, between barriers
};

}  // namespace

LookaheadScheduler::LookaheadScheduler(Network& network, Time span, unsigned threads, TapFeed* tap, TeamPost* team)
    : sampler(network), runner_(std::make_unique<WorkerPool>(network, span, std::max(1U, threads), tap, team, *this)) {}
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
