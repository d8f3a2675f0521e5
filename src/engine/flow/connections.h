// What was opened, and the ways it takes.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "engine/flow/lanes.h"
#include "engine/flow/strands.h"

namespace railyard {

/// A connection, a bundle or a hop: its messages take lines in turn.
struct Connection {
  Edge edge = {};                        // of a connection
  std::unique_ptr<const Bundle> bundle;  // or several
  TrunkId hop = {};                      // or none
  std::uint32_t first = 0, lines = 1, turn = 0;
  std::deque<std::uint32_t> waiting = {};  // of several lines: messages in flight, in the order posted
  Picoseconds last_delivery = {};          // later messages do not overtake

  [[nodiscard]] std::span<const Edge> edges() const {
    if (hop.valid()) return {};
    return bundle ? std::span<const Edge>(bundle->edges) : std::span<const Edge>(&edge, 1);
  }
};

/// One message after the other, each over all strands of the line.
struct Line {
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;
  QpId connection;
  std::uint32_t first = 0, strands = 1;
  std::uint32_t head = kNone, tail = kNone;  // messages in flight, which know who follows them
};

/// Cuts what is opened into lines and strands and finds their ways.
class Connections {
 public:
  /// `merged`: all strands of a bundle are one. `on_way` hears of every strand's way, and of its new one.
  Connections(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, double efficiency, bool merged,
              std::function<void(StrandId, const LaneSum&)> on_way);

  QpId open(Connection connection);
  /// Everybody's way, anew: some port went down or came back.
  void find_ways_again();

  [[nodiscard]] Lanes& lanes() { return lanes_; }
  [[nodiscard]] const Lanes& lanes() const { return lanes_; }
  [[nodiscard]] Strands& strands() { return strands_; }
  [[nodiscard]] const Strands& strands() const { return strands_; }
  [[nodiscard]] Connection& operator[](QpId id) { return connections_[id]; }
  /// Queue pairs that share every message of it, as messages of their own.
  [[nodiscard]] std::uint32_t parts(QpId id) const {
    return connections_[id].bundle || connections_[id].hop.valid() ? 1 : parts_;
  }
  [[nodiscard]] Line& line(std::uint32_t index) { return lines_[index]; }
  [[nodiscard]] Line& line_of(StrandId strand) { return lines_[ways_[strand.index()].line]; }
  [[nodiscard]] const WayLatency& latency(StrandId strand) const { return ways_[strand.index()].latency; }
  [[nodiscard]] std::size_t strand_count() const { return ways_.size(); }
  /// Nothing is under way any more.
  void forget_messages();

 private:
  struct Way {
    std::uint32_t line = 0;
    WayLatency latency = {};
  };

  void add_strands(const Connection& connection);
  void add_edges(const Connection& connection);
  void add_strand(std::uint32_t line, const WayLatency& latency);

  const QpUse use_;
  const std::uint32_t parts_;
  const bool merged_;
  const std::function<void(StrandId, const LaneSum&)> on_way_;
  Lanes lanes_;
  LaneSum sum_;
  Strands strands_;
  Table<QpId, Connection> connections_;
  LargeArray<Line> lines_;
  LargeArray<Way> ways_;  // by strand
};

}  // namespace railyard
