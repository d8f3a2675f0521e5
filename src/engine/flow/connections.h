// What was opened, and the paths it takes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "engine/flow/flow_links.h"
#include "engine/flow/flow_table.h"

namespace railyard {

inline constexpr std::uint32_t kNoFlight = 0xFFFFFFFF;  // of those in flight

/// A connection, a bundle or a hop.
struct Connection {
  EndpointId from = {}, to = {};     // of a connection
  std::uint32_t bundle = kNoBundle;  // or one of several edges, by number
  TrunkId hop = {};                  // or across one trunk
  std::uint32_t first = 0;           // line
  Picoseconds last_delivery = {};    // later messages do not overtake

  static constexpr std::uint32_t kNoBundle = 0xFFFFFFFF;
  [[nodiscard]] bool is_bundle() const { return bundle != kNoBundle; }
};
static_assert(sizeof(Connection) == 32, "an all-to-all has one for every pair");

/// Of a connection whose messages take several lines in turn: whose turn it is, and messages in flight as posted.
struct Turns {
  std::uint32_t lines = 1, turn = 0;
  std::uint32_t first = kNoFlight, last = kNoFlight;
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

  QpId open(const Connection& connection);
  QpId open(const Bundle& bundle);
  /// Everybody's path, anew: some port went down or came back, and these are down now. `before`: those that all paths at hand
  /// were found with, to be kept until the next change, which may lead back there.
  void recompute_paths(std::optional<std::vector<PortId>> before, const std::vector<PortId>& down);

  /// What the solver has to look at; no flow exceeds `cap`, nor a `window` of payload per round trip.
  [[nodiscard]] FlowPaths paths(std::int64_t cap, std::optional<Bytes> window);

  [[nodiscard]] FlowLinks& links() { return links_; }
  [[nodiscard]] const FlowLinks& links() const { return links_; }
  [[nodiscard]] FlowTable& flows() { return flows_; }
  [[nodiscard]] const FlowTable& flows() const { return flows_; }
  [[nodiscard]] Connection& operator[](QpId id) { return connections_[id]; }
  /// Queue pairs that share every message of it, as messages of their own.
  [[nodiscard]] std::uint32_t qps_per_message(QpId id) const {
    return connections_[id].is_bundle() || connections_[id].hop.valid() ? 1 : qps_per_message_;
  }
  /// None if it has one line.
  [[nodiscard]] Turns* turns(QpId id) {
    return id.index() < turns_.size() && turns_[id.index()].lines > 1 ? &turns_[id.index()] : nullptr;
  }
  /// Whether it leads from endpoints to endpoints, and not over single hops.
  [[nodiscard]] bool has_ends(const Connection& connection) const {
    return connection.is_bundle() ? !bundles_[connection.bundle].edges.empty() : !connection.hop.valid();
  }
  /// REQUIRES: it has ends.
  [[nodiscard]] Edge first_edge(const Connection& connection) const {
    return connection.is_bundle() ? bundles_[connection.bundle].edges.front() : Edge{connection.from, connection.to};
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

  /// Where flows went with some ports down.
  struct FoundPaths {
    std::vector<PortId> down;
    FlowTable flows;
    std::vector<PathLatency> latencies;
    LargeArray<std::uint32_t> latency_of;  // by flow
  };
  [[nodiscard]] FoundPaths take_paths(std::vector<PortId> down);
  void put_back(FoundPaths paths);

  void add_flows(QpId id);
  void add_edges(const Connection& connection);
  void add_flow(std::uint32_t line, const PathLatency& latency);
  [[nodiscard]] std::uint32_t number_of(const PathLatency& latency);

  [[nodiscard]] bool leaves_scale_up(FlowId flow) const;

  const Fabric& fabric_;
  const WireFormat wire_;
  const QpUse use_;
  const std::uint32_t qps_per_message_;
  const bool merged_;
  const std::function<void(FlowId, const LinkFractions&)> on_path_;
  FlowLinks links_;
  LinkFractions sum_;
  FlowTable flows_;
  Table<QpId, Connection> connections_;
  LargeArray<Turns> turns_;  // by connection, as far as some have several lines
  std::vector<Bundle> bundles_;
  LargeArray<Line> lines_;
  LargeArray<FlowRow> flow_rows_;  // by flow
  std::vector<PathLatency> latencies_;
  std::optional<FoundPaths> earlier_;  // before the last change, if that may be undone
};

}  // namespace railyard
