// What flows compete for, and what of it each one crosses.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/engine.h"
#include "engine/rates/max_min.h"
#include "fabric/live.h"
#include "fabric/routes.h"

namespace railyard {

/// Adds up what one flow puts on links, in 2^-32 of its rate. Scratch: costs what is touched.
class LinkFractions {
 public:
  explicit LinkFractions(std::size_t links) : index_(links, 0) {}

  void add(std::uint32_t link, std::uint64_t fraction) {
    const std::size_t at = links_.size() < kFew ? search(link) : index_[link] == 0 ? links_.size() : index_[link] - 1;
    if (at < links_.size()) {
      fractions_[at] += fraction;
      return;
    }
    links_.push_back(link);
    fractions_.push_back(fraction);
    if (links_.size() == kFew)
      index_links();
    else if (links_.size() > kFew)
      index_[link] = static_cast<std::uint32_t>(links_.size());
  }
  /// In the order in which they were first touched, and what is on them.
  [[nodiscard]] std::span<const std::uint32_t> links() const { return links_; }
  [[nodiscard]] std::span<const std::uint64_t> fractions() const { return fractions_; }
  void clear() {
    if (links_.size() >= kFew)
      for (const std::uint32_t link : links_) index_[link] = 0;
    links_.clear();
    fractions_.clear();
  }

 private:
  static constexpr std::size_t kFew = 16;  // are searched; the places of more are noted

  [[nodiscard]] std::size_t search(std::uint32_t link) const {
    std::size_t at = 0;
    while (at < links_.size() && links_[at] != link) at++;
    return at;
  }
  void index_links() {
    for (std::size_t i = 0; i < links_.size(); i++) index_[links_[i]] = static_cast<std::uint32_t>(i + 1);
  }

  LargeArray<std::uint32_t> index_;  // by link, behind the one it has below; 0: none
  std::vector<std::uint32_t> links_;
  std::vector<std::uint64_t> fractions_;
};

/// The latency of a path beyond the time of sending, for a full packet and for one without a byte; none where there is no way.
struct PathLatency {
  Picoseconds full, empty;

  /// Of a message's last packet.
  [[nodiscard]] Picoseconds of(Bytes payload, const WireFormat& wire) const {
    if (payload >= wire.mtu) return full;
    const double share =
        static_cast<double>(wire.packet_size(payload).count()) / static_cast<double>(wire.packet_size(wire.mtu).count());
    return empty + Picoseconds(static_cast<std::int64_t>(static_cast<double>((full - empty).count()) * share));
  }
  friend bool operator==(const PathLatency&, const PathLatency&) = default;
};

/// Links are ports where flows stay on the paths that hashes choose, and whole trunks where they are spread over all equal
/// ones. The last link leads nowhere: flows that are cut off cross it.
class FlowLinks {
 public:
  FlowLinks(const Fabric& fabric, const WireFormat& wire, const PathPolicy& routing, double efficiency);

  [[nodiscard]] std::size_t size() const { return capacity_.size(); }
  [[nodiscard]] std::span<const std::int64_t> capacity() const { return capacity_; }
  [[nodiscard]] bool are_ports() const { return ports_; }
  [[nodiscard]] std::uint32_t nowhere() const { return static_cast<std::uint32_t>(capacity_.size() - 1); }
  [[nodiscard]] TrunkId trunk_of(std::uint32_t link) const;
  [[nodiscard]] BitsPerSecond rate_of(std::uint32_t link) const;  // today's, whatever efficiency leaves of it
  /// Paths one connection is spread over: its queue pairs, or the most that packets may take.
  [[nodiscard]] std::uint32_t paths() const { return paths_; }

  /// True if a port went down or came back: paths may have changed.
  bool set_rate(PortId port, BitsPerSecond rate);

  /// Starts numbering queue pairs again, for adding every edge once more.
  void restart();
  /// Adds an edge over all its paths, or over the next one alone.
  PathLatency add(const Edge& edge, LinkFractions& sum);
  PathLatency add_path(const Edge& edge, LinkFractions& sum);
  /// The neighbour across one trunk, all of its links alike; or a part of what a bundle carries.
  PathLatency add(TrunkId hop, LinkFractions& sum);
  void add(const Hop& hop, LinkFractions& sum) const;

 private:
  struct TrunkHop {
    TrunkId trunk;
    std::uint32_t hop;
  };
  /// What latency sees of a leg: trunks of one kind are equally fast and long.
  struct HopKind {
    std::uint32_t kind, hop;
    friend bool operator==(const HopKind&, const HopKind&) = default;
  };
  struct TrunkKind {
    BitsPerSecond port_rate, rate;
    Picoseconds delay;
    friend auto operator<=>(const TrunkKind&, const TrunkKind&) = default;
  };

  PathLatency add_one(const Edge& edge, std::uint64_t fraction, LinkFractions& sum);
  PathLatency add_spread(const Edge& edge, LinkFractions& sum);
  [[nodiscard]] double usable_share(TrunkId trunk, EndpointId to);
  [[nodiscard]] double count_usable(TrunkId trunk, EndpointId to) const;
  [[nodiscard]] PathLatency latency();
  void sort_trunks();
  void update_capacity(TrunkId trunk);

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
  std::unordered_map<std::uint64_t, double> usable_;  // shares of trunks, by destinations that are alike; never iterated
  std::vector<PortId> path_;                          // scratch
  std::vector<TrunkHop> trunk_hops_;
  std::vector<HopKind> hop_kinds_, last_hop_kinds_;  // of these, and of those whose latency was last found
  PathLatency last_latency_;
  TrunkPath trunk_path_;
};

}  // namespace railyard
