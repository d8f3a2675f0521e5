// The flow engine: messages as fluid flows that share ports max-min fairly.
//
// Model (docs/models.md, flow engine). A flow is what has one rate: a connection over its queue pairs, which carry equal
// parts of every chunk, or the edges of a collective that wait for each other. Flows that are active at one time share all
// links max-min fairly; when one ends, starts, or a port changes its rate, rates are found anew. A message is delivered when
// its last flow is through, plus the latency of its path.
//
// Quantised: flows of a bundle are one, so that it advances at the pace of its slowest; and of flows that end within a
// quantum the first hold their links until the last has ended. What starts never waits.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <utility>

#include "engine/engine.h"
#include "engine/flow/changed_ports.h"
#include "engine/flow/connections.h"
#include "engine/flow/flow_rates.h"
#include "engine/flow/flow_state.h"
#include "engine/flow/ledger.h"
#include "engine/flow/merge_error.h"
#include "engine/rates/end_queue.h"
#include "engine/rates/merged_changes.h"
#include "engine/slot_pool.h"
#include "engine/start_queue.h"

namespace railyard {

namespace {

class FlowEngine final : public Engine {
 public:
  FlowEngine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, const FlowOptions& options,
             Telemetry& telemetry)
      : fabric_(fabric),
        wire_(wire),
        options_(options),
        telemetry_(telemetry),
        connections_(fabric, wire, routing, options.efficiency, !options.exact,
                     [this](FlowId flow, const LinkFractions& path) { ledger_.set_path(flow, path); }),
        ledger_(fabric, connections_.links(), connections_.flows(), telemetry),
        rates_(options.cache),
        merging_(options.merge_after) {
    if (options.cap) cap_ = options.cap->count() * kRateUnitsPerBit;
  }

  QpId open(const QueuePair& qp) override { return opened(connections_.open({.from = qp.from, .to = qp.to})); }
  QpId open(TrunkId hop) override { return opened(connections_.open({.hop = hop})); }
  QpId open(const Bundle& bundle) override {
    RY_CHECK(bundle.edges.empty() != bundle.hops.empty(), "a bundle has edges or hops");
    return opened(connections_.open(bundle));
  }

  void post(std::span<const Message> messages, Picoseconds at) override {
    RY_CHECK(at >= now_ && at >= last_post_, "messages are posted in the order of time");
    last_post_ = at;
    for (const Message& message : messages) starts_.push_back({at, message});
  }

  Picoseconds advance(Picoseconds until, std::vector<Completion>& done) override {
    for (;;) {
      const Picoseconds network = next_change(), resolve = dirty_ ? resolve_at_ : kNever;
      const Picoseconds delivery = deliveries_.empty() ? kNever : deliveries_.top().at;
      const Picoseconds next = std::min({network, delivery, resolve});
      if (next > until || next == kNever) return now_ = std::max(now_, until);
      now_ = next;
      if (network == next)
        change();
      else if (delivery == next)
        return deliver(done);
      else
        solve();
    }
  }

  void set_rate(PortId port, BitsPerSecond rate, Picoseconds at) override {
    RY_CHECK(at >= now_, "rates change in the order of time");
    if (at == now_ && rates_.size() == 0 && starts_.empty())  // connections to come find their paths right at once
      change_rate(port, rate);
    else
      changes_.emplace(at, std::pair(port, rate));
  }

  [[nodiscard]] Picoseconds now() const override { return now_; }

  /// Connections stay; what was posted or changed is forgotten.
  void rewind(Sharing sharing) override {
    book_all();
    sharing_ = sharing;
    for (const auto& [port, rate] : changed_.all())
      if (connections_.links().set_rate(port, fabric_.trunk_port_rate[fabric_.port_trunk[port]])) changed_.moved();
    changed_.clear();
    states_.assign(states_.size(), {});
    connections_.forget_messages();
    in_flight_.clear(), starts_.clear(), changes_.clear(), ends_.clear(), deliveries_ = {};
    rates_.clear();
    merging_.count(0);
    now_ = last_post_ = {};
    dirty_ = false;
    stale_paths_ = true;
  }

  void finish() override {
    book_all();
    ledger_.finish();
  }

 private:
  // Paths.

  QpId opened(QpId id) {
    states_.resize(connections_.flow_count());
    if (!options_.exact) flow_errors_.resize(states_.size());
    stale_paths_ = true;
    changed_.found_path(id.index() == 0);
    return id;
  }

  // Events.

  [[nodiscard]] Picoseconds next_change() {
    Picoseconds next = ends_.next();
    if (!starts_.empty()) next = std::min(next, starts_.front().at);
    if (!changes_.empty()) next = std::min(next, changes_.begin()->first);
    return next;
  }

  /// Everything that happens now, but for deliveries.
  void change() {
    change_rates();
    while (ends_.next() == now_) end(FlowId(ends_.take()));
    while (!starts_.empty() && starts_.front().at == now_) {
      begin(starts_.front());
      starts_.pop_front();
    }
    if (dirty_ && ends_.next() > resolve_at_) resolve_at_ = now_;  // nobody to wait for
  }

  /// All ports whose rate changes now; paths are found once for all of them.
  void change_rates() {
    while (!changes_.empty() && changes_.begin()->first == now_) {
      change_rate(changes_.begin()->second.first, changes_.begin()->second.second);
      changes_.erase(changes_.begin());
    }
    if (!changed_.have_moved()) return;
    std::optional<std::vector<PortId>> before = changed_.down_for_paths();
    if (!changed_.take_move()) return;
    book_all();
    ledger_.leave_paths();
    connections_.recompute_paths(std::move(before), *changed_.down_for_paths());
    stale_paths_ = true, alone_.clear();
  }

  void change_rate(PortId port, BitsPerSecond rate) {
    const auto named = [&](BitsPerSecond at) {  // as a member of the set that rates belong to
      return (std::uint64_t{port.index()} + 1) << 32 ^ static_cast<std::uint64_t>(at.count());
    };
    const bool as_built = rate == fabric_.trunk_port_rate[fabric_.port_trunk[port]];
    if (const std::optional<BitsPerSecond> before = changed_.rate_of(port)) rates_.remove_condition(named(*before));
    if (!as_built) rates_.add_condition(named(rate));
    changed_.set(port, as_built ? std::nullopt : std::optional(rate));
    if (connections_.links().set_rate(port, rate)) changed_.moved();
    stale_paths_ = true;
    find_rates_at(now_);
  }

  void begin(const MessageStart& start) {
    const std::uint32_t slot = in_flight_.take();
    in_flight_[slot] = {start.message, start.at, {}};
    const Connection& connection = connections_[start.message.qp];
    std::uint32_t at = connection.first;
    if (Turns* const turns = connections_.turns(start.message.qp)) {
      if (next_waiting_.size() <= slot) next_waiting_.resize(slot + 1);
      next_waiting_[slot] = kNoFlight;
      (turns->first == kNoFlight ? turns->first : next_waiting_[turns->last]) = slot;
      turns->last = slot;
      at += turns->turn++ % turns->lines;
    }
    Line& line = connections_.line(at);
    const bool idle = line.head == kNoFlight;
    (idle ? line.head : in_flight_[line.tail].next) = slot;
    line.tail = slot;
    if (idle) send(line);
  }

  /// The first message in line sets out.
  void send(const Line& line) {
    FlowMessage& flight = in_flight_[line.head];
    flight.flows_left = line.flows;
    const Bytes wire = wire_size_of(flight.message);
    for (std::uint32_t s = line.first; s < line.first + line.flows; s++) activate(FlowId(s), wire);
  }

  void activate(FlowId id, Bytes wire) {
    FlowState& state = states_[id.index()];
    state.set_left(volume_of(wire));
    state.rate = 0;
    state.since = now_;
    if (!options_.exact) flow_errors_[id.index()] = error_.begin();
    state.carried += wire;
    rates_.add(id);
    telemetry_.solving.most_active = std::max(telemetry_.solving.most_active, rates_.size());
    find_rates_at(now_);
  }

  void end(FlowId id) {
    FlowState& state = states_[id.index()];
    charge(id, state);
    if (!options_.exact && sharing_ == Sharing::fair) {
      error_.end(flow_errors_[id.index()], state.rate, dirty_ ? now_ - dirty_since_ : Picoseconds::zero());
      telemetry_.solving.error = error_.most();
    }
    rates_.remove(id);
    find_rates_at(now_ + hold_of(id, std::exchange(state.rate, FlowState::kIdle)));
    arrive(id);
  }

  /// The first message in line is through on this flow.
  void arrive(FlowId id) {
    Line& line = connections_.line_of(id);
    const std::uint32_t slot = line.head;
    FlowMessage& flight = in_flight_[slot];
    const Bytes payload = WireFormat::share_of(flight.message.size, connections_.qps_per_message(flight.message.qp));
    flight.through = std::max(flight.through, now_ + connections_.latency(id).of(payload, wire_));
    if (--flight.flows_left > 0) return;
    Connection& connection = connections_[line.connection];
    if (Turns* const turns = connections_.turns(line.connection))
      for (; turns->first != kNoFlight && in_flight_[turns->first].arrived(); turns->first = next_waiting_[turns->first])
        deliver_in_order(connection, turns->first);
    else
      deliver_in_order(connection, slot);
    line.head = flight.next;
    if (line.head != kNoFlight) send(line);
  }

  void deliver_in_order(Connection& connection, std::uint32_t slot) {
    connection.last_delivery = std::max(connection.last_delivery, in_flight_[slot].through);
    deliveries_.push({connection.last_delivery, in_flight_[slot].message.id, slot});
  }

  Picoseconds deliver(std::vector<Completion>& done) {
    while (!deliveries_.empty() && deliveries_.top().at == now_) {
      const FlowDelivery delivery = deliveries_.top();
      deliveries_.pop();
      if (sharing_ == Sharing::fair) observe(in_flight_[delivery.message]);
      done.push_back({delivery.id, now_});
      in_flight_.give(delivery.message);
    }
    return now_;
  }

  void observe(const FlowMessage& flight) {
    telemetry_.deliver(flight.message.id.index(), flight.message.size, flight.posted, now_);
    const Connection& connection = connections_[flight.message.qp];
    if (!telemetry_.on_flow || !connections_.has_ends(connection)) return;
    const Edge edge = connections_.first_edge(connection);
    telemetry_.on_flow({.from = edge.from,
                        .to = edge.to,
                        .start = flight.posted,
                        .finish = now_,
                        .payload = flight.message.size,
                        .links = connections_.flows().links(FlowId(connections_.line(connection.first).first))});
  }

  // Rates.

  /// The set has changed: rates hold until `at`, or until they were to be found already.
  void find_rates_at(Picoseconds at) {
    if (dirty_ && at > now_ && !options_.exact) telemetry_.solving.merged++;
    if (!dirty_) dirty_since_ = now_;
    resolve_at_ = dirty_ ? std::min(resolve_at_, at) : at;
    dirty_ = true;
  }

  /// What ends soon after each other leaves its links together, quantised or where every change would be too much to follow.
  /// What starts never waits. REQUIRES: its message heads its line.
  [[nodiscard]] Picoseconds hold_of(FlowId id, std::int64_t rate) {
    if (sharing_ == Sharing::none) return {};
    if (!options_.exact)
      return ends_.next() > now_ && ends_.next() <= now_ + options_.quantum ? options_.quantum : Picoseconds::zero();
    return merging_.hold(volume_of(wire_size_of(in_flight_[connections_.line_of(id).head].message)), rate);
  }

  [[nodiscard]] Bytes wire_size_of(const Message& message) const {
    return wire_.wire_size(message.size, connections_.qps_per_message(message.qp));
  }

  void solve() {
    dirty_ = false;
    telemetry_.solving.late += options_.exact && now_ > dirty_since_;
    if (stale_paths_) {
      const FlowPaths paths = connections_.paths(cap_, options_.window);
      rates_.bind(connections_.links().capacity(), paths, connections_.flows().has_short_paths());
      stale_paths_ = false;
      if (sharing_ == Sharing::fair) ledger_.follow_singles();
    }
    if (sharing_ == Sharing::fair) {
      const FoundRates found = rates_.update(telemetry_.solving);
      merging_.count(rates_.work());
      if (found.all) ends_.restart();
      for (std::size_t i = 0; i < found.flow.size(); i++) set(FlowId(found.flow[i]), found.rate[i], found.all);
      if (found.all) ends_.restarted();
    } else {
      for (const std::uint32_t flow : rates_.active()) set(FlowId(flow), rate_alone(FlowId(flow)), false);
    }
  }

  /// With nobody on the network but the flow's own line.
  std::int64_t rate_alone(FlowId id) {
    if (alone_.empty()) alone_.assign(states_.size(), -1);
    if (alone_[id.index()] < 0) {
      const Line& line = connections_.line_of(id);
      const std::vector<std::int64_t> rates = rates_.solve_alone(FlowId(line.first), line.flows);
      std::copy(rates.begin(), rates.end(), alone_.begin() + line.first);
    }
    return alone_[id.index()];
  }

  /// `all`: so do all others, and the queue of ends begins anew.
  void set(FlowId id, std::int64_t rate, bool all) {
    FlowState& state = states_[id.index()];
    if (!options_.exact && sharing_ == Sharing::fair)
      error_.change(flow_errors_[id.index()], state.rate, rate, now_ - dirty_since_);
    if (rate == state.rate && rate > 0 && !all) return;
    if (rate != state.rate) charge(id, state);
    state.rate = rate;
    const Int128 time = rate == 0 ? Int128(kNever.count()) : (state.left() + rate - 1) / rate;
    if (time >= Int128(kNever.count()) - state.since.count()) return ends_.remove(id.index());  // later than time can count
    ends_.set(id.index(), state.since + Picoseconds(static_cast<std::int64_t>(time)));
  }

  /// Moves a flow on to now at the rate it had.
  void charge(FlowId id, FlowState& state) {
    if (state.rate > 0 && now_ > state.since) {
      const Int128 moved = Int128(state.rate) * (now_ - state.since).count();
      state.set_left(std::max(Int128(0), state.left() - moved));
      if (sharing_ == Sharing::fair) ledger_.add_rate(id, state.since, now_, state.rate);
      if (sharing_ == Sharing::fair && telemetry_.max_rate_intervals > 0) record_rate_interval(id, state);
    }
    state.since = now_;
  }

  // Telemetry.

  void record_rate_interval(FlowId id, const FlowState& state) {
    telemetry_.has_all_rate_intervals &= telemetry_.rate_intervals.size() < telemetry_.max_rate_intervals;
    if (!telemetry_.has_all_rate_intervals) return;
    const Line& line = connections_.line_of(id);
    telemetry_.rate_intervals.push_back({line.connection, id.index() - line.first, in_flight_[line.head].posted, state.since,
                                         now_, static_cast<double>(state.rate) / kRateUnitsPerBit});
  }

  /// Puts what flows have sent so far on the links of their paths, before these change.
  void book_all() {
    for (std::uint32_t s = 0; s < states_.size(); s++) {
      FlowState& state = states_[s];
      if (state.active()) charge(FlowId(s), state);
      const Bytes left(state.active() ? static_cast<std::int64_t>(state.left() / volume_of(Bytes(1))) : 0);
      if (sharing_ == Sharing::fair) ledger_.book(FlowId(s), state.carried - left);
      state.carried = left;
    }
  }

  const Fabric& fabric_;
  const WireFormat wire_;
  const FlowOptions options_;
  Telemetry& telemetry_;
  Connections connections_;
  FlowLedger ledger_;
  FlowRates rates_;
  MergedChanges merging_;
  std::vector<std::int64_t> alone_;  // by flow, as far as asked for; -1: not yet
  MergeError error_;
  bool stale_paths_ = true;
  Sharing sharing_ = Sharing::fair;
  std::int64_t cap_ = std::numeric_limits<std::int64_t>::max() / 2;
  LargeArray<FlowState> states_;                    // by flow
  std::vector<MergeError::FlowError> flow_errors_;  // the same, unless exact
  SlotPool<FlowMessage> in_flight_;
  LargeArray<std::uint32_t> next_waiting_;  // by slot: the next of its connection, where that has several lines
  ChangedPorts changed_;
  StartQueue starts_;
  std::multimap<Picoseconds, std::pair<PortId, BitsPerSecond>> changes_;
  EndQueue ends_;  // of flows
  std::priority_queue<FlowDelivery, std::vector<FlowDelivery>, std::greater<>> deliveries_;
  Picoseconds now_, last_post_;
  bool dirty_ = false;
  Picoseconds dirty_since_, resolve_at_;
};

}  // namespace

std::unique_ptr<Engine> make_flow_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                         const FlowOptions& options, Telemetry& telemetry) {
  return std::make_unique<FlowEngine>(fabric, wire, routing, options, telemetry);
}

}  // namespace railyard
