// What was opened, and the paths it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "engine/flow/flow_links.h"
#include "engine/flow/flow_table.h"

namespace railyard {

inline constexpr std::uint32_t kNoFlight = 0xFFFFFFFF;  // of those in flight

/// A connection, a bundle or a hop: its messages take lines in turn.
struct Connection {
  Edge edge = {};                        // of a connection
  std::unique_ptr<const Bundle> bundle;  // or several
  TrunkId hop = {};                      // or none
  std::uint32_t first = 0, lines = 1, turn = 0;
  std::uint32_t first_waiting = kNoFlight, last_waiting = kNoFlight;  // of several lines: messages in flight, as posted
  Picoseconds last_delivery = {};                                     // later messages do not overtake

  [[nodiscard]] std::span<const Edge> edges() const {
    if (hop.valid()) return {};
    return bundle ? std::span<const Edge>(bundle->edges) : std::span<const Edge>(&edge, 1);
  }
};

/// One message after the other, each over all flows of the line.
struct Line {
  QpId connection;
  std::uint32_t first = 0, flows = 1;
  std::uint32_t head = kNoFlight, tail = kNoFlight;  // messages in flight, which know who follows them
};

/// Cuts what is opened into lines and flows and finds their paths.
class Connections {
 public:
  /// `merged`: all flows of a bundle are one. `on_path` hears of every flow's path, and of its new one.
  Connections(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, double efficiency, bool merged,
              std::function<void(FlowId, const LinkFractions&)> on_path);

  QpId open(Connection connection);
  /// Everybody's path, anew: some port went down or came back.
  void recompute_paths();

  [[nodiscard]] FlowLinks& links() { return links_; }
  [[nodiscard]] const FlowLinks& links() const { return links_; }
  [[nodiscard]] FlowTable& flows() { return flows_; }
  [[nodiscard]] const FlowTable& flows() const { return flows_; }
  [[nodiscard]] Connection& operator[](QpId id) { return connections_[id]; }
  /// Queue pairs that share every message of it, as messages of their own.
  [[nodiscard]] std::uint32_t qps_per_message(QpId id) const {
    return connections_[id].bundle || connections_[id].hop.valid() ? 1 : qps_per_message_;
  }
  [[nodiscard]] Line& line(std::uint32_t index) { return lines_[index]; }
  [[nodiscard]] Line& line_of(FlowId flow) { return lines_[flow_rows_[flow.index()].line]; }
  [[nodiscard]] const PathLatency& latency(FlowId flow) const { return latencies_[flow_rows_[flow.index()].latency]; }
  [[nodiscard]] std::size_t flow_count() const { return flow_rows_.size(); }
  /// Nothing is under way any more.
  void forget_messages();

 private:
  struct FlowRow {
    std::uint32_t line = 0;
    std::uint32_t latency = 0;  // in latencies_
  };

  void add_flows(const Connection& connection);
  void add_edges(const Connection& connection);
  void add_flow(std::uint32_t line, const PathLatency& latency);
  [[nodiscard]] std::uint32_t number_of(const PathLatency& latency);

  const QpUse use_;
  const std::uint32_t qps_per_message_;
  const bool merged_;
  const std::function<void(FlowId, const LinkFractions&)> on_path_;
  FlowLinks links_;
  LinkFractions sum_;
  FlowTable flows_;
  Table<QpId, Connection> connections_;
  LargeArray<Line> lines_;
  LargeArray<FlowRow> flow_rows_;  // by flow
  std::vector<PathLatency> latencies_;
};

}  // namespace railyard
