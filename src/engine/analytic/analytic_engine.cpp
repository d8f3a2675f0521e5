// The analytic engine: closed forms instead of a simulation of queues.
//
// Model (docs/models.md, analytic engine). Messages that start together on an idle network take a closed form (BatchTimes).
// If others start before all of them are through, messages share the links they meet fairly from then on (FairShares;
// EqualShares where one link alone decides), until the network is idle again. A connection sends its messages one after the
// other. To that comes the latency of the path: cables, switches, hosts, and one packet time per switch that stores before it
// forwards.
#include <algorithm>
#include <cmath>

#include "base/large_array.h"
#include "engine/analytic/analytic_counters.h"
#include "engine/analytic/analytic_lines.h"
#include "engine/analytic/analytic_paths.h"
#include "engine/analytic/equal_shares.h"
#include "engine/analytic/fair_shares.h"
#include "engine/analytic/sole_spans.h"
#include "engine/analytic/together_times.h"
#include "engine/delivery_queue.h"
#include "engine/engine.h"
#include "engine/rates/end_queue.h"
#include "engine/rates/merged_changes.h"
#include "engine/start_queue.h"

namespace railyard {

namespace {

class AnalyticEngine final : public Engine, private AnalyticLines {
 public:
  AnalyticEngine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, Telemetry& telemetry,
                 std::optional<std::uint64_t> merge_after)
      : AnalyticLines(fabric, wire, routing),
        telemetry_(telemetry),
        counters_(paths_, telemetry),
        shares_(paths_),
        equal_shares_(paths_),
        times_(paths_, shares_),
        spans_(*this, counters_, equal_shares_, deliveries_),
        merging_(merge_after) {
    if (paths_.links_are_ports()) telemetry_.count_ports(fabric.port_from.size());
  }

  QpId open(const QueuePair& qp) override {
    leave_spans();
    return add(qp);
  }
  QpId open(const Bundle& bundle) override {
    leave_spans();
    return add(bundle);
  }
  QpId open(TrunkId hop) override {
    leave_spans();
    return add(hop);
  }

  void post(std::span<const Message> messages, Picoseconds at) override {
    RY_CHECK(at >= now_ && at >= last_post_, "messages are posted in the order of time");
    last_post_ = at;
    for (const Message& message : messages) starts_.push_back({at, message});
  }

  Picoseconds advance(Picoseconds until, std::vector<Completion>& done) override {
    for (;;) {
      const Picoseconds delivery = std::min(deliveries_.next(), spans_.deliveries().next());
      const Picoseconds change_at = spans_.is_open() ? spans_.until() : next_change();
      const Picoseconds next = std::min(change_at, delivery);
      known_starts_ = starts_.size();
      if (next > until || next == kNever) return now_ = std::max(now_, until);
      now_ = next;
      if (change_at > next) return deliver(done);
      if (spans_.is_open())
        next_span(until);
      else if (!begin_spans())
        change();
    }
  }

  void set_rate(PortId port, BitsPerSecond rate, Picoseconds at) override {
    RY_CHECK(at >= last_post_ && at == now_, "rates change between two posts");
    leave_spans();
    if (together_) separate();
    times_.forget();
    share_one_by_one();
    counters_.tell_at_these_rates();
    shares_.link_changed(paths_.set_rate(port, rate));
    if (on_wire_ > 0) find_rates();
  }

  [[nodiscard]] Picoseconds now() const override { return now_; }

  void rewind(Sharing sharing) override {
    RY_CHECK(sharing == Sharing::fair, "closed forms are for messages that share");
    leave_spans();
    forget_messages();
    sendings_.clear(), starts_.clear(), deliveries_.clear();
    forget_wire();
    times_.forget();
    shares_.clear();
    equal_shares_.clear();
    merging_.count(0);
    on_wire_ = 0;
    counters_.tell_at_these_rates();
    paths_.reset_rates();
    now_ = last_post_ = {};
  }

  void finish() override {
    leave_spans();
    counters_.tell();
  }

 private:
  static constexpr std::uint64_t kChangesUntilSpans = 64;

  // Spans.

  /// Whether all that is under way shares links group by group.
  [[nodiscard]] bool suits_spans() const {
    return !together_ && on_wire_ > 0 && ends_.empty() && rates_at_ == kNever && equal_shares_.takes_all() && plain_ &&
           paths_.qps_per_message() == 1 && connections_.size() == paths_.size() && lines_.size() == paths_.size();
  }
  bool begin_spans() {
    if (changes_until_spans_ > 0) changes_until_spans_--;
    if (changes_until_spans_ > 0 || !suits_spans()) return false;
    const bool begun = spans_.begin(now_, [&](std::uint32_t sending) {
      sendings_.give(sending);
      return sendings_[sending].flight;
    });
    if (!begun) changes_until_spans_ = kChangesUntilSpans + equal_shares_.groups();
    return begun;
  }
  void next_span(Picoseconds until) {
    on_wire_ += static_cast<std::size_t>(spans_.close(starts_));
    const Picoseconds start = starts_.empty() ? kNever : starts_.front().at;
    const Picoseconds from = std::min({start, deliveries_.next(), spans_.next()});
    if (from == kNever || !spans_.open(std::min(from, until))) end_spans();
  }
  /// All that changes until now has happened, and is followed from one change to the next.
  void leave_spans() {
    if (!spans_.is_open()) return;
    on_wire_ += static_cast<std::size_t>(spans_.cut(starts_, known_starts_, now_));
    end_spans();
  }
  void end_spans() {
    changes_until_spans_ = kChangesUntilSpans + equal_shares_.groups();
    spans_.end([&](Picoseconds at, std::uint32_t flight) { deliveries_.add(at, flight); },
               [&](std::uint32_t flight) {
                 const std::uint32_t sending = sendings_.take();
                 sendings_[sending] = {.flight = flight, .path = connection_of(flight).first_path};
                 flights_[flight].sendings_left = 1;
                 return sending;
               });
  }

  // Events.

  [[nodiscard]] Picoseconds next_change() {
    const Picoseconds start = starts_.empty() ? kNever : starts_.front().at;
    if (together_) return std::min(start, together_ends_.back().at);
    return std::min({start, ends_.next(), equal_shares_.next(), rates_at_});
  }

  /// Everything that happens now, but for deliveries.
  void change() {
    batch_.clear();
    while (together_ && together_ends_.back().at == now_) {
      const std::uint32_t sending = together_ends_.back().sending;
      together_ends_.pop_back();
      together_ = !together_ends_.empty();
      end(sending);
    }
    if (!together_) take_ended();
    while (!starts_.empty() && starts_.front().at == now_) {
      const std::uint32_t flight = take(starts_.front());
      if (queue(flight)) split(flight);
      starts_.pop_front();
    }
    put_on_wire();
  }

  /// What is followed and through now, in no order that means anything.
  void take_ended() {
    ending_.clear();
    if (ends_.next() == now_) ends_.take_all(ending_);
    for (const std::uint32_t sending : ending_) {
      shares_.leave(sendings_[sending].path);
      find_rates_at(now_ + hold_of(sending));
    }
    if (equal_shares_.next() == now_) equal_shares_.take_ended(now_, ending_);
    for (const std::uint32_t sending : ending_) end(sending);
  }

  /// A message over the paths of its connection: shares of a bundle, else the one whose turn it is.
  void split(std::uint32_t flight) {
    const AnalyticConnection& connection = connection_of(flight);
    if (connection.bundle)
      for (std::uint32_t path = connection.first_path; path < connection.first_path + connection.paths; path++)
        send(flight, path);
    else
      send(flight, connection.first_path + line_of(flight) - connection.first_line);
  }

  void send(std::uint32_t flight, std::uint32_t path) {
    const std::uint32_t sending = sendings_.take();
    sendings_[sending] = {.flight = flight, .path = path};
    counters_.count(path, wire_size_of(sendings_[sending]));
    flights_[flight].sendings_left++;
    batch_.push_back(sending);
  }

  /// The batch of this instant sets out; the rates of what is there follow.
  void put_on_wire() {
    const bool alone = on_wire_ == 0;
    on_wire_ += batch_.size();
    if (on_wire_ == 0) return forget_wire();
    if (alone && send_together()) return;
    if (together_ && batch_.empty()) return;
    if (together_) separate();
    for (const std::uint32_t sending : batch_) enter(sending, volume_of(wire_size_of(sendings_[sending])));
    equal_shares_.settle(now_);
    if (rates_at_ <= now_ || ends_.next() > rates_at_) find_rates();  // else others end soon
  }

  /// Rates hold until `at`, or until they were to be found already.
  void find_rates_at(Picoseconds at) {
    if (rates_at_ == kNever) stale_since_ = now_;
    rates_at_ = std::min(rates_at_, at);
  }

  /// How long something that is through may hold its share of links, where every change would be too much to follow.
  [[nodiscard]] Picoseconds hold_of(std::uint32_t sending) {
    if (!merging_.begun()) return {};
    return merging_.hold(volume_of(wire_size_of(sendings_[sending])), progress_[sending].rate);
  }

  /// False where what set out has to be followed change by change.
  bool send_together() {
    forget_wire();
    times_.begin();
    bool bundles = true;
    for (const std::uint32_t sending : batch_) {
      times_.add(sendings_[sending].path, wire_size_of(sendings_[sending]));
      bundles = bundles && connection_of(sendings_[sending].flight).bundle;
    }
    if (!times_.find(bundles)) return false;
    const std::span<const Sending> batch = times_.batch();
    for (std::size_t i = 0; i < batch_.size(); i++) together_ends_.push_back({now_ + batch[i].takes, batch_[i]});
    order_deliveries(together_ends_, std::greater<>());
    together_by_.swap(batch_);
    together_since_ = now_;
    return together_ = true;
  }

  /// Others have started: what set out together goes on at rates of its own.
  void separate() {
    const Picoseconds elapsed = now_ - together_since_;
    const std::vector<Int128> left = times_.left(elapsed);
    for (std::size_t i = 0; i < left.size(); i++)
      if (times_.batch()[i].takes > elapsed) enter(together_by_[i], left[i]);
    together_ends_.clear();
    together_ = false;
  }

  void enter(std::uint32_t sending, Int128 left) {
    if (equal_shares_.is_outdated()) share_one_by_one();
    const std::uint32_t path = sendings_[sending].path;
    if (!equal_shares_.takes(path)) return follow(sending, left);
    equal_shares_.enter(path, sending, left, now_);
  }

  /// Links or paths are not what they were: who shared one link may share others.
  void share_one_by_one() {
    equal_shares_.release(now_, [&](std::uint32_t sending, Int128 left) { follow(sending, left); });
  }

  void follow(std::uint32_t sending, Int128 left) {
    const std::uint32_t path = sendings_[sending].path;
    if (progress_.size() <= sending) progress_.resize(sending + 1);
    progress_[sending] = {.left = left, .rate = 0, .since = now_};
    if (sending_on_.size() <= path) sending_on_.resize(paths_.size());
    sending_on_[path] = sending;
    shares_.enter(path);
    find_rates_at(now_);
  }

  void find_rates() {
    telemetry_.solving.late += rates_at_ != kNever && now_ > stale_since_;
    rates_at_ = kNever;
    const FoundRates found = shares_.solve();
    merging_.count(shares_.work());
    if (found.all) ends_.restart();
    for (std::size_t i = 0; i < found.flow.size(); i++) {
      const std::uint32_t sending = sending_on_[found.flow[i]];
      AnalyticProgress& sent = progress_[sending];
      const std::int64_t rate = found.rate[i];
      RY_CHECK(rate > 0, "a link that runs has something for everybody");
      if (rate == sent.rate && !found.all) continue;
      sent.left = std::max(Int128(0), sent.left - Int128(sent.rate) * (now_ - sent.since).count());
      sent.since = now_;
      sent.rate = rate;
      ends_.set(sending, sent.finish());
    }
    if (found.all) ends_.restarted();
  }

  void forget_wire() {
    ends_.clear();
    together_ends_.clear();
    together_ = false;
    rates_at_ = kNever;
  }

  /// The last byte has left.
  void end(std::uint32_t sending) {
    on_wire_--;
    const AnalyticSend& sent = sendings_[sending];
    AnalyticMessage& flight = flights_[sent.flight];
    flight.arrival = std::max(flight.arrival, now_ + paths_.latency(sent.path, payload_of_qp(sent)));
    sendings_.give(sending);  // which stays as it is until the next is taken
    if (--flight.sendings_left == 0) arrive(sent.flight);
  }

  /// The line's next message sets out.
  void arrive(std::uint32_t flight) {
    SendLine& line = lines_[line_of(flight)];
    AnalyticConnection& connection = connections_[line.connection];
    line.head = flights_[flight].next;
    if (lines_of(connection) == 1) {
      deliver_in_order(connection, flight);
    } else {
      for (std::uint32_t& first = turns_[line.connection.index()].first;
           first != kNoMessage && flights_[first].sendings_left == 0 && has_left(first); first = in_turns_[first].next)
        deliver_in_order(connection, first);
    }
    if (line.head != kNoMessage) split(line.head);
  }

  void deliver_in_order(AnalyticConnection& connection, std::uint32_t flight) {
    connection.last_delivery = std::max(connection.last_delivery, flights_[flight].arrival);
    deliveries_.add(connection.last_delivery, flight);
  }

  Picoseconds deliver(std::vector<Completion>& done) {
    delivered_.clear();
    if (deliveries_.next() == now_) deliveries_.take(delivered_);
    if (spans_.deliveries().next() == now_) spans_.deliveries().take(delivered_);
    order_.sort(delivered_, [&](std::uint32_t flight) { return flights_[flight].message.id.index(); });
    for (const std::uint32_t flight : delivered_) {
      const Message& message = flights_[flight].message;
      telemetry_.deliver(message.id.index(), message.size, flights_[flight].posted, now_);
      done.push_back({message.id, now_});
      flights_.give(flight);
    }
    return now_;
  }

  Telemetry& telemetry_;
  AnalyticCounters counters_;
  FairShares shares_;
  EqualShares equal_shares_;
  TogetherTimes times_;
  std::vector<std::uint32_t> sending_on_;  // by way, where shares_ has it
  SlotPool<AnalyticSend> sendings_;
  LargeArray<AnalyticProgress> progress_;  // by sending, where it is followed
  StartQueue starts_;
  std::size_t known_starts_ = 0;  // of them, those that were there in the last advance()
  std::size_t on_wire_ = 0;
  std::vector<std::uint32_t> batch_;        // sendings of this instant
  std::vector<std::uint32_t> together_by_;  // what set out together last
  bool together_ = false;                   // all that is on the wire set out at one instant
  Picoseconds together_since_;
  LargeArray<AnalyticEnd> together_ends_;  // of those, the last first
  EndQueue ends_;                          // of sendings that are followed
  SoleSpans spans_;
  std::uint64_t changes_until_spans_ = 0;  // after which they are tried again
  MergedChanges merging_;
  Picoseconds rates_at_ = kNever, stale_since_;  // when rates are to be found again; since when they are not those of today
  DeliveryQueue deliveries_;
  std::vector<std::uint32_t> ending_;     // sendings of one instant
  std::vector<std::uint32_t> delivered_;  // flights of one instant
  DeliveryOrder order_;
  Picoseconds now_, last_post_;
};

}  // namespace

std::unique_ptr<Engine> make_analytic_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                             Telemetry& telemetry, std::optional<std::uint64_t> merge_after) {
  return std::make_unique<AnalyticEngine>(fabric, wire, routing, telemetry, merge_after);
}

}  // namespace railyard
