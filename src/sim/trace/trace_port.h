// The one engine that everything of a trace is played over: one connection for each pair of endpoints.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"
#include "sim/trace/trace_messages.h"
#include "trace/graph.h"

namespace railyard {

/// Messages are posted together when all of an instant are known.
class TraceWire {
 public:
  TraceWire(Engine& engine, TraceMessages& messages) : engine_(engine), messages_(messages) {}

  QpId connect(EndpointId from, EndpointId to) {
    const auto [entry, is_new] = known_.try_emplace({from, to}, QpId());
    if (!is_new) return entry->second;
    entry->second = engine_.open(QueuePair{from, to});
    ends_.emplace(entry->second, std::pair(from, to));
    messages_.add_connection(from, to);
    return entry->second;
  }

  void send(QpId connection, Bytes size, const TraceMessageOwner& owner) {
    const auto& [from, to] = ends_.at(connection);
    ready_.push_back({messages_.post({from, to, size, engine_.now()}, owner), connection, size});
  }

  void post() {
    if (!ready_.empty()) engine_.post(ready_, engine_.now());
    under_way_ += ready_.size();
    ready_.clear();
  }

  TraceMessageOwner deliver(const Completion& completion) {
    under_way_--;
    return messages_.deliver(completion);
  }

  [[nodiscard]] std::uint64_t under_way() const { return under_way_; }
  [[nodiscard]] Engine& engine() { return engine_; }

 private:
  Engine& engine_;
  TraceMessages& messages_;
  std::map<std::pair<EndpointId, EndpointId>, QpId> known_;
  std::map<QpId, std::pair<EndpointId, EndpointId>> ends_;
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
