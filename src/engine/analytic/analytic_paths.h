// What messages share, and the paths that queue pairs take across it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
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

/// The links of one path, in order, made as they are asked for: most paths are a row of links and nothing else.
class PathSteps {
 public:
  struct Columns {
    const std::uint32_t* link;
    const std::uint32_t* hop;             // none: one link at every hop
    const double* share;                  // none: all of it
    const Table<PortId, TrunkId>* trunk;  // of ports; none: a link is a trunk
  };
  class Iterator {
   public:
    struct Arrow {
      PathHop hop;
      const PathHop* operator->() const { return &hop; }
    };
    Iterator(const PathSteps& steps, std::uint32_t at) : steps_(steps), at_(at) {}
    PathHop operator*() const { return steps_[at_]; }
    Arrow operator->() const { return {steps_[at_]}; }
    Iterator& operator++() {
      at_++;
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

   private:
    const PathSteps& steps_;
    std::uint32_t at_;
  };

  PathSteps(const Columns& columns, std::uint32_t size) : columns_(columns), size_(size) {}
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] PathHop operator[](std::uint32_t i) const {
    const std::uint32_t link = columns_.link[i];
    return {link, columns_.trunk ? (*columns_.trunk)[PortId(link)] : TrunkId(link), columns_.hop ? columns_.hop[i] : i,
            columns_.share ? columns_.share[i] : 1};
  }
  [[nodiscard]] Iterator begin() const { return {*this, 0}; }
  [[nodiscard]] Iterator end() const { return {*this, size_}; }

 private:
  const Columns columns_;
  const std::uint32_t size_;
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

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(kind_.size()); }
  [[nodiscard]] std::size_t links() const { return rates_.size(); }
  [[nodiscard]] bool links_are_ports() const { return by_port_; }
  /// Queue pairs that share every message of a connection.
  [[nodiscard]] std::uint32_t qps_per_message() const { return qps_per_message_; }
  [[nodiscard]] BitsPerSecond rate(std::uint32_t link) const { return rates_[link]; }
  [[nodiscard]] BitsPerSecond built_rate(std::uint32_t link) const;
  /// Returns the link. REQUIRES: something is left of it.
  std::uint32_t set_rate(PortId port, BitsPerSecond rate);
  void reset_rates();

  [[nodiscard]] PathSteps steps(std::uint32_t path) const {
    const std::uint32_t first = first_[path];
    return {{link_.data() + first, share_.empty() ? nullptr : hop_.data() + first,
             share_.empty() ? nullptr : share_.data() + first, by_port_ ? &fabric_.port_trunk : nullptr},
            first_[path + 1] - first};
  }
  /// All paths as the solver wants them: path p takes links()[firsts()[p]] and on. Valid until the next is added.
  [[nodiscard]] std::span<const std::uint32_t> path_firsts() const { return first_; }
  [[nodiscard]] std::span<const std::uint32_t> path_links() const { return link_; }
  /// Whether every path takes one link at every hop, with all that it carries.
  [[nodiscard]] bool are_whole() const { return share_.empty(); }
  /// The link on which what takes the path is longest by itself.
  [[nodiscard]] PathHop narrowest(std::uint32_t path) const { return steps(path)[kinds_[kind_[path]].narrowest]; }
  /// What it can ever reach, in units of 1 / kRateUnitsPerBit: the rate its slowest link was built with.
  [[nodiscard]] std::int64_t cap(std::uint32_t path) const;
  /// Beyond the time of sending.
  [[nodiscard]] Picoseconds latency(std::uint32_t path, Bytes payload) const {
    const Kind& kind = kinds_[kind_[path]];
    return payload >= wire_.mtu ? kind.full_packet_latency : packet_latency(path, kind, wire_.packet_size(payload));
  }
  /// Not more than that of any payload.
  [[nodiscard]] Picoseconds least_latency(std::uint32_t path) const;

 private:
  /// What paths have in common that look alike.
  struct Kind {
    BitsPerSecond slowest = BitsPerSecond::max();  // port, or trunk that carries all of it
    Picoseconds reducer;                           // the switch that begins it computes first
    Picoseconds full_packet_latency;
    std::uint32_t narrowest = 0;  // of its steps
    friend bool operator==(const Kind&, const Kind&) = default;
  };

  void add_path(const QueuePair& qp, std::vector<PathHop>& steps);
  void add_steps(const std::vector<PathHop>& steps, Picoseconds reducer);
  void add_shares(const std::vector<PathHop>& steps);
  [[nodiscard]] std::uint32_t number_of(const Kind& kind);
  [[nodiscard]] Picoseconds packet_latency(std::uint32_t path, const Kind& kind, Bytes packet) const;

  const Fabric& fabric_;
  const WireFormat wire_;
  const PathPolicy routing_;
  const bool by_port_;
  const std::uint32_t qps_per_message_;
  std::vector<BitsPerSecond> rates_;        // by link
  Table<PortId, BitsPerSecond> port_rate_;  // once some have changed
  std::vector<Kind> kinds_;
  LargeArray<std::uint32_t> kind_;             // by path
  LargeArray<std::uint32_t> first_{0}, link_;  // by path, and one more; what all of them take
  LargeArray<std::uint32_t> hop_;              // parallel to link_, as is share_; empty where paths are whole
  LargeArray<double> share_;
  Table<InterfaceId, std::uint32_t> queue_pairs_at_;  // opened so far
};

}  // namespace railyard
