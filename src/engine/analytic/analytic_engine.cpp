// The analytic engine: closed forms instead of a simulation of queues.
//
// Model (docs/models.md, analytic engine). Messages posted at one instant share every trunk they meet fairly: on a trunk of
// rate R a message of wire size b among b_1 … b_k is through after sum(min(b_i, b)) / R, which is processor sharing of
// simultaneous arrivals. Batches posted at different instants are served one after the other. A message is limited by the
// slowest of its trunks, and by the slowest single port on its way, since one message follows one path. To that comes the
// latency of the path: cables, switches, both hosts, and one packet time per switch that stores before it forwards. Equal paths
// share perfectly: hash collisions belong to the flow and packet engines.
#include <algorithm>
#include <numeric>
#include <queue>

#include "engine/engine.h"

namespace railyard {

namespace {

class AnalyticEngine final : public Engine {
 public:
  AnalyticEngine(const Fabric& fabric, const WireFormat& wire, Telemetry& telemetry)
      : fabric_(fabric), wire_(wire), telemetry_(telemetry), trunks_(fabric.trunk_tier.size()) {
    for (const TrunkId trunk : ids(fabric.trunk_tier)) trunks_[trunk].wire.rate = fabric.trunk_rate(trunk);
  }

  QpId open(const QueuePair& qp) override {
    Way way;
    way.trunks = trunk_path(fabric_, qp.from, qp.to);
    for (const TrunkId trunk : way.trunks) {
      if (fabric_.trunk_port_rate[trunk] >= way.slowest_port.rate) continue;
      way.slowest_port.rate = fabric_.trunk_port_rate[trunk];
      way.slowest_trunk = trunk;
    }
    way.full_packet_latency = latency(way, wire_.packet_size(wire_.mtu));
    return ways_.push(way);
  }

  void post(std::span<const Message> messages, Picoseconds at) override {
    RY_CHECK(at >= now_ && at >= last_post_, "messages are posted in the order of time");
    last_post_ = at;
    enter_trunks(messages, at);
    through_.resize(messages.size());
    for (const std::uint32_t i : by_size(messages)) through_[i] = serve(messages[i]);
    leave_trunks(messages);
    for (std::size_t i = 0; i < messages.size(); i++) deliver(messages[i], through_[i], at);
  }

  Picoseconds advance(Picoseconds until, std::vector<Completion>& done) override {
    if (pending_.empty() || pending_.top().at > until) return now_ = std::max(now_, until);
    now_ = pending_.top().at;
    while (!pending_.empty() && pending_.top().at == now_) {
      observe(pending_.top());
      done.push_back({pending_.top().id, now_});
      pending_.pop();
    }
    return now_;
  }

  [[nodiscard]] Picoseconds now() const override { return now_; }

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

  struct Way {
    TrunkPath trunks;
    Timer slowest_port;
    TrunkId slowest_trunk;  // the one it belongs to
    Picoseconds sent_for;   // time of all messages on that port
    Picoseconds full_packet_latency;
    Picoseconds busy_until;     // this queue pair has handed its earlier messages to the wire
    Picoseconds last_delivery;  // later messages do not overtake
  };

  /// A trunk and, while a batch is posted, that batch's claims on it.
  struct Trunk {
    Timer wire;
    Picoseconds busy_until;  // earlier batches are through
    Picoseconds start;       // of this batch
    std::uint32_t waiting = 0;
    Bytes through;  // of messages that are no larger than the one at hand
  };

  struct Pending {
    Picoseconds at;
    MessageId id;
    Picoseconds posted;
    Bytes size;
    friend bool operator>(const Pending& a, const Pending& b) { return a.at != b.at ? a.at > b.at : a.id > b.id; }
  };

  void enter_trunks(std::span<const Message> messages, Picoseconds at) {
    for (const Message& message : messages) {
      for (const TrunkId id : ways_[message.qp].trunks) {
        Trunk& trunk = trunks_[id];
        if (trunk.waiting++ == 0) trunk.start = std::max(at, trunk.busy_until);
      }
    }
  }

  /// Indices of `messages`, smallest first; equal sizes keep their order.
  const std::vector<std::uint32_t>& by_size(std::span<const Message> messages) {
    order_.resize(messages.size());
    std::iota(order_.begin(), order_.end(), 0U);
    const auto smaller = [&](std::uint32_t a, std::uint32_t b) { return messages[a].size < messages[b].size; };
    if (!std::is_sorted(order_.begin(), order_.end(), smaller)) std::stable_sort(order_.begin(), order_.end(), smaller);
    return order_;
  }

  /// When the slowest trunk on its way is through with `message`. REQUIRES: smaller messages of the batch were served before.
  Picoseconds serve(const Message& message) {
    const Bytes size = wire_.wire_size(message.size);
    Picoseconds through;
    for (const TrunkId id : ways_[message.qp].trunks) {
      Trunk& trunk = trunks_[id];
      through = std::max(through, trunk.start + trunk.wire.time(trunk.through + size * trunk.waiting));
      trunk.through += size;
      trunk.waiting--;
      telemetry_.trunk_carried[id] += size;
    }
    return through;
  }

  /// REQUIRES: earlier messages of the queue pair were delivered before.
  void deliver(const Message& message, Picoseconds through, Picoseconds at) {
    Way& way = ways_[message.qp];
    const Picoseconds sending = way.slowest_port.time(wire_.wire_size(message.size));
    way.busy_until = std::max(at, way.busy_until) + sending;
    way.sent_for += sending;
    Picoseconds& longest = telemetry_.trunk_path_time[way.slowest_trunk];
    longest = std::max(longest, way.sent_for);
    const Picoseconds path =
        message.size >= wire_.mtu ? way.full_packet_latency : latency(way, wire_.packet_size(message.size));
    way.last_delivery = std::max(way.last_delivery, std::max(through, way.busy_until) + path);
    pending_.push({way.last_delivery, message.id, at, message.size});
  }

  void leave_trunks(std::span<const Message> messages) {
    for (const Message& message : messages) {
      for (const TrunkId id : ways_[message.qp].trunks) {
        Trunk& trunk = trunks_[id];
        if (trunk.through == Bytes::zero()) continue;  // already done for another message
        trunk.busy_until = trunk.start + trunk.wire.time(trunk.through);
        trunk.through = Bytes::zero();
      }
    }
  }

  /// Time of the path beyond that of sending: a single packet from end to end, less its time on the slowest port.
  [[nodiscard]] Picoseconds latency(const Way& way, Bytes packet) const {
    Picoseconds head, tail;  // when the packet's first and last bit reach the next node
    BitsPerSecond before = BitsPerSecond::zero();
    for (const TrunkId id : way.trunks) {
      const BitsPerSecond rate = fabric_.trunk_port_rate[id];
      const bool stores = fabric_.switching == Switching::store_and_forward || rate > before;  // a faster port would run dry
      const Picoseconds start = stores ? tail : head;
      head = start + fabric_.trunk_delay[id];
      tail = head + transmit_time(packet, rate);
      before = rate;
    }
    return tail - transmit_time(packet, way.slowest_port.rate) + fabric_.host_latency * 2;
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
  Telemetry& telemetry_;
  Table<TrunkId, Trunk> trunks_;
  Table<QpId, Way> ways_;
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> pending_;
  std::vector<std::uint32_t> order_;  // of the batch being posted
  std::vector<Picoseconds> through_;
  Picoseconds now_, last_post_;
};

}  // namespace

std::unique_ptr<Engine> make_analytic_engine(const Fabric& fabric, const WireFormat& wire, Telemetry& telemetry) {
  return std::make_unique<AnalyticEngine>(fabric, wire, telemetry);
}

}  // namespace railyard
