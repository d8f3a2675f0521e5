// Connections and their messages: which queue pairs carry them, and when all parts have arrived.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/engine.h"
#include "engine/packet/packet.h"

namespace railyard::packet {

/// A message on its way, in as many parts as queue pairs carry it.
struct InFlight {
  MessageId id;
  QpId connection;
  Bytes payload;
  Time posted = 0, delivered = 0, acknowledged = 0;
  std::uint32_t flows_left = 0, unacknowledged = 0;  // still to come
  bool told = false;                                 // the caller knows that it has arrived
};

/// Messages in the order posted, which `kReaders` take one after the other. Small where there are few.
template<std::uint32_t kReaders>
class MessageQueue {
 public:
  void push_back(std::uint32_t message) { messages_.push_back(message); }
  /// REQUIRES: nobody has taken the last one.
  void pop_back() { messages_.pop_back(); }
  [[nodiscard]] bool empty(std::uint32_t reader = 0) const { return next_[reader] == messages_.size(); }
  [[nodiscard]] std::uint32_t front(std::uint32_t reader = 0) const { return messages_[next_[reader]]; }
  void pop_front(std::uint32_t reader = 0) {
    next_[reader]++;
    const std::uint32_t done = *std::min_element(next_, next_ + kReaders);
    if (done < messages_.size() && (done < kMany || done < messages_.size() / 2)) return;
    messages_.erase(messages_.begin(), messages_.begin() + done);
    for (std::uint32_t& next : next_) next -= done;
  }

 private:
  static constexpr std::uint32_t kMany = 64;  // that are worth to be forgotten
  std::vector<std::uint32_t> messages_;
  std::uint32_t next_[kReaders] = {};
};

/// Books of what was posted. Messages of one connection are complete in the order posted.
class Messages {
 public:
  struct Connection {
    EndpointId from, to;
    std::uint32_t first_flow = 0, flows = 0;
    std::vector<TrunkId> inside;               // the way, where it needs no network
    bool on_all = false;                       // every flow carries a part of every message
    std::optional<Picoseconds> start_up = {};  // before the first packet; a host's latency if not given
    std::uint32_t turn = 0;
    MessageQueue<1> waiting;  // messages, oldest first
    Time last_delivery = 0;
    Picoseconds delay;  // before its NIC hears of a message: GPUs that are handed it first
  };

  QpId open(Connection connection) { return connections_.push(std::move(connection)); }
  Connection& operator[](QpId id) { return connections_[id]; }
  [[nodiscard]] const Connection& operator[](QpId id) const { return connections_[id]; }

  /// A new message; returns its index.
  std::uint32_t add(const Message& message, Time at, std::uint32_t flows_left);
  /// One of its parts goes over `flow`, after all that went before.
  void assign(std::uint32_t message, std::uint32_t flow);

  /// The oldest part of a flow has arrived. Calls `complete(message)` for every message that is done, in order.
  template<class Complete>
  void flow_delivered(std::uint32_t flow, Time at, const Complete& complete) {
    InFlight& message = messages_[take(flows_[flow], delivering)];
    message.delivered = std::max(message.delivered, at);
    if (--message.flows_left > 0) return;
    Connection& connection = connections_[message.connection];
    while (!connection.waiting.empty() && messages_[connection.waiting.front()].flows_left == 0) {
      InFlight& done = messages_[connection.waiting.front()];
      done.delivered = connection.last_delivery = std::max(done.delivered, connection.last_delivery);
      complete(connection.waiting.front());
      connection.waiting.pop_front();
    }
  }
  void flow_acknowledged(std::uint32_t flow, Time at) {
    const std::uint32_t index = take(flows_[flow], acknowledging);
    InFlight& message = messages_[index];
    message.acknowledged = std::max(message.acknowledged, at);
    message.unacknowledged--;
    if (message.told) let_go(index);
  }

  [[nodiscard]] const InFlight& message(std::uint32_t index) const { return messages_[index]; }
  [[nodiscard]] std::size_t outstanding() const { return added_ - complete_; }
  /// The caller has been told of a message.
  void note_complete(std::uint32_t index) {
    complete_++;
    messages_[index].told = true;
    let_go(index);
  }
  /// Rows of messages that are told of and acknowledged are used again from now on: nobody looks at them later.
  void reuse_rows() { reuses_rows_ = true; }
  void forget_messages();

 private:
  using Flow = MessageQueue<2>;
  enum Reader : std::uint8_t { delivering, acknowledging };
  static std::uint32_t take(Flow& flow, Reader reader) {
    RY_CHECK(!flow.empty(reader), "what arrives was sent");
    const std::uint32_t first = flow.front(reader);
    flow.pop_front(reader);
    return first;
  }

  void let_go(std::uint32_t index) {
    if (reuses_rows_ && messages_[index].unacknowledged == 0) free_.push_back(index);
  }

  Table<QpId, Connection> connections_;
  std::vector<InFlight> messages_;
  std::vector<Flow> flows_;
  std::size_t added_ = 0, complete_ = 0;
  bool reuses_rows_ = false;
  std::vector<std::uint32_t> free_;  // rows
};

}  // namespace railyard::packet
