// The analytic engine: closed forms instead of a simulation of queues.
//
// Model (docs/models.md, analytic engine). Messages posted at one instant share every lane they meet fairly: on a lane of rate
// R a message of wire size b among b_1 … b_k is through after sum(min(b_i, b)) / R, which is processor sharing of simultaneous
// arrivals. Batches posted at different instants are served one after the other. A message that is posted while its connection
// is busy with another joins the batch of the instant at which that one has left: connections take turns. A message is limited
// by the slowest of its lanes. To that comes the latency of the path: cables, switches, hosts, and one packet time per switch
// that stores before it forwards.
//
// What a lane is follows from the routing. Where switches hash, a queue pair stays on one path and a lane is a port: flows that
// collide share it. Where packets are spread (flowlets, adaptive routing, spraying), a lane is a trunk: equal paths share
// perfectly.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>

#include "engine/engine.h"
#include "fabric/latency.h"
#include "fabric/routes.h"

namespace railyard {

namespace {

class AnalyticEngine final : public Engine {
 public:
  AnalyticEngine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, Telemetry& telemetry)
      : fabric_(fabric),
        wire_(wire),
        routing_(routing),
        hashed_(is_hashed(routing.policy)),
        telemetry_(telemetry),
        queue_pairs_at_(fabric.leaf.size(), 0) {
    if (hashed_) telemetry_.count_ports(fabric.port_from.size());
    lanes_.resize(hashed_ ? fabric.port_from.size() : fabric.trunk_tier.size());
    for (const TrunkId trunk : ids(fabric.trunk_tier)) {
      if (!hashed_) lanes_[trunk.index()].wire.rate = fabric.trunk_rate(trunk);
      if (hashed_)
        for (const PortId port : fabric.trunk_ports[trunk]) lanes_[port.index()].wire.rate = fabric.trunk_port_rate[trunk];
    }
  }

  QpId open(const QueuePair& qp) override {
    const Connection connection{.first = static_cast<std::uint32_t>(ways_.size()), .ways = hashed_ ? routing_.queue_pairs : 1};
    add_ways(qp);
    return connections_.push(connection);
  }

  QpId open(const Bundle& bundle) override {
    Connection connection{.first = static_cast<std::uint32_t>(ways_.size()), .shared = true};
    for (const Edge& edge : bundle.edges) {
      const std::size_t first = ways_.size();
      add_ways({edge.from, edge.to});
      for (std::size_t i = first; i < ways_.size(); i++)
        ways_[i].share = edge.share / static_cast<double>(ways_.size() - first);
    }
    connection.ways = static_cast<std::uint32_t>(ways_.size()) - connection.first;
    return connections_.push(connection);
  }

  QpId open(TrunkId hop) override {
    const Connection connection{.first = static_cast<std::uint32_t>(ways_.size())};
    if (hashed_) {
      std::vector<Step> steps;  // a reduction tree of its own on every link
      for (const PortId port : fabric_.trunk_ports[hop])
        steps.push_back({port.index(), hop, 0, 1.0 / fabric_.trunk_ports[hop].size()});
      add_lanes(steps);
    } else {
      add_way({{hop, 0, 1}});
    }
    ways_.back().reducer = reducer_latency(fabric_, hop);
    ways_.back().full_packet_latency += ways_.back().reducer;
    return connections_.push(connection);
  }

  void post(std::span<const Message> messages, Picoseconds at) override {
    RY_CHECK(at >= now_ && at >= last_post_, "messages are posted in the order of time");
    last_post_ = at;
    serve_turns(at);
    batch_.clear();
    for (const Message& message : messages) join(message, at);
    serve_batch(at);
  }

  Picoseconds advance(Picoseconds until, std::vector<Completion>& done) override {
    while (!turns_.empty() && turns_.top().at <= until && (pending_.empty() || turns_.top().at <= pending_.top().at))
      serve_turns(turns_.top().at);
    if (pending_.empty() || pending_.top().at > until) return now_ = std::max(now_, until);
    now_ = pending_.top().at;
    while (!pending_.empty() && pending_.top().at == now_) {
      observe(pending_.top());
      done.push_back({pending_.top().id, now_});
      pending_.pop();
    }
    return now_;
  }

  /// What was posted before keeps its time.
  void set_rate(PortId port, BitsPerSecond rate, Picoseconds at) override {
    RY_CHECK(at >= last_post_ && at == now_, "rates change between two posts");
    const TrunkId trunk = fabric_.port_trunk[port];
    if (port_rate_.empty()) {
      port_rate_ = Table<PortId, BitsPerSecond>(fabric_.port_from.size());
      for (const PortId each : ids(port_rate_)) port_rate_[each] = fabric_.trunk_port_rate[fabric_.port_trunk[each]];
    }
    port_rate_[port] = rate;
    BitsPerSecond sum;
    for (const PortId each : fabric_.trunk_ports[trunk]) sum += port_rate_[each];
    Timer& wire = lanes_[hashed_ ? port.index() : trunk.index()].wire;
    wire = {.rate = hashed_ ? rate : sum, .size = {}, .time_of_size = {}};
    RY_CHECK(wire.rate > BitsPerSecond::zero(), "closed forms do not find ways around what is down");
  }

  [[nodiscard]] Picoseconds now() const override { return now_; }

  void rewind(Sharing sharing) override {
    RY_CHECK(sharing == Sharing::fair, "closed forms are for messages that share");
    for (Lane& lane : lanes_) lane.busy_until = {};
    for (WayState& way : ways_) way.busy_until = {};
    for (Connection& connection : connections_) {
      connection.turn = 0;
      connection.last_delivery = connection.busy_until = {};
      connection.waiting.clear();
    }
    pending_ = {};
    turns_ = {};
    now_ = last_post_ = {};
  }

  void finish() override {}

 private:
  /// Transmit times at one rate. A batch asks for the same size again and again, so the last answer is kept.
  struct Timer {
    BitsPerSecond rate = BitsPerSecond::max();
    Bytes size;
    Picoseconds time_of_size;

    Picoseconds time(Bytes wanted) {
      if (wanted != size) time_of_size = transmit_time(size = wanted, rate);
      return time_of_size;
    }
  };

  /// One lane of a way.
  struct Step {
    std::uint32_t lane;
    TrunkId trunk;  // that it is or belongs to
    std::uint32_t hop;
    double share;
  };

  /// A queue pair's way; its steps lie in steps_ from `first` on.
  struct WayState {
    std::uint32_t first = 0, size = 0;
    Timer slowest;
    TrunkId slowest_trunk;  // the one it belongs to
    Picoseconds sent_for;   // time of all messages on that lane
    Picoseconds reducer;    // the switch that begins it computes first
    Picoseconds full_packet_latency;
    Picoseconds busy_until;  // this queue pair has handed its earlier messages to the wire
    double share = 1;        // of a bundle's messages
  };

  struct Posted {
    Message message;
    Picoseconds at;
  };

  struct Connection {
    std::uint32_t first = 0, ways = 1, turn = 0;  // queue pairs that carry it, and whose turn it is
    Picoseconds last_delivery = {};               // later messages do not overtake
    bool shared = false;                          // a bundle: every way carries its share of every message
    bool in_batch = false;
    Picoseconds busy_until = {};       // the message before has left
    std::vector<Posted> waiting = {};  // for that; the first has its turn in turns_, unless one is in the batch at hand
  };

  struct Turn {
    Picoseconds at;
    QpId connection;
    friend bool operator>(const Turn& a, const Turn& b) { return a.at != b.at ? a.at > b.at : a.connection > b.connection; }
  };

  /// What one queue pair carries of one message.
  struct Piece {
    std::uint32_t message, way;
    Bytes payload, size;  // size: on the wire
    Picoseconds through;
  };

  /// A lane and, while a batch is posted, that batch's claims on it.
  struct Lane {
    Timer wire;
    Picoseconds busy_until;  // earlier batches are through
    Picoseconds start;       // of this batch
    std::uint32_t waiting = 0;
    Bytes through;  // of pieces that are no larger than the one at hand
  };

  struct Pending {
    Picoseconds at;
    MessageId id;
    Picoseconds posted;
    Bytes size;
    friend bool operator>(const Pending& a, const Pending& b) { return a.at != b.at ? a.at > b.at : a.id > b.id; }
  };

  /// One for every queue pair.
  void add_ways(const QueuePair& qp) {
    if (!hashed_) return add_way(way_of(fabric_, qp.from, qp.to));
    for (std::uint32_t i = 0; i < routing_.queue_pairs; i++) add_path(qp);
  }

  void add_path(const QueuePair& qp) {
    const std::uint32_t local = queue_pairs_at_[fabric_.interface_of(qp.from)]++;
    const std::uint32_t remote = queue_pairs_at_[fabric_.interface_of(qp.to)]++;
    const FlowHeader header = header_of(fabric_, qp.from, qp.to, local, remote, routing_.hash);
    std::vector<Step> steps;
    for (const PortId port : hashed_path(fabric_, qp.from, qp.to, header, routing_.hash))
      steps.push_back({port.index(), fabric_.port_trunk[port], static_cast<std::uint32_t>(steps.size()), 1});
    add_lanes(steps);
  }

  void add_way(const Way& way) {
    std::vector<Step> steps;
    for (const TrunkShare& step : way) steps.push_back({step.trunk.index(), step.trunk, step.hop, step.share});
    add_lanes(steps);
  }

  void add_lanes(const std::vector<Step>& steps) {
    WayState way;
    way.first = static_cast<std::uint32_t>(steps_.size());
    way.size = static_cast<std::uint32_t>(steps.size());
    steps_.insert(steps_.end(), steps.begin(), steps.end());
    for (const Step& step : steps) {
      const BitsPerSecond rate = lanes_[step.lane].wire.rate;
      if (step.share < 1 || rate >= way.slowest.rate) continue;
      way.slowest.rate = rate;
      way.slowest_trunk = step.trunk;
    }
    if (!way.slowest_trunk.valid()) way.slowest_trunk = steps.front().trunk;
    way.full_packet_latency = latency(way, wire_.packet_size(wire_.mtu));
    ways_.push_back(way);
  }

  [[nodiscard]] std::span<const Step> steps_of(const WayState& way) const {
    return std::span(steps_).subspan(way.first, way.size);
  }

  /// Messages of a connection whose queue pairs take turns need not wait for each other.
  [[nodiscard]] bool takes_turns(const Connection& connection) const {
    return connection.shared || connection.ways == 1 || routing_.use != QpUse::round_robin;
  }

  /// Puts a message into the batch at hand, or behind those of its connection.
  void join(const Message& message, Picoseconds at) {
    Connection& connection = connections_[message.qp];
    const bool busy = connection.in_batch || connection.busy_until > at;
    if (takes_turns(connection) && (busy || !connection.waiting.empty())) {
      if (connection.waiting.empty() && !connection.in_batch) turns_.push({connection.busy_until, message.qp});
      connection.waiting.push_back({message, at});
      return;
    }
    connection.in_batch = true;
    batch_.push_back({message, at});
  }

  /// Serves the messages whose turn comes until then.
  void serve_turns(Picoseconds until) {
    while (!turns_.empty() && turns_.top().at <= until) {
      const Picoseconds at = turns_.top().at;
      batch_.clear();
      for (; !turns_.empty() && turns_.top().at == at; turns_.pop()) {
        Connection& connection = connections_[turns_.top().connection];
        batch_.push_back(connection.waiting.front());
        connection.waiting.erase(connection.waiting.begin());
        connection.in_batch = true;
      }
      serve_batch(at);
    }
  }

  void serve_batch(Picoseconds at) {
    cut();
    enter_lanes(at);
    for (const std::uint32_t i : by_size()) serve(pieces_[i]);
    leave_lanes();
    for (std::size_t i = 0, piece = 0; i < batch_.size(); i++) {
      const Message& message = batch_[i].message;
      Connection& connection = connections_[message.qp];
      for (; piece < pieces_.size() && pieces_[piece].message == i; piece++) deliver(pieces_[piece], at, connection);
      connection.in_batch = false;
      if (!connection.waiting.empty()) turns_.push({connection.busy_until, message.qp});
      pending_.push({connection.last_delivery, message.id, batch_[i].at, message.size});
    }
  }

  /// Messages over the queue pairs of their connections: split evenly, or whole and in turn.
  void cut() {
    pieces_.clear();
    for (std::uint32_t i = 0; i < batch_.size(); i++) {
      const Bytes size = batch_[i].message.size;
      Connection& connection = connections_[batch_[i].message.qp];
      if (connection.shared) {
        cut_bundle(connection, i, size);
        continue;
      }
      const bool whole = connection.ways == 1 || routing_.use == QpUse::round_robin;
      const std::uint32_t parts = whole ? 1 : connection.ways;
      const Bytes part((size.count() + parts - 1) / parts);
      Bytes left = size;
      for (std::uint32_t p = 0; p < parts; p++) {
        const Bytes payload = std::min(part, left);
        left -= payload;
        if (p > 0 && payload == Bytes::zero()) break;
        const std::uint32_t way = connection.first + (whole ? connection.turn++ % connection.ways : p);
        pieces_.push_back({i, way, payload, wire_.wire_size(payload), {}});
      }
    }
  }

  void cut_bundle(const Connection& bundle, std::uint32_t message, Bytes size) {
    for (std::uint32_t way = bundle.first; way < bundle.first + bundle.ways; way++) {
      const Bytes payload(static_cast<std::int64_t>(std::ceil(static_cast<double>(size.count()) * ways_[way].share)));
      pieces_.push_back({message, way, payload, wire_.wire_size(payload), {}});
    }
  }

  void enter_lanes(Picoseconds at) {
    for (const Piece& piece : pieces_)
      for (const Step& step : steps_of(ways_[piece.way])) {
        Lane& lane = lanes_[step.lane];
        if (lane.waiting++ == 0) lane.start = std::max(at, lane.busy_until);
      }
  }

  /// Indices of pieces, smallest first; equal sizes keep their order.
  const std::vector<std::uint32_t>& by_size() {
    order_.resize(pieces_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto smaller = [&](std::uint32_t a, std::uint32_t b) { return pieces_[a].size < pieces_[b].size; };
    if (!std::is_sorted(order_.begin(), order_.end(), smaller)) std::stable_sort(order_.begin(), order_.end(), smaller);
    return order_;
  }

  static Bytes part_of(Bytes size, double share) {
    return share >= 1 ? size : Bytes(static_cast<std::int64_t>(static_cast<double>(size.count()) * share) + 1);
  }

  /// Finds when the slowest lane on its way is through with `piece`. REQUIRES: smaller pieces were served before.
  void serve(Piece& piece) {
    for (const Step& step : steps_of(ways_[piece.way])) {
      Lane& lane = lanes_[step.lane];
      const Bytes size = part_of(piece.size, step.share);
      piece.through = std::max(piece.through, lane.start + lane.wire.time(lane.through + size * lane.waiting));
      lane.through += size;
      lane.waiting--;
      telemetry_.trunk_carried[step.trunk] += size;
      if (hashed_) telemetry_.port_carried[PortId(step.lane)] += size;
    }
  }

  /// Notes when the last byte of `piece` has left and when it is there. REQUIRES: earlier messages of the connection were
  /// delivered before.
  void deliver(const Piece& piece, Picoseconds at, Connection& connection) {
    WayState& way = ways_[piece.way];
    const Picoseconds sending = way.slowest.time(piece.size);
    way.busy_until = std::max(at, way.busy_until) + sending;
    way.sent_for += sending;
    Picoseconds& longest = telemetry_.trunk_path_time[way.slowest_trunk];
    longest = std::max(longest, way.sent_for);
    const Picoseconds path =
        piece.payload >= wire_.mtu ? way.full_packet_latency : latency(way, wire_.packet_size(piece.payload));
    const Picoseconds left = std::max(piece.through, way.busy_until);
    connection.busy_until = std::max(connection.busy_until, left);
    connection.last_delivery = std::max(connection.last_delivery, left + path);
  }

  void leave_lanes() {
    for (const Piece& piece : pieces_)
      for (const Step& step : steps_of(ways_[piece.way])) {
        Lane& lane = lanes_[step.lane];
        if (lane.through == Bytes::zero()) continue;  // already done for another piece
        lane.busy_until = lane.start + lane.wire.time(lane.through);
        lane.through = Bytes::zero();
      }
  }

  /// Time of the path beyond that of sending: a single packet from end to end, less its time on the slowest lane.
  [[nodiscard]] Picoseconds latency(const WayState& way, Bytes packet) const {
    return packet_time(fabric_, steps_of(way), packet) - transmit_time(packet, way.slowest.rate) + way.reducer;
  }

  void observe(const Pending& delivered) {
    telemetry_.messages++;
    telemetry_.payload += delivered.size;
    telemetry_.message_time.add((delivered.at - delivered.posted).count());
    const std::uint64_t words[] = {delivered.id.index(), static_cast<std::uint64_t>(delivered.at.count())};
    telemetry_.fingerprint.add(words);
  }

  const Fabric& fabric_;
  const WireFormat wire_;
  const PathPolicy routing_;
  const bool hashed_;
  Telemetry& telemetry_;
  std::vector<Lane> lanes_;
  Table<PortId, BitsPerSecond> port_rate_;  // once some have changed
  std::vector<WayState> ways_;
  std::vector<Step> steps_;
  Table<QpId, Connection> connections_;
  Table<InterfaceId, std::uint32_t> queue_pairs_at_;  // opened so far
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> turns_;
  std::vector<Posted> batch_;  // that is being served
  std::vector<Piece> pieces_;  // of it
  std::vector<std::uint32_t> order_;
  Picoseconds now_, last_post_;
};

}  // namespace

std::unique_ptr<Engine> make_analytic_engine(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing,
                                             Telemetry& telemetry) {
  return std::make_unique<AnalyticEngine>(fabric, wire, routing, telemetry);
}

}  // namespace railyard
