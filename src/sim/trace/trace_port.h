// The one engine that everything of a trace is played over: one connection for each pair of endpoints, and a record of every
// message.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"
#include "sim/traffic/traffic_run.h"
#include "trace/graph.h"

namespace railyard {

/// Whose message one is: a node that sends, or a schedule with a name of its own for it.
struct TraceMessageOwner {
  std::uint32_t schedule = 0;  // kNode: none
  std::uint32_t id = 0;        // of the node, or the schedule's own message
  static constexpr std::uint32_t kNode = 0xffff'ffff;
};

/// Messages are numbered through as they are posted, and posted together when all of an instant are known.
class TraceWire {
 public:
  TraceWire(Engine& engine, TrafficRun& traffic) : engine_(engine), traffic_(traffic) {}

  QpId connect(EndpointId from, EndpointId to) {
    const auto [entry, is_new] = known_.try_emplace({from, to}, QpId());
    if (!is_new) return entry->second;
    entry->second = engine_.open(QueuePair{from, to});
    ends_.emplace(entry->second, std::pair(from, to));
    traffic_.connections++;
    return entry->second;
  }

  void send(QpId connection, Bytes size, const TraceMessageOwner& owner) {
    RY_CHECK(owners_.size() < kMostMessages, "messages of a trace have 32-bit numbers");
    const MessageId id(static_cast<std::uint32_t>(owners_.size()));
    const auto& [from, to] = ends_.at(connection);
    owners_.push_back(owner);
    traffic_.messages.push_back({from, to, size, engine_.now()});
    traffic_.delivered.push_back(Picoseconds::max());
    ready_.push_back({id, connection, size});
  }

  void post() {
    if (!ready_.empty()) engine_.post(ready_, engine_.now());
    under_way_ += ready_.size();
    ready_.clear();
  }

  const TraceMessageOwner& deliver(const Completion& completion) {
    traffic_.delivered[completion.id.index()] = completion.at;
    under_way_--;
    return owners_[completion.id.index()];
  }

  [[nodiscard]] std::uint64_t under_way() const { return under_way_; }
  [[nodiscard]] Engine& engine() { return engine_; }

  static constexpr std::uint64_t kMostMessages = 0xffff'fffe;

 private:
  Engine& engine_;
  TrafficRun& traffic_;
  std::map<std::pair<EndpointId, EndpointId>, QpId> known_;
  std::map<QpId, std::pair<EndpointId, EndpointId>> ends_;
  std::vector<TraceMessageOwner> owners_;  // by message
  std::vector<Message> ready_;
  std::uint64_t under_way_ = 0;
};

/// The engine as one schedule of the trace sees it.
class TracePort final : public Engine {
 public:
  TracePort(TraceWire& wire, std::uint32_t schedule) : wire_(wire), schedule_(schedule) {}

  QpId open(const QueuePair& qp) override { return wire_.connect(qp.from, qp.to); }
  QpId open(TrunkId) override { return refuse(), QpId(); }
  QpId open(const Bundle&) override { return refuse(), QpId(); }
  void post(std::span<const Message> messages, Picoseconds) override {
    for (const Message& message : messages) wire_.send(message.qp, message.size, {schedule_, message.id.index()});
  }
  [[nodiscard]] Picoseconds now() const override { return wire_.engine().now(); }

  Picoseconds advance(Picoseconds, std::vector<Completion>&) override { return refuse(), Picoseconds::zero(); }
  void set_rate(PortId, BitsPerSecond, Picoseconds) override { refuse(); }
  void rewind(Sharing) override { refuse(); }
  void finish() override { refuse(); }

 private:
  static void refuse() { RY_CHECK(false, "a trace's collective sends between ranks, and nothing else"); }

  TraceWire& wire_;
  const std::uint32_t schedule_;
};

}  // namespace railyard
