#include "engine/flow/connections.h"

#include <algorithm>
#include <utility>

namespace railyard {

Connections::Connections(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, double efficiency,
                         bool merged, std::function<void(FlowId, const LinkFractions&)> on_path)
    : fabric_(fabric),
      wire_(wire),
      use_(routing.use),
      qps_per_message_(keeps_path(routing.policy) && routing.use == QpUse::split ? routing.queue_pairs : 1),
      merged_(merged),
      on_path_(std::move(on_path)),
      links_(fabric, wire, routing, efficiency),
      sum_(links_.size()) {}

bool Connections::leaves_scale_up(FlowId flow) const {
  const std::span<const std::uint32_t> crossed = flows_.links(flow);
  return std::any_of(crossed.begin(), crossed.end(), [&](std::uint32_t link) {
    return link != links_.nowhere() && !is_scale_up(fabric_.trunk_tier[links_.trunk_of(link)]);
  });
}

FlowPaths Connections::paths(std::int64_t cap, std::optional<Bytes> window) {
  if (!window) return flows_.paths(links_.capacity(), cap);
  const double packet = static_cast<double>(wire_.packet_size(wire_.mtu).count()) / static_cast<double>(wire_.mtu.count());
  const double bits = 8 * packet * static_cast<double>(window->count()) * kRateUnitsPerBit;
  std::vector<std::int64_t> caps(flow_count(), cap);
  for (std::uint32_t i = 0; i < caps.size(); i++) {
    const PathLatency& way = latency(FlowId(i));
    const double round_trip = static_cast<double>((way.full + way.empty).count()) / kPicosecondsPerSecond;
    if (round_trip > 0 && leaves_scale_up(FlowId(i)))
      caps[i] = static_cast<std::int64_t>(std::clamp(bits / round_trip, 1.0, static_cast<double>(cap)));
  }
  return flows_.paths(links_.capacity(), cap, caps);
}

QpId Connections::open(const Bundle& bundle) {
  bundles_.push_back(bundle);
  return open({.bundle = static_cast<std::uint32_t>(bundles_.size() - 1)});
}

QpId Connections::open(const Connection& connection) {
  const bool in_turn = !connection.is_bundle() && !connection.hop.valid() && use_ == QpUse::round_robin;
  const std::uint32_t lines = in_turn ? links_.paths() : 1;
  const QpId id = connections_.push(connection);
  connections_[id].first = static_cast<std::uint32_t>(lines_.size());
  if (lines > 1) turns_.resize(connections_.size()), turns_.back().lines = lines;
  lines_.resize(lines_.size() + lines, Line{.connection = id});
  add_flows(id);
  return id;
}

void Connections::add_flows(QpId id) {
  const Connection& connection = connections_[id];
  if (connection.hop.valid()) return add_flow(connection.first, links_.add(connection.hop, sum_));
  const Turns* const several = turns(id);
  if (!several) return add_edges(connection);
  for (std::uint32_t i = 0; i < several->lines; i++)
    add_flow(connection.first + i, links_.add_path(first_edge(connection), sum_));
}

void Connections::add_edges(const Connection& connection) {
  if (!connection.is_bundle()) return add_flow(connection.first, links_.add(first_edge(connection), sum_));
  const Bundle& bundle = bundles_[connection.bundle];
  const bool single = bundle.flow_ends.empty();
  const std::size_t all = bundle.edges.size() + bundle.hops.size();
  const std::size_t flows = merged_ ? 1 : single ? all : bundle.flow_ends.size();
  std::size_t edge = 0;
  for (std::size_t flow = 0; flow < flows; flow++) {
    const std::size_t end = flows == 1 ? all : single ? flow + 1 : bundle.flow_ends[flow];
    PathLatency longest;
    for (; edge < end; edge++) {
      if (!bundle.hops.empty()) {
        links_.add(bundle.hops[edge], sum_);
        continue;
      }
      const PathLatency one = links_.add(bundle.edges[edge], sum_);
      longest.full = std::max(longest.full, one.full);
      longest.empty = std::max(longest.empty, one.empty);
    }
    add_flow(connection.first, longest);
  }
}

/// Puts the flow that was summed up into the book; one that is there already only gets its new path.
void Connections::add_flow(std::uint32_t line, const PathLatency& latency) {
  const Connection& connection = connections_[lines_[line].connection];
  const FlowId id = flows_.add(sum_, connection.is_bundle() ? bundles_[connection.bundle].priority : 0);
  if (id.index() == flow_rows_.size()) {
    if (flow_rows_.empty() || flow_rows_.back().line != line) lines_[line].first = id.index();
    lines_[line].flows = id.index() - lines_[line].first + 1;
    flow_rows_.push_back({.line = line});
  }
  flow_rows_[id.index()].latency = number_of(latency);
  on_path_(id, sum_);
  sum_.clear();
}

/// One of the last few that were seen, or a new one.
std::uint32_t Connections::number_of(const PathLatency& latency) {
  constexpr std::size_t kLately = 8;
  for (std::size_t i = latencies_.size(); i > 0 && i + kLately > latencies_.size(); i--)
    if (latencies_[i - 1] == latency) return static_cast<std::uint32_t>(i - 1);
  latencies_.push_back(latency);
  return static_cast<std::uint32_t>(latencies_.size() - 1);
}

Connections::FoundPaths Connections::take_paths(std::vector<PortId> down) {
  FoundPaths paths{std::move(down), std::move(flows_), std::move(latencies_), {}};
  paths.latency_of.reserve(flow_rows_.size());
  for (const FlowRow& row : flow_rows_) paths.latency_of.push_back(row.latency);
  return paths;
}

void Connections::put_back(FoundPaths paths) {
  flows_ = std::move(paths.flows);
  latencies_ = std::move(paths.latencies);
  for (std::uint32_t i = 0; i < flow_rows_.size(); i++) {
    flow_rows_[i].latency = paths.latency_of[i];
    const auto links = flows_.links(FlowId(i));
    for (std::size_t k = 0; k < links.size(); k++) sum_.add(links[k], flows_.fraction(FlowId(i), k));
    on_path_(FlowId(i), sum_);
    sum_.clear();
  }
}

void Connections::recompute_paths(std::optional<std::vector<PortId>> before, const std::vector<PortId>& down) {
  std::optional<FoundPaths> known;
  if (earlier_ && earlier_->down == down && earlier_->latency_of.size() == flow_rows_.size()) known = std::move(earlier_);
  earlier_.reset();
  if (before) earlier_ = take_paths(std::move(*before));
  if (known) return put_back(std::move(*known));
  links_.restart();
  latencies_.clear();
  flows_.clear();
  for (const QpId id : ids(connections_)) add_flows(id);
}

void Connections::forget_messages() {
  for (Line& line : lines_) line.head = line.tail = kNoFlight;
  for (Connection& connection : connections_) connection.last_delivery = {};
  for (Turns& turns : turns_) turns = {.lines = turns.lines};
}

}  // namespace railyard
