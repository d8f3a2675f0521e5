// What flows compete for, and what of it each one crosses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "engine/rates/max_min.h"
#include "fabric/live.h"
#include "fabric/routes.h"

namespace railyard {

/// Adds up what one strand puts on lanes, in 2^-32 of its rate. Scratch: costs what is touched.
class LaneSum {
 public:
  explicit LaneSum(std::size_t lanes) : place_(lanes, 0) {}

  void add(std::uint32_t lane, std::uint64_t part) {
    const std::size_t at = lanes_.size() < kFew ? search(lane) : place_[lane] == 0 ? lanes_.size() : place_[lane] - 1;
    if (at < lanes_.size()) {
      parts_[at] += part;
      return;
    }
    lanes_.push_back(lane);
    parts_.push_back(part);
    if (lanes_.size() == kFew)
      note_places();
    else if (lanes_.size() > kFew)
      place_[lane] = static_cast<std::uint32_t>(lanes_.size());
  }
  /// In the order in which they were first touched, and what is on them.
  [[nodiscard]] std::span<const std::uint32_t> lanes() const { return lanes_; }
  [[nodiscard]] std::span<const std::uint64_t> parts() const { return parts_; }
  void clear() {
    if (lanes_.size() >= kFew)
      for (const std::uint32_t lane : lanes_) place_[lane] = 0;
    lanes_.clear();
    parts_.clear();
  }

 private:
  static constexpr std::size_t kFew = 16;  // are searched; the places of more are noted

  [[nodiscard]] std::size_t search(std::uint32_t lane) const {
    std::size_t at = 0;
    while (at < lanes_.size() && lanes_[at] != lane) at++;
    return at;
  }
  void note_places() {
    for (std::size_t i = 0; i < lanes_.size(); i++) place_[lanes_[i]] = static_cast<std::uint32_t>(i + 1);
  }

  LargeArray<std::uint32_t> place_;  // by lane, behind the one it has below; 0: none
  std::vector<std::uint32_t> lanes_;
  std::vector<std::uint64_t> parts_;
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
  /// What latency sees of a leg: trunks of one kind are equally fast and long.
  struct Gait {
    std::uint32_t kind, hop;
    friend bool operator==(const Gait&, const Gait&) = default;
  };
  struct TrunkKind {
    BitsPerSecond port_rate, rate;
    Picoseconds delay;
    friend auto operator<=>(const TrunkKind&, const TrunkKind&) = default;
  };

  WayLatency add_one(const Edge& edge, std::uint64_t part, LaneSum& sum);
  WayLatency add_spread(const Edge& edge, LaneSum& sum);
  [[nodiscard]] double usable_share(TrunkId trunk, EndpointId to) const;
  [[nodiscard]] WayLatency latency();
  void sort_trunks();
  void settle(TrunkId trunk);

  const Fabric& fabric_;
  const WireFormat wire_;
  const PathPolicy routing_;
  double efficiency_;
  bool ports_;
  std::uint32_t paths_;
  LargeArray<std::int64_t> capacity_;
  Table<PortId, BitsPerSecond> rate_;
  Table<TrunkId, std::uint32_t> kind_;  // equal for trunks of one kind
  LivePorts live_;
  QueuePairNumbers numbers_;
  Table<InterfaceId, std::uint32_t> queue_pairs_at_;  // opened so far
  std::vector<PortId> path_;                          // scratch
  std::vector<Leg> legs_;
  std::vector<Gait> gait_, last_gait_;  // of these, and of those whose latency was last found
  WayLatency last_latency_;
  Way way_;
};

}  // namespace railyard
