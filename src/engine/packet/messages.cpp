#include "engine/packet/messages.h"

namespace railyard::packet {

std::uint32_t Messages::add(const Message& message, Time at, std::uint32_t flows_left) {
  std::uint32_t index;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(messages_.size());
    messages_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  added_++;
  messages_[index] = {.id = message.id,
                      .connection = message.qp,
                      .payload = message.size,
                      .posted = at,
                      .delivered = 0,
                      .acknowledged = 0,
                      .flows_left = flows_left,
                      .unacknowledged = flows_left};
  connections_[message.qp].waiting.push_back(index);
  return index;
}

void Messages::assign(std::uint32_t message, std::uint32_t flow) {
  if (flow >= flows_.size()) flows_.resize(flow + 1);
  flows_[flow].push_back(message);
}

void Messages::forget_messages() {
  messages_.clear();
  added_ = complete_ = 0;
  free_.clear();
  for (Flow& flow : flows_) flow = Flow{};
  for (Connection& connection : connections_) {
    connection.waiting = {};
    connection.turn = 0;
    connection.last_delivery = 0;
  }
}

}  // namespace railyard::packet
