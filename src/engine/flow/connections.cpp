#include "engine/flow/connections.h"

#include <algorithm>
#include <utility>

namespace railyard {

Connections::Connections(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, double efficiency,
                         bool merged, std::function<void(StrandId, const LaneSum&)> on_way)
    : use_(routing.use),
      parts_(keeps_path(routing.policy) && routing.use == QpUse::split ? routing.queue_pairs : 1),
      merged_(merged),
      on_way_(std::move(on_way)),
      lanes_(fabric, wire, routing, efficiency),
      sum_(lanes_.size()) {}

QpId Connections::open(Connection connection) {
  const bool in_turn = !connection.bundle && !connection.hop.valid() && use_ == QpUse::round_robin;
  connection.first = static_cast<std::uint32_t>(lines_.size());
  connection.lines = in_turn ? lanes_.paths() : 1;
  const QpId id = connections_.push(std::move(connection));
  lines_.resize(lines_.size() + connections_[id].lines, Line{.connection = id});
  add_strands(connections_[id]);
  return id;
}

void Connections::add_strands(const Connection& connection) {
  if (connection.hop.valid()) return add_strand(connection.first, lanes_.add(connection.hop, sum_));
  if (connection.lines == 1) return add_edges(connection);
  for (std::uint32_t i = 0; i < connection.lines; i++) add_strand(connection.first + i, lanes_.add_path(connection.edge, sum_));
}

void Connections::add_edges(const Connection& connection) {
  const std::span<const Edge> edges = connection.edges();
  const bool single = !connection.bundle || connection.bundle->strand_ends.empty();
  const std::size_t strands = merged_ ? 1 : single ? edges.size() : connection.bundle->strand_ends.size();
  std::size_t edge = 0;
  for (std::size_t strand = 0; strand < strands; strand++) {
    const std::size_t end = strands == 1 ? edges.size() : single ? strand + 1 : connection.bundle->strand_ends[strand];
    WayLatency longest;
    for (; edge < end; edge++) {
      const WayLatency one = lanes_.add(edges[edge], sum_);
      longest.full = std::max(longest.full, one.full);
      longest.empty = std::max(longest.empty, one.empty);
    }
    add_strand(connection.first, longest);
  }
}

/// Puts the strand that was summed up into the book; one that is there already only gets its new way.
void Connections::add_strand(std::uint32_t line, const WayLatency& latency) {
  const Connection& connection = connections_[lines_[line].connection];
  const StrandId id = strands_.add(sum_, connection.bundle ? connection.bundle->priority : 0);
  if (id.index() == ways_.size()) {
    if (ways_.empty() || ways_.back().line != line) lines_[line].first = id.index();
    lines_[line].strands = id.index() - lines_[line].first + 1;
    ways_.push_back({.line = line});
  }
  ways_[id.index()].latency = latency;
  on_way_(id, sum_);
  sum_.clear();
}

void Connections::find_ways_again() {
  lanes_.restart();
  strands_.clear();
  for (const Connection& connection : connections_) add_strands(connection);
}

void Connections::forget_messages() {
  for (Line& line : lines_) line.head = line.tail = Line::kNone;
  for (Connection& connection : connections_) connection.turn = 0, connection.waiting.clear(), connection.last_delivery = {};
}

}  // namespace railyard
