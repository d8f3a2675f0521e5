#include "engine/packet/messages.h"

namespace railyard::packet {

std::uint32_t Messages::add(const Message& message, Time at, std::uint32_t flows_left) {
  const auto index = static_cast<std::uint32_t>(messages_.size());
  messages_.push_back({.id = message.id,
                       .connection = message.qp,
                       .payload = message.size,
                       .posted = at,
                       .delivered = 0,
                       .acknowledged = 0,
                       .flows_left = flows_left,
                       .unacknowledged = flows_left});
  connections_[message.qp].waiting.push_back(index);
  return index;
}

void Messages::assign(std::uint32_t message, std::uint32_t flow) {
  if (flow >= flows_.size()) flows_.resize(flow + 1);
  flows_[flow].push_back(message);
}

void Messages::forget_messages() {
  messages_.clear();
  complete_ = 0;
  for (Flow& flow : flows_) flow = Flow{};
  for (Connection& connection : connections_) {
    connection.waiting = {};
    connection.turn = 0;
    connection.last_delivery = 0;
  }
}

}  // namespace railyard::packet
