#include <algorithm>
#include <map>
#include <optional>
#include <queue>
#include <vector>

#include "engine/engine.h"
#include "engine/packet/device/find_gpu.h"
#include "engine/packet/failover.h"
#include "engine/packet/lookahead_scheduler.h"
#include "engine/packet/messages.h"
#include "engine/packet/network.h"
#include "engine/packet/observe.h"
#include "engine/team.h"
#include "fabric/routes.h"

namespace railyard {

namespace {

using packet::LookaheadScheduler;
using packet::Messages;
using packet::Network;
using packet::NetworkShare;
using packet::Time;

constexpr Time kLook = Picoseconds(1000_us).count();  // of simulated time: how often it is asked whether anybody still waits

/// Packets over lossless or lossy Ethernet, with every queue, pause and notification on the way.
///
/// Nodes are simulated by themselves in intervals of time (packet/lookahead_scheduler.h). A message that the caller posts when
/// another one ends reaches its NIC a host's latency later, and the end of the other one is known a host's latency before it is
/// told: so intervals may be as long as both together; what ends at a switch is told at once. Between GPUs of one scale-up
/// domain messages follow one another on a link.
class PacketEngine final : public Engine {
 public:
  PacketEngine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, const PacketPlan& plan,
               const PacketOptions& options, TeamPost* team, Telemetry& telemetry)
      : fabric_(fabric),
        wire_(wire),
        routing_(routing),
        plan_(plan),
        options_(options),
        team_(team),
        telemetry_(telemetry),
        network_(fabric, wire, routing, plan_, options_, team ? NetworkShare{team->rank(), team->size()} : NetworkShare{}),
        numbers_(fabric, routing.hash),
        queue_pairs_at_(fabric.leaf.size(), 0),
        link_free_(fabric.trunk_tier.size(), 0) {
    span_ = packet_lookahead(fabric, plan_).span.count();
    told_early_ = options.reduces ? 0 : fabric.host_latency.count();
    if (options.reduces) span_ = std::min(span_, packet::kReducerStep.count());
    if (!options.all_posted) span_ = std::min(span_, told_early_ + fabric.host_latency.count());
    RY_CHECK(span_ > 0, "something takes time between any two nodes");
    RY_CHECK(options.tap == nullptr || !options.reduces, "frames between reducers are no frames");
    RY_CHECK(team == nullptr || (options.tap == nullptr && !network_.net.p.fails), "several processes play what they can");
    if (options.tap != nullptr) tap_.emplace(network_, *options.tap, plan_);
    if (!options.keeps_messages) messages_.reuse_rows();
    if (network_.net.p.fails) failover_.emplace(fabric_, routing_, plan_, options_.failures, network_);
    start();
    if (!telemetry_.packets) telemetry_.packets.emplace();
    telemetry_.count_ports(fabric.port_from.size());
  }

  QpId open(const QueuePair& qp) override { return open_connection(qp); }
  QpId open(TrunkId hop) override {
    Messages::Connection connection;
    if (is_scale_up(fabric_.trunk_tier[hop]))
      connection.inside = {hop};
    else
      add_flows(connection, hop);
    return messages_.open(std::move(connection));
  }
  QpId open(const Bundle& bundle) override {
    RY_CHECK(bundle.edges.size() == 1, "a bundle of several edges is not simulated packet by packet");
    const PacketLane lane = bundle.lane.value_or(PacketLane{bundle.priority == 0 ? kDataClass : kBackgroundClass});
    return open_connection({bundle.edges[0].from, bundle.edges[0].to, lane.traffic_class, {}, lane.beside});
  }

  void post(std::span<const Message> messages, Picoseconds at) override {
    RY_CHECK(at >= now_, "nothing is posted for the past");
    for (const Message& message : messages) post_one(message, at.count());
  }

  Picoseconds advance(Picoseconds until, std::vector<Completion>& done) override {
    for (;;) {
      const Time next = scheduler_->is_livelocked() ? packet::kNever : scheduler_->next();
      const Time change = next_change();
      const bool goes_on = next != packet::kNever || messages_.outstanding() > 0;
      if (goes_on && change != packet::kNever && change <= std::min(next, until.count() - 1) &&
          (ended_.empty() || change <= ended_.top().at)) {
        failover_->apply(*scheduler_);
        continue;
      }
      const Time safe = next == packet::kNever ? packet::kNever : next + told_early_;
      if (!ended_.empty() && ended_.top().at < safe && ended_.top().at <= until.count()) return tell_first(done);
      if (next >= until.count() || next >= kLongestPacketRun.count()) break;
      const Time first_end =
          ended_.empty() ? packet::kNever : ended_.top().at + 1;  // intervals that begin no later may still be run
      const Time look = next > packet::kNever - kLook ? packet::kNever : next + kLook;
      scheduler_->run(std::min({until.count(), first_end, look}), !options_.all_posted, change);
      take_over();
      if (options_.watched) options_.watched->stop_if_cancelled();
    }
    if (scheduler_->next() == packet::kNever && ended_.empty()) note_standstill();
    return now_ = std::max(now_, until == Picoseconds::max() ? now_ : until);
  }

  void set_rate(PortId, BitsPerSecond, Picoseconds) override { RY_CHECK(false, "packets know all failures before they start"); }
  [[nodiscard]] Picoseconds now() const override { return now_; }

  void rewind(Sharing) override {
    network_.restart();
    messages_.forget_messages();
    ended_ = {};
    now_ = {};
    std::fill(link_free_.begin(), link_free_.end(), 0);
    timeouts_.clear();
    start();
    if (failover_) failover_->restart();
  }

  void finish() override {
    if (messages_.outstanding() == 0) run_out();
    take_over();
    if (tap_) tap_->tell(packet::kNever);
    const Time next = scheduler_->next();
    const bool is_livelocked = scheduler_->is_livelocked();
    if (next >= kLongestPacketRun.count() || is_livelocked) telemetry_.packets->undelivered = messages_.outstanding();
    telemetry_.packets->livelocked = is_livelocked;
    telemetry_.packets->out_of_time = next != packet::kNever && next >= kLongestPacketRun.count();
    for (std::size_t i = 0; i < recorded_.size(); i++)
      telemetry_.packets->messages[i].acknowledged = Picoseconds(messages_.message(recorded_[i]).acknowledged);
    if (failover_) packet::observe_failures(network_, fabric_, plan_, *failover_, timeouts_, *telemetry_.packets);
    telemetry_.packets->priorities.clear();
    for (const ClassPlan& one : plan_.classes) telemetry_.packets->priorities.push_back(one.priority);
    scheduler_->bring_rows();
    if (team_ != nullptr && team_->rank() > 0) throw TeamDone();
    packet::observe(network_, fabric_, *scheduler_, Picoseconds(std::max(now_.count(), scheduler_->edge())), telemetry_);
  }

 private:
  struct Ended {
    Time at;
    MessageId id;
    std::uint32_t message;
    friend bool operator<(const Ended& a, const Ended& b) { return a.at != b.at ? a.at > b.at : a.id > b.id; }
  };

  [[nodiscard]] Time next_change() const { return failover_ ? failover_->next() : packet::kNever; }

  /// The last ACKs, and what has to be sent again for want of them.
  void run_out() {
    for (Time next = scheduler_->next(); next < kLongestPacketRun.count() && !scheduler_->is_livelocked();
         next = scheduler_->next()) {
      if (next_change() <= next)
        failover_->apply(*scheduler_);
      else
        scheduler_->run(packet::kNever, false, next_change());
    }
  }

  void start() {
    scheduler_.reset();
    if (!gpu_ && team_ == nullptr) gpu_ = packet::device::find_gpu(network_.net.p, plan_.device, options_, fabric_.endpoints());
    if (gpu_)
      scheduler_ = std::make_unique<LookaheadScheduler>(network_, span_, *gpu_);
    else
      scheduler_ = std::make_unique<LookaheadScheduler>(network_, span_, options_.threads, tap_ ? &*tap_ : nullptr, team_);
  }

  QpId open_connection(const QueuePair& qp) {
    RY_CHECK(!qp.beside || options_.beside, "queue pairs of a second transport need one");
    Messages::Connection connection;
    connection.from = qp.from;
    connection.to = qp.to;
    connection.first_flow = network_.flow_count();
    const std::uint32_t queue_pairs = std::max(1U, routing_.queue_pairs);
    for (std::uint32_t i = 0; i < queue_pairs; i++)
      if (!add_flow(connection, qp)) break;
    connection.flows = network_.flow_count() - connection.first_flow;
    if (connection.flows == 0)
      for (const TrunkShare& step : path_of(fabric_, qp.from, qp.to)) connection.inside.push_back(step.trunk);
    return messages_.open(std::move(connection));
  }

  /// Between reducers, or one and a host: a queue pair on every link, each part of a reduction tree of its own.
  void add_flows(Messages::Connection& connection, TrunkId hop) {
    RY_CHECK(options_.reduces, "switches compute only where the caller says so");
    connection.first_flow = network_.flow_count();
    connection.on_all = true;
    for (const PortId port : fabric_.trunk_ports[hop]) {
      if (failover_ && !failover_->carries(port))
        continue;  // reduction trees do not fail over: those of dead links are left out
      const NodeId from = fabric_.port_from[port], to = fabric_.port_to[port];
      std::vector<PortId> there = {port}, back = {reverse_of(fabric_, port)};
      if (is_switch(from)) {
        there.insert(there.begin(), network_.from_reducer(from));
        back.push_back(network_.to_reducer(from));
        connection.start_up = packet::kReducerStep;
      }
      if (is_switch(to)) {
        there.push_back(network_.to_reducer(to));
        back.insert(back.begin(), network_.from_reducer(to));
      }
      network_.add_flow(there, back, plan_.queue_of[kDataClass]);
    }
    connection.flows = network_.flow_count() - connection.first_flow;
  }
  [[nodiscard]] bool is_switch(NodeId node) const { return fabric_.kind[node] != NodeKind::host; }

  /// One more queue pair; none between GPUs that need no network.
  bool add_flow(Messages::Connection& connection, const QueuePair& qp) {
    const EndpointId to = connection.to, relay = relay_of(fabric_, connection.from, to);
    if (relay != connection.from && share_domain(fabric_, connection.from, to)) return false;  // rails that nothing joins
    std::vector<PortId> there, back;
    const std::uint32_t before = network_.flow_count() - connection.first_flow;
    const std::uint32_t local = qp.qp_indices ? qp.qp_indices->local + before : queue_pairs_at_[fabric_.interface_of(relay)]++;
    const std::uint32_t remote = qp.qp_indices ? qp.qp_indices->remote + before : queue_pairs_at_[fabric_.interface_of(to)]++;
    if (failover_ && failover_->detours() && routing_.fixed.empty())
      failover_->find_paths(relay, to, local, remote, there, back);
    const bool is_detour = !there.empty() && !back.empty();
    if (!is_detour) there.clear(), back.clear(), find_path(relay, to, local, remote, there);
    const auto inside = [&](PortId port) { return is_scale_up(fabric_.trunk_tier[fabric_.port_trunk[port]]); };
    if (std::any_of(there.begin(), there.end(), inside)) return false;
    if (!is_detour) find_path(to, relay, remote, local, back);
    if (std::any_of(back.begin(), back.end(), inside)) {  // in a drawing GPUs may be as near by either network
      back.clear();
      for (auto port = there.rbegin(); port != there.rend(); ++port) back.push_back(reverse_of(fabric_, *port));
    }
    if (network_.flow_count() == connection.first_flow) connection.delay = delay_to(relay, connection.from);
    const std::uint8_t traffic_class = network_.class_at(fabric_.node_of(relay), qp.traffic_class);
    const std::uint32_t flow = network_.add_flow(there, back, traffic_class, qp.beside);
    if (failover_) failover_->add_flow(flow, relay, to, local, remote);
    if (tap_) {
      const FlowHeader header = header_of(fabric_, relay, to, local, remote, numbers_);
      options_.tap->opened({header.source, header.destination, header.source_port,
                            numbers_.number(fabric_.interface_of(relay), local), header.destination_qp});
    }
    return true;
  }

  /// A loop is as long as packets live, and a port more, which is looked up ahead.
  void find_path(EndpointId from, EndpointId to, std::uint32_t local, std::uint32_t remote, std::vector<PortId>& path) const {
    find_hashed_path(fabric_, routing_.fixed, from, to, header_of(fabric_, from, to, local, remote, numbers_), routing_.hash,
                     packet::kMostHops + 1, path);
  }

  /// What a message is under way for before a NIC hears of it.
  [[nodiscard]] Picoseconds delay_to(EndpointId relay, EndpointId from) const {
    Picoseconds delay;
    if (relay == from) return delay;
    for (const TrunkShare& step : path_of(fabric_, from, relay))
      delay +=
          fabric_.trunk_delay[step.trunk] + transmit_time(wire_.packet_size(wire_.mtu), fabric_.trunk_port_rate[step.trunk]);
    return delay;
  }

  void post_one(const Message& message, Time at) {
    Messages::Connection& connection = messages_[message.qp];
    if (connection.flows == 0) return post_inside(message, at);
    const bool split = connection.on_all || routing_.use == QpUse::split;
    const std::int64_t least = connection.on_all ? wire_.mtu.count() : 1;  // trees are many, and not worth half-empty packets
    const std::uint32_t shares =
        split ? static_cast<std::uint32_t>(std::clamp<std::int64_t>(message.size.count() / least, 1, connection.flows)) : 1;
    const std::uint32_t index = messages_.add(message, at, shares);
    const Time from = at + connection.start_up.value_or(fabric_.host_latency).count() + connection.delay.count();
    for (std::uint32_t share = 0; share < shares; share++) {
      const bool in_turn = !split || connection.on_all;
      const std::uint32_t flow = connection.first_flow + (in_turn ? connection.turn++ % connection.flows : share);
      const Bytes size = message.size * (share + 1) / shares - message.size * share / shares;
      messages_.assign(index, flow);
      network_.add_message(flow, size, from);
      if (tap_) tell_posted(flow);
      scheduler_->offer(flow);
    }
  }

  void tell_posted(std::uint32_t flow) {
    const packet::Outgoing& message = network_.net.messages[network_.net.senders[flow].newest];
    options_.tap->posted(flow, {message.first, message.packets, message.payload, message.last_payload});
  }

  /// Inside a scale-up domain: messages follow one another on the links of both ends.
  void post_inside(const Message& message, Time at) {
    const Messages::Connection& connection = messages_[message.qp];
    const std::uint32_t index = messages_.add(message, at, 0);
    Time begin = at, end = at;
    for (const TrunkId trunk : connection.inside) {
      const Time wire = transmit_time(message.size, fabric_.trunk_port_rate[trunk]).count();
      begin = std::max(begin, link_free_[trunk.index()]);
      link_free_[trunk.index()] = begin + wire;
      telemetry_.trunk_carried[trunk] += message.size;
      begin += fabric_.trunk_delay[trunk].count();
      end = std::max(end, begin + wire);
    }
    messages_[message.qp].waiting.pop_back();
    ended_.push({end, message.id, index});
  }

  void take_over() {
    for (const packet::FlowEvent& event : scheduler_->delivered)
      messages_.flow_delivered(event.flow, event.at, [&](std::uint32_t index) {
        const packet::InFlight& message = messages_.message(index);
        ended_.push({message.delivered, message.id, index});
      });
    scheduler_->delivered.clear();
    for (const packet::FlowEvent& event : scheduler_->acknowledged) {
      messages_.flow_acknowledged(event.flow, event.at);
      if (!options_.keeps_messages) network_.let_go_of_message(event.flow);
    }
    scheduler_->acknowledged.clear();
    timeouts_.insert(timeouts_.end(), scheduler_->timeouts.begin(), scheduler_->timeouts.end());
    scheduler_->timeouts.clear();
  }

  Picoseconds tell_first(std::vector<Completion>& done) {
    const Time at = ended_.top().at;
    now_ = std::max(now_, Picoseconds(at));
    while (!ended_.empty() && ended_.top().at == at) {
      const Ended one = ended_.top();
      ended_.pop();
      record(one);
      messages_.note_complete(one.message);
      done.push_back({one.id, Picoseconds(at)});
    }
    return now_;
  }

  void record(const Ended& one) {
    const packet::InFlight& message = messages_.message(one.message);
    const Messages::Connection& connection = messages_[message.connection];
    telemetry_.messages++;
    telemetry_.payload += message.payload;
    telemetry_.message_time.add(one.at - message.posted);
    telemetry_.fingerprint.add(one.id.index());
    telemetry_.fingerprint.add(static_cast<std::uint64_t>(one.at));
    if (!options_.keeps_messages || connection.flows == 0 || connection.on_all) return;
    telemetry_.packets->messages.push_back({one.id, connection.from, connection.to, message.payload,
                                            Picoseconds(message.posted), Picoseconds(one.at), Picoseconds::zero()});
    recorded_.push_back(one.message);
  }

  void note_standstill() {
    const bool is_noted = team_ != nullptr ? is_standstill_noted_ : !telemetry_.packets->deadlocks.empty();
    if (messages_.outstanding() == 0 || is_noted) return;
    is_standstill_noted_ = true;  // in every process of a team, whatever is found
    scheduler_->bring_rows();
    if (team_ != nullptr && team_->rank() > 0) {
      telemetry_.packets->deadlocks.emplace_back();  // the first process knows which
      return;
    }
    packet::find_deadlock(network_, Picoseconds(scheduler_->edge()), *telemetry_.packets);
  }

  const Fabric& fabric_;
  const WireFormat wire_;
  const PathPolicy routing_;
  const PacketPlan plan_;
  const PacketOptions options_;
  TeamPost* const team_;  // none: this process plays alone
  bool is_standstill_noted_ = false;
  Telemetry& telemetry_;
  Network network_;
  QueuePairNumbers numbers_;
  Table<InterfaceId, std::uint32_t> queue_pairs_at_;
  std::vector<Time> link_free_;  // by scale-up trunk
  Messages messages_;
  std::optional<packet::TapFeed> tap_;            // where somebody looks at wires
  std::unique_ptr<packet::device::Backend> gpu_;  // where one plays the windows
  std::unique_ptr<LookaheadScheduler> scheduler_;
  std::optional<packet::Failover> failover_;  // where links or hosts fail
  std::vector<packet::Timeout> timeouts_;     // likewise
  std::priority_queue<Ended> ended_;
  std::vector<std::uint32_t> recorded_;  // messages, as the telemetry has them
  Time span_ = 0, told_early_ = 0;       // how long before it is told the end of a message is known
  Picoseconds now_;
};

}  // namespace

std::unique_ptr<Engine> make_packet_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                           const PacketPlan& plan, const PacketOptions& options, Telemetry& telemetry) {
  return std::make_unique<PacketEngine>(fabric, wire, routing, plan, options, nullptr, telemetry);
}

std::unique_ptr<Engine> make_team_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                         const PacketPlan& plan, const PacketOptions& options, TeamPost& team,
                                         Telemetry& telemetry) {
  return std::make_unique<PacketEngine>(fabric, wire, routing, plan, options, &team, telemetry);
}

}  // namespace railyard
