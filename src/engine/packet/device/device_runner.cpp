#include "engine/packet/device/device_runner.h"

#include <algorithm>
#include <vector>

#include "engine/packet/device/device_rows.h"
#include "engine/packet/device/out.h"
#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/nic_runs.h"
#include "engine/packet/progress_watch.h"
#include "engine/packet/switch_model.h"

namespace railyard::packet::device {

namespace {

constexpr std::uint32_t kMostWindows = 1 << 14;  // in a launch, so that the processor can be asked to stop

class DeviceRunner final : public WindowRunner {
 public:
  DeviceRunner(Network& network, Time span, Backend& backend, LookaheadScheduler& owner)
      : network_(network), span_(span), backend_(backend), owner_(owner) {
    network.keep_rows_elsewhere();
  }

  void offer(std::uint32_t flow) override {
    const Net& net = network_.net;
    const std::uint32_t row = net.senders[flow].newest;
    pending_.push_back({flow, row, net.messages[row]});
    pending_.back().message.next = kNone;
    most_row_ = std::max<std::size_t>(most_row_, row + std::size_t{1});
  }

  void run(Time until, bool stop_at_delivery, Time change) override {
    const Time last = std::min({until, kLongestPacketRun.count(), change});
    for (Time first = next(); first < last && !watch_.is_livelocked; first = next()) {
      control_.until = last;
      control_.change = change;
      control_.first = first;
      const Time due = seen_at_ == kNever ? owner_.sampler.due() : owner_.sampler.due_after(seen_at_);
      control_.sample = due;
      control_.stop_at_delivery = stop_at_delivery;
      control_.most_windows = kMostWindows;
      std::fill(std::begin(control_.next), std::end(control_.next), kNever);
      std::fill(std::begin(control_.stops), std::end(control_.stops), 0U);
      std::fill(std::begin(control_.turns), std::end(control_.turns), 0U);
      launch(Program::windows, [&] { tell_sampler(); });
      owner_.windows = control_.windows;
      take_events();
      if (control_.edge >= due) sample();
      if (control_.windows % ProgressWatch::kWindows == 0) look();
      if (rows_->refill()) backend_.load(rows_->state);
      if (control_.stop == Stop::delivered) break;
    }
    tell_sampler();
    std::sort(owner_.delivered.begin(), owner_.delivered.end());
    std::sort(owner_.acknowledged.begin(), owner_.acknowledged.end());
  }

  void move(std::uint32_t, std::uint32_t, Time) override { refuse(); }
  void pause(std::uint32_t, std::uint8_t, bool, Time) override { refuse(); }
  void change_host(std::uint32_t, std::int64_t, bool, Time) override { refuse(); }
  void lose_frames(std::uint32_t) override { refuse(); }

  void bring_rows() override {
    if (!rows_) return;
    rows_->bring_all();
    look_at_ports();
  }
  [[nodiscard]] Time edge() override { return control_.edge; }
  [[nodiscard]] Time next() override {
    if (!pending_.empty()) hand_over();
    return std::max(control_.known, control_.edge);
  }
  [[nodiscard]] bool is_livelocked() const override { return watch_.is_livelocked; }

 private:
  static void refuse() { RY_CHECK(false, "nothing fails where a GPU simulates"); }

  /// The GPU has rows for everything there is.
  void make_rows() {
    bool changed = !rows_.has_value();
    if (!rows_) {
      rows_.emplace(network_, span_, backend_);
      State& state = rows_->state;
      const Parameters& p = network_.net.p;
      state.usual = SwitchModel<Out>::is_usual(p);
      state.has_runs = NicRuns<Out>::is_usual(p);
    }
    changed = rows_->update(most_row_) || changed;
    if (changed) backend_.load(rows_->state);
  }

  /// Hosts hear of messages, each of its own in the order they were posted.
  void hand_over() {
    make_rows();
    const auto host_of = [&](const Offer& one) { return network_.net.ends[one.flow].from; };
    std::stable_sort(pending_.begin(), pending_.end(), [&](const Offer& a, const Offer& b) { return host_of(a) < host_of(b); });
    std::vector<std::uint32_t> first;
    for (std::uint32_t i = 0; i < pending_.size(); i++)
      if (i == 0 || host_of(pending_[i]) != host_of(pending_[i - 1])) first.push_back(i);
    control_.offer_hosts = static_cast<std::uint32_t>(first.size());
    first.push_back(static_cast<std::uint32_t>(pending_.size()));
    if (rows_->set_offers(pending_, first)) backend_.load(rows_->state);
    pending_.clear();
    launch(Program::offer);
  }

  /// `beside` is done while the GPU works.
  template<class Do>
  void launch(Program program, const Do& beside) {
    rows_->control.write(0, {&control_, 1});
    backend_.start(program);
    beside();
    backend_.finish();
    rows_->control.read({&control_, 1});
  }
  void launch(Program program) {
    launch(program, [] {});
  }

  void take_events() {
    const auto take = [](const auto& from, std::uint32_t& count, auto& to) {
      const std::size_t before = to.size();
      to.resize(before + count);
      from.read(std::span(to).subspan(before));
      count = 0;
    };
    take(rows_->delivered, control_.delivered, owner_.delivered);
    take(rows_->acknowledged, control_.acknowledged, owner_.acknowledged);
    take(rows_->pauses, control_.pauses, owner_.pauses);
  }

  void sample() {
    looks_.resize(rows_->state.port_count);
    rates_.resize(rows_->state.flow_count);
    launch(Program::sample);
    rows_->looks.read(looks_);
    rows_->rates.read(rates_);
    seen_at_ = control_.edge;
  }
  /// Of the last sample, unless it knows.
  void tell_sampler() {
    if (seen_at_ == kNever) return;
    owner_.sampler.take(seen_at_, looks_, rates_);
    seen_at_ = kNever;
  }
  /// Which ports have done anything only the GPU knows: all are looked at.
  void look_at_ports() {
    for (std::uint32_t port = 0; port < network_.port_count(); port++) owner_.sampler.look_at(port);
  }

  void look() {
    control_.hops = control_.arrived = 0;
    launch(Program::look);
    if (watch_.is_due(control_.hops)) watch_.look(control_.hops, control_.arrived);
  }

  Network& network_;
  const Time span_;
  Backend& backend_;
  LookaheadScheduler& owner_;
  std::optional<DeviceRows> rows_;
  Control control_;
  std::vector<Offer> pending_;   // messages that the GPU does not know of
  std::size_t most_row_ = 1;     // rows of messages
  std::vector<PortLook> looks_;  // of a sample
  std::vector<std::int64_t> rates_;
  Time seen_at_ = kNever;  // when it was taken, as long as the sampler does not know of it
  ProgressWatch watch_;
};

}  // namespace

bool can_play(const Parameters& p) {
  return !p.has_windows() && !p.receiver_credits && !p.mixed && p.credit_step == 0 && !p.reduces && !p.fails && !p.scheduled;
}

std::unique_ptr<WindowRunner> make_runner(Network& network, Time span, Backend& backend, LookaheadScheduler& owner) {
  return std::make_unique<DeviceRunner>(network, span, backend, owner);
}

}  // namespace railyard::packet::device
