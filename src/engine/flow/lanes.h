// What flows compete for, and what of it each one crosses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "engine/flow/max_min.h"
#include "fabric/live.h"
#include "fabric/routes.h"

namespace railyard {

/// Adds up what one strand puts on lanes, in 2^-32 of its rate. Scratch: costs what is touched.
class LaneSum {
 public:
  explicit LaneSum(std::size_t lanes) : sums_(lanes, 0) {}

  void add(std::uint32_t lane, std::uint64_t part) {
    if (sums_[lane] == 0) touched_.push_back(lane);
    sums_[lane] += part;
  }
  [[nodiscard]] std::span<const std::uint32_t> touched() const { return touched_; }
  [[nodiscard]] std::uint64_t part(std::uint32_t lane) const { return sums_[lane]; }
  void clear() {
    for (const std::uint32_t lane : touched_) sums_[lane] = 0;
    touched_.clear();
  }

 private:
  std::vector<std::uint64_t> sums_;
  std::vector<std::uint32_t> touched_;
};

/// The latency of a way beyond the time of sending, for a full packet and for one without a byte; none where there is no way.
struct WayLatency {
  Picoseconds full, empty;
};

/// Lanes are ports where flows stay on the paths that hashes choose, and whole trunks where they are spread over all equal
/// ones. The last lane leads nowhere: flows that are cut off cross it.
class Lanes {
 public:
  Lanes(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, double efficiency);

  [[nodiscard]] std::size_t size() const { return capacity_.size(); }
  [[nodiscard]] std::span<const std::int64_t> capacity() const { return capacity_; }
  [[nodiscard]] bool are_ports() const { return ports_; }
  [[nodiscard]] std::uint32_t nowhere() const { return static_cast<std::uint32_t>(capacity_.size() - 1); }
  [[nodiscard]] TrunkId trunk_of(std::uint32_t lane) const;
  [[nodiscard]] BitsPerSecond rate_of(std::uint32_t lane) const;  // today's, whatever efficiency leaves of it
  /// Paths one connection is spread over: its queue pairs, or the most that packets may take.
  [[nodiscard]] std::uint32_t paths() const { return paths_; }

  /// True if a port went down or came back: ways may have changed.
  bool set_rate(PortId port, BitsPerSecond rate);

  /// Starts numbering queue pairs again, for adding every edge once more.
  void restart();
  /// Adds an edge over all its paths, or over the next one alone.
  WayLatency add(const Edge& edge, LaneSum& sum);
  WayLatency add_path(const Edge& edge, LaneSum& sum);
  /// The neighbour across one trunk, all of its links alike.
  WayLatency add(TrunkId hop, LaneSum& sum);

 private:
  struct Leg {
    TrunkId trunk;
    std::uint32_t hop;
  };

  WayLatency add_one(const Edge& edge, std::uint64_t part, LaneSum& sum);
  WayLatency add_spread(const Edge& edge, LaneSum& sum);
  [[nodiscard]] double usable_share(TrunkId trunk, EndpointId to) const;
  [[nodiscard]] WayLatency latency() const;
  void settle(TrunkId trunk);

  const Fabric& fabric_;
  const WireFormat wire_;
  const PathPolicy routing_;
  double efficiency_;
  bool ports_;
  std::uint32_t paths_;
  std::vector<std::int64_t> capacity_;
  Table<PortId, BitsPerSecond> rate_;
  LivePorts live_;
  QueuePairNumbers numbers_;
  Table<InterfaceId, std::uint32_t> queue_pairs_at_;  // opened so far
  std::vector<PortId> path_;                          // scratch
  std::vector<Leg> legs_;
  Way way_;
};

}  // namespace railyard
