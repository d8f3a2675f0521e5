// The connections of the analytic engine, the lines in which their messages wait, and the messages.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/large_array.h"
#include "engine/analytic/analytic_messages.h"
#include "engine/analytic/analytic_paths.h"
#include "engine/slot_pool.h"
#include "engine/start_queue.h"

namespace railyard {

/// For the engine and its parts alone: it hides nothing from them.
class AnalyticLines {
 public:
  AnalyticLines(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing)
      : in_turn_(keeps_path(routing.policy) && routing.use == QpUse::round_robin), wire_(wire), paths_(fabric, wire, routing) {}

  QpId add(const QueuePair& qp) {
    const std::uint32_t first = paths_.size();
    paths_.add(qp);
    return add_connection(first, in_turn_ ? paths_.size() - first : 1);
  }
  QpId add(const Bundle& bundle) {
    const std::uint32_t first = paths_.size();
    for (const Edge& edge : bundle.edges) {
      const std::uint32_t before = paths_.size();
      paths_.add({edge.from, edge.to});
      bundle_share_.resize(before, 1);
      bundle_share_.resize(paths_.size(), edge.share / static_cast<double>(paths_.size() - before));
    }
    const QpId id = add_connection(first, 1);
    connections_[id].bundle = true;
    plain_ = false;
    return id;
  }
  QpId add(TrunkId hop) {
    paths_.add(hop);
    const QpId id = add_connection(paths_.size() - 1, 1);
    connections_[id].hop = true;
    plain_ = false;
    return id;
  }

  /// A message that starts, which is in no line.
  std::uint32_t take(const MessageStart& start) {
    const std::uint32_t flight = flights_.take();
    flights_[flight] = {.message = start.message, .posted = start.at, .arrival = {}};
    return flight;
  }
  /// At the end of the line whose turn it is. Returns whether it is the first there.
  bool queue(std::uint32_t flight) {
    const AnalyticConnection& connection = connection_of(flight);
    if (lines_of(connection) > 1) {
      AnalyticTurns& turns = turns_[flights_[flight].message.qp.index()];
      if (in_turns_.size() <= flight) in_turns_.resize(flight + 1);
      in_turns_[flight] = {.line = connection.first_line + turns.turn++ % lines_of(connection)};
      (turns.first == kNoMessage ? turns.first : in_turns_[turns.last].next) = flight;
      turns.last = flight;
    }
    SendLine& line = lines_[line_of(flight)];
    const bool first = line.head == kNoMessage;
    (first ? line.head : flights_[line.tail].next) = flight;
    line.tail = flight;
    return first;
  }

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
    if (plain_ || !connections_[message.qp].bundle) return message.size;
    return Bytes(static_cast<std::int64_t>(std::ceil(static_cast<double>(message.size.count()) * bundle_share_[sent.path])));
  }
  /// Queue pairs that share a message of a connection.
  [[nodiscard]] std::uint32_t qps_of(std::uint32_t flight) const {
    if (plain_) return paths_.qps_per_message();
    const AnalyticConnection& connection = connection_of(flight);
    return connection.bundle || connection.hop ? 1 : paths_.qps_per_message();
  }
  /// What one of them carries of it.
  [[nodiscard]] Bytes payload_of_qp(const AnalyticSend& sent) const {
    const std::uint32_t qps = qps_of(sent.flight);
    const Bytes payload = payload_of(sent);
    return qps == 1 ? payload : WireFormat::share_of(payload, qps);
  }
  [[nodiscard]] Bytes wire_size_of(const AnalyticSend& sent) { return wire_size(payload_of(sent), qps_of(sent.flight)); }
  /// Messages of a collective mostly have the size of the last one.
  [[nodiscard]] Bytes wire_size(Bytes payload, std::uint32_t qps) {
    if (payload != last_wire_.payload || qps != last_wire_.qps) last_wire_ = {payload, wire_.wire_size(payload, qps), qps};
    return last_wire_.wire;
  }
  /// Not one that still waits in its line.
  [[nodiscard]] bool has_left(std::uint32_t flight) const { return flights_[flight].arrival > Picoseconds::zero(); }

  void forget_messages() {
    for (SendLine& line : lines_) line.head = line.tail = kNoMessage;
    for (AnalyticConnection& connection : connections_) connection.last_delivery = {};
    turns_.assign(turns_.size(), {});
    flights_.clear();
  }

  QpId add_connection(std::uint32_t first_path, std::uint32_t lines) {
    const auto first_line = static_cast<std::uint32_t>(lines_.size());
    const QpId id = connections_.push({first_path, paths_.size() - first_path, first_line});
    if (lines > 1) turns_.resize(connections_.size());
    lines_.resize(lines_.size() + lines, {.connection = id});
    return id;
  }

  const bool in_turn_;  // queue pairs take turns, or share every message
  bool plain_ = true;   // no connection is a bundle or a hop
  const WireFormat wire_;
  AnalyticWireSize last_wire_;
  AnalyticPaths paths_;
  std::vector<double> bundle_share_;  // by way, as far as bundles have them
  Table<QpId, AnalyticConnection> connections_;
  LargeArray<SendLine> lines_;
  SlotPool<AnalyticMessage> flights_;
  LargeArray<AnalyticTurns> turns_;  // by connection, as is in_turns_ by flight, where there are several lines
  LargeArray<AnalyticInTurn> in_turns_;
};

}  // namespace railyard
