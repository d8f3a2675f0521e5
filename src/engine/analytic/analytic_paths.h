// What messages share, and the paths that queue pairs take across it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "fabric/ecmp.h"
#include "fabric/routes.h"

namespace railyard {

/// One link of a path.
struct PathHop {
  std::uint32_t link;
  TrunkId trunk;  // that it is or belongs to
  std::uint32_t hop;
  double share;  // of what takes the path

  /// The same in 2^-32.
  [[nodiscard]] std::uint64_t fraction() const {
    constexpr double kWhole = 4294967296.0;
    return share >= 1 ? std::uint64_t{1} << 32 : static_cast<std::uint64_t>(std::ceil(share * kWhole));
  }
};

/// Of sizes on the wire, at least a byte more than nothing.
inline Bytes share_of(Bytes size, double share) {
  return share >= 1 ? size : Bytes(static_cast<std::int64_t>(static_cast<double>(size.count()) * share) + 1);
}

/// What a link is follows from the routing. Where a queue pair stays on one path (hashed or pinned), a link is a port: flows
/// that collide share it. Where packets are spread (flowlets, adaptive routing, spraying), a link is a trunk: equal paths share
/// perfectly.
class AnalyticPaths {
 public:
  AnalyticPaths(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing);

  /// Adds the way of a connection, or the one across a trunk, behind those there are. Queue pairs that carry equal parts of
  /// every message advance together, on one way over all of their paths; those that take turns have one each.
  void add(const QueuePair& qp);
  void add(TrunkId hop);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(paths_.size()); }
  [[nodiscard]] std::size_t links() const { return rates_.size(); }
  [[nodiscard]] bool links_are_ports() const { return by_port_; }
  /// Queue pairs that share every message of a connection.
  [[nodiscard]] std::uint32_t qps_per_message() const { return qps_per_message_; }
  [[nodiscard]] BitsPerSecond rate(std::uint32_t link) const { return rates_[link]; }
  [[nodiscard]] BitsPerSecond built_rate(std::uint32_t link) const;
  /// Returns the link. REQUIRES: something is left of it.
  std::uint32_t set_rate(PortId port, BitsPerSecond rate);
  void reset_rates();

  [[nodiscard]] std::span<const PathHop> steps(std::uint32_t path) const {
    return std::span(steps_).subspan(paths_[path].first, paths_[path].size);
  }
  /// The link on which what takes the path is longest by itself.
  [[nodiscard]] const PathHop& narrowest(std::uint32_t path) const { return steps_[paths_[path].narrowest]; }
  /// Beyond the time of sending.
  [[nodiscard]] Picoseconds latency(std::uint32_t path, Bytes payload) const;

 private:
  /// Its steps lie in steps_ from `first` on.
  struct Row {
    std::uint32_t first = 0, size = 0;
    std::uint32_t narrowest = 0;                   // of them
    BitsPerSecond slowest = BitsPerSecond::max();  // port, or trunk that carries all of it
    Picoseconds reducer;                           // the switch that begins it computes first
    Picoseconds full_packet_latency;
  };

  void add_path(const QueuePair& qp, std::vector<PathHop>& steps);
  void add_steps(const std::vector<PathHop>& steps, Picoseconds reducer);
  [[nodiscard]] Picoseconds packet_latency(const Row& path, Bytes packet) const;

  const Fabric& fabric_;
  const WireFormat wire_;
  const PathPolicy routing_;
  const bool by_port_;
  const std::uint32_t qps_per_message_;
  std::vector<BitsPerSecond> rates_;        // by link
  Table<PortId, BitsPerSecond> port_rate_;  // once some have changed
  std::vector<Row> paths_;
  std::vector<PathHop> steps_;
  Table<InterfaceId, std::uint32_t> queue_pairs_at_;  // opened so far
};

}  // namespace railyard
