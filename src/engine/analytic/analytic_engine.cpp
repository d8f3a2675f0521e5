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
      : AnalyticLines(keeps_path(routing.policy) && routing.use == QpUse::round_robin),
        wire_(wire),
        telemetry_(telemetry),
        paths_(fabric, wire, routing),
        counters_(paths_, telemetry),
        shares_(paths_),
        equal_shares_(paths_),
        times_(paths_, shares_),
        merging_(merge_after) {
    if (paths_.links_are_ports()) telemetry_.count_ports(fabric.port_from.size());
  }

  QpId open(const QueuePair& qp) override {
    const std::uint32_t first = paths_.size();
    paths_.add(qp);
    return add_connection(first, in_turn_ ? paths_.size() - first : 1);
  }

  QpId open(const Bundle& bundle) override {
    const std::uint32_t first = paths_.size();
    for (const Edge& edge : bundle.edges) {
      const std::uint32_t before = paths_.size();
      paths_.add({edge.from, edge.to});
      bundle_share_.resize(before, 1);
      bundle_share_.resize(paths_.size(), edge.share / static_cast<double>(paths_.size() - before));
    }
    const QpId id = add_connection(first, 1);
    connections_[id].bundle = true;
    return id;
  }

  QpId open(TrunkId hop) override {
    paths_.add(hop);
    const QpId id = add_connection(paths_.size() - 1, 1);
    connections_[id].hop = true;
    return id;
  }

  void post(std::span<const Message> messages, Picoseconds at) override {
    RY_CHECK(at >= now_ && at >= last_post_, "messages are posted in the order of time");
    last_post_ = at;
    for (const Message& message : messages) starts_.push_back({at, message});
  }

  Picoseconds advance(Picoseconds until, std::vector<Completion>& done) override {
    for (;;) {
      const Picoseconds change_at = next_change();
      const Picoseconds delivery = deliveries_.next();
      const Picoseconds next = std::min(change_at, delivery);
      if (next > until || next == kNever) return now_ = std::max(now_, until);
      now_ = next;
      if (change_at > next) return deliver(done);
      change();
    }
  }

  void set_rate(PortId port, BitsPerSecond rate, Picoseconds at) override {
    RY_CHECK(at >= last_post_ && at == now_, "rates change between two posts");
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

  void finish() override { counters_.tell(); }

 private:
  QpId add_connection(std::uint32_t first_path, std::uint32_t lines) {
    const auto first_line = static_cast<std::uint32_t>(lines_.size());
    const QpId id = connections_.push({first_path, paths_.size() - first_path, first_line});
    if (lines > 1) turns_.resize(connections_.size());
    lines_.resize(lines_.size() + lines, {.connection = id});
    return id;
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
      begin(starts_.front());
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

  void begin(const MessageStart& start) {
    const std::uint32_t flight = flights_.take();
    const AnalyticConnection& connection = connections_[start.message.qp];
    flights_[flight] = {.message = start.message, .posted = start.at, .arrival = {}};
    if (lines_of(connection) > 1) {
      AnalyticTurns& turns = turns_[start.message.qp.index()];
      if (in_turns_.size() <= flight) in_turns_.resize(flight + 1);
      in_turns_[flight] = {.line = connection.first_line + turns.turn++ % lines_of(connection)};
      (turns.first == kNoMessage ? turns.first : in_turns_[turns.last].next) = flight;
      turns.last = flight;
    }
    SendLine& line = lines_[line_of(flight)];
    const bool idle = line.head == kNoMessage;
    (idle ? line.head : flights_[line.tail].next) = flight;
    line.tail = flight;
    if (idle) split(flight);
  }

  /// A message over the paths of its connection: shares of a bundle, else the one whose turn it is.
  void split(std::uint32_t flight) {
    const AnalyticConnection& connection = connection_of(flight);
    if (connection.bundle)
      for (std::uint32_t path = connection.first_path; path < connection.first_path + connection.paths; path++)
        add(flight, path);
    else
      add(flight, connection.first_path + line_of(flight) - connection.first_line);
  }

  /// Queue pairs that share a message of a connection.
  [[nodiscard]] std::uint32_t qps_of(std::uint32_t flight) const {
    const AnalyticConnection& connection = connection_of(flight);
    return connection.bundle || connection.hop ? 1 : paths_.qps_per_message();
  }

  /// Messages of a collective mostly have the size of the last one.
  [[nodiscard]] Bytes wire_size_of(const AnalyticSend& sent) {
    const Bytes payload = payload_of(sent);
    const std::uint32_t qps = qps_of(sent.flight);
    if (payload != last_wire_.payload || qps != last_wire_.qps) last_wire_ = {payload, wire_.wire_size(payload, qps), qps};
    return last_wire_.wire;
  }

  void add(std::uint32_t flight, std::uint32_t path) {
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
    const Bytes payload = WireFormat::share_of(payload_of(sent), qps_of(sent.flight));
    flight.arrival = std::max(flight.arrival, now_ + paths_.latency(sent.path, payload));
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
    deliveries_.take(delivered_);
    order_.sort(delivered_, [&](std::uint32_t flight) { return flights_[flight].message.id.index(); });
    for (const std::uint32_t flight : delivered_) {
      const Message& message = flights_[flight].message;
      telemetry_.deliver(message.id.index(), message.size, flights_[flight].posted, now_);
      done.push_back({message.id, now_});
      flights_.give(flight);
    }
    return now_;
  }

  const WireFormat wire_;
  AnalyticWireSize last_wire_;
  Telemetry& telemetry_;
  AnalyticPaths paths_;
  AnalyticCounters counters_;
  FairShares shares_;
  EqualShares equal_shares_;
  TogetherTimes times_;
  std::vector<std::uint32_t> sending_on_;  // by way, where shares_ has it
  SlotPool<AnalyticSend> sendings_;
  LargeArray<AnalyticProgress> progress_;  // by sending, where it is followed
  StartQueue starts_;
  std::size_t on_wire_ = 0;
  std::vector<std::uint32_t> batch_;        // sendings of this instant
  std::vector<std::uint32_t> together_by_;  // what set out together last
  bool together_ = false;                   // all that is on the wire set out at one instant
  Picoseconds together_since_;
  LargeArray<AnalyticEnd> together_ends_;  // of those, the last first
  EndQueue ends_;                          // of sendings that are followed
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
