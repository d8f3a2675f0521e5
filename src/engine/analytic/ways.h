// What messages share, and the ways that queue pairs take across it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "fabric/ecmp.h"
#include "fabric/routes.h"

namespace railyard {

/// One lane of a way.
struct WayStep {
  std::uint32_t lane;
  TrunkId trunk;  // that it is or belongs to
  std::uint32_t hop;
  double share;  // of what takes the way

  /// The same in 2^-32.
  [[nodiscard]] std::uint64_t part() const {
    constexpr double kWhole = 4294967296.0;
    return share >= 1 ? std::uint64_t{1} << 32 : static_cast<std::uint64_t>(std::ceil(share * kWhole));
  }
};

/// Of sizes on the wire, at least a byte more than nothing.
inline Bytes part_of(Bytes size, double share) {
  return share >= 1 ? size : Bytes(static_cast<std::int64_t>(static_cast<double>(size.count()) * share) + 1);
}

/// What a lane is follows from the routing. Where a queue pair stays on one path (hashed or pinned), a lane is a port: flows
/// that collide share it. Where packets are spread (flowlets, adaptive routing, spraying), a lane is a trunk: equal paths share
/// perfectly.
class Ways {
 public:
  Ways(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing);

  /// Adds the way of a connection, or the one across a trunk, behind those there are. Queue pairs that carry equal parts of
  /// every message advance together, on one way over all of their paths; those that take turns have one each.
  void add(const QueuePair& qp);
  void add(TrunkId hop);

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(ways_.size()); }
  [[nodiscard]] std::size_t lanes() const { return rates_.size(); }
  [[nodiscard]] bool lanes_are_ports() const { return by_port_; }
  /// Queue pairs that share every message of a connection.
  [[nodiscard]] std::uint32_t parts() const { return parts_; }
  [[nodiscard]] BitsPerSecond rate(std::uint32_t lane) const { return rates_[lane]; }
  [[nodiscard]] BitsPerSecond built_rate(std::uint32_t lane) const;
  /// Returns the lane. REQUIRES: something is left of it.
  std::uint32_t set_rate(PortId port, BitsPerSecond rate);
  void reset_rates();

  [[nodiscard]] std::span<const WayStep> steps(std::uint32_t way) const {
    return std::span(steps_).subspan(ways_[way].first, ways_[way].size);
  }
  /// The lane on which what takes the way is longest by itself.
  [[nodiscard]] const WayStep& narrowest(std::uint32_t way) const { return steps_[ways_[way].narrowest]; }
  /// Beyond the time of sending.
  [[nodiscard]] Picoseconds latency(std::uint32_t way, Bytes payload) const;

 private:
  /// Its steps lie in steps_ from `first` on.
  struct Row {
    std::uint32_t first = 0, size = 0;
    std::uint32_t narrowest = 0;                   // of them
    BitsPerSecond slowest = BitsPerSecond::max();  // port, or trunk that carries all of it
    Picoseconds reducer;                           // the switch that begins it computes first
    Picoseconds full_packet_latency;
  };

  void add_path(const QueuePair& qp, std::vector<WayStep>& steps);
  void add_steps(const std::vector<WayStep>& steps, Picoseconds reducer);
  [[nodiscard]] Picoseconds packet_latency(const Row& way, Bytes packet) const;

  const Fabric& fabric_;
  const WireFormat wire_;
  const PathPolicy routing_;
  const bool by_port_;
  const std::uint32_t parts_;
  std::vector<BitsPerSecond> rates_;        // by lane
  Table<PortId, BitsPerSecond> port_rate_;  // once some have changed
  std::vector<Row> ways_;
  std::vector<WayStep> steps_;
  Table<InterfaceId, std::uint32_t> queue_pairs_at_;  // opened so far
};

}  // namespace railyard
