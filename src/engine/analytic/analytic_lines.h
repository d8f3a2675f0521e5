// The connections of the analytic engine, the lines in which their messages wait, and the messages.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "engine/analytic/analytic_messages.h"
#include "engine/slot_pool.h"

namespace railyard {

class AnalyticLines {
 protected:
  /// Queue pairs take turns, or share every message.
  explicit AnalyticLines(bool in_turn) : in_turn_(in_turn) {}

  [[nodiscard]] std::uint32_t lines_of(const AnalyticConnection& connection) const {
    return in_turn_ && !connection.bundle && !connection.hop ? connection.paths : 1;
  }
  [[nodiscard]] const AnalyticConnection& connection_of(std::uint32_t flight) const {
    return connections_[flights_[flight].message.qp];
  }
  [[nodiscard]] std::uint32_t line_of(std::uint32_t flight) const {
    const AnalyticConnection& connection = connection_of(flight);
    return lines_of(connection) > 1 ? in_turns_[flight].line : connection.first_line;
  }

  [[nodiscard]] Bytes payload_of(const AnalyticSend& sent) const {
    const Message& message = flights_[sent.flight].message;
    if (!connections_[message.qp].bundle) return message.size;
    return Bytes(static_cast<std::int64_t>(std::ceil(static_cast<double>(message.size.count()) * bundle_share_[sent.path])));
  }
  /// Not one that still waits in its line.
  [[nodiscard]] bool has_left(std::uint32_t flight) const { return flights_[flight].arrival > Picoseconds::zero(); }

  void forget_messages() {
    for (SendLine& line : lines_) line.head = line.tail = kNoMessage;
    for (AnalyticConnection& connection : connections_) connection.last_delivery = {};
    turns_.assign(turns_.size(), {});
    flights_.clear();
  }

  const bool in_turn_;
  std::vector<double> bundle_share_;  // by way, as far as bundles have them
  Table<QpId, AnalyticConnection> connections_;
  LargeArray<SendLine> lines_;
  SlotPool<AnalyticMessage> flights_;
  LargeArray<AnalyticTurns> turns_;  // by connection, as is in_turns_ by flight, where there are several lines
  LargeArray<AnalyticInTurn> in_turns_;
};

}  // namespace railyard
