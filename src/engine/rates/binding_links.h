// Max-min rates of few flows over very many links, of which few bind.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/large_array.h"
#include "base/units.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// The rates of MaxMin::solve, to the last unit, where flows cross thousands of links each: collectives over a whole cluster,
/// one flow for each. Rates are found over those links alone that have held somebody back before. Then what all others carry is
/// brought up to date; those that would hold somebody back at these rates join, and rates are found again.
///
/// That is exact whatever links are tried first. Given the rates over some of the links, each other link has a level by its
/// equation (max_min.h); where no flow on it has more than that, all equations hold as they are, and their solution is unique.
/// Into that equation goes no more than a unit more of every flow, so that links with so much to spare need no look at theirs.
class BindingLinksMaxMin {
 public:
  /// Whether flows cross so many links that this pays, and have what it can do.
  [[nodiscard]] static bool suits(const FlowPaths& paths);

  /// Paths and capacities from now on; links that are tried first stay. REQUIRES: suits(paths); both stay until the next
  /// bind().
  void bind(std::span<const std::int64_t> capacity, const FlowPaths& paths);

  /// As MaxMin::solve. REQUIRES: bound.
  void solve(std::span<const std::uint32_t> active, std::span<std::int64_t> rate);

  /// Links that are tried first, and how often rates were found over them, for measurements.
  [[nodiscard]] std::size_t tried() const { return tried_.size(); }
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }

 private:
  static constexpr std::size_t kMostTried = 4096;  // then they are looked for anew
  static constexpr int kMostRounds = 64;           // of one solve(); then all links are tried
  static constexpr std::uint32_t kNotTried = 0xFFFFFFFF;
  static constexpr std::int64_t kAway = -1;

  struct Link {
    Int128 spare = 0;             // what it could carry beside its flows and one unit more of each, in 2^-32 units
    std::uint64_t fractions = 0;  // of the flows that are there
    std::uint32_t slot = kNotTried;
    bool doubtful = false;
    [[nodiscard]] bool is_overloaded() const { return spare + fractions < 0; }
  };
  struct Member {
    std::uint32_t flow;
    std::uint64_t fraction;
  };
  /// The crossings of a flow that are tried.
  struct Crossings {
    std::vector<std::uint32_t> slot = {};
    std::vector<std::uint64_t> fraction = {};
    std::size_t known = 0;  // of tried_: later ones are still to be looked for
  };
  /// The links that are tried and the flows that are there, by their places in tried_ and `active`.
  struct Small {
    std::vector<std::uint32_t> first, link, active;
    std::vector<std::uint64_t> fraction;
    std::vector<std::int64_t> cap, capacity;
  };

  [[nodiscard]] std::span<const std::uint32_t> path(std::uint32_t flow) const;
  [[nodiscard]] std::uint64_t fraction(std::size_t crossing) const {
    return paths_.fraction.empty() ? kWholeFraction : paths_.fraction[crossing];
  }
  [[nodiscard]] Int128 room(std::uint32_t link) const { return Int128(capacity_[link]) << 32; }
  void restart(std::size_t flows);
  void solve_tried(std::span<const std::uint32_t> active, std::span<std::int64_t> rate);
  void find_tried(std::uint32_t flow);
  void carry_all(std::span<const std::uint32_t> active, std::span<const std::int64_t> rate);
  void carry(std::uint32_t flow, std::int64_t rate);
  void try_doubtful(std::span<const std::uint32_t> active);
  void try_fullest(std::uint32_t flow);
  void try_link(std::uint32_t link);
  void find_rows();
  [[nodiscard]] bool holds_somebody(std::uint32_t link);

  std::span<const std::int64_t> capacity_;
  FlowPaths paths_;
  MaxMin solver_;
  Small small_;
  std::vector<std::uint32_t> tried_;
  LargeArray<Link> links_;
  std::vector<Crossings> crossings_;     // by flow
  std::vector<std::int64_t> carried_;    // by flow: its rate in the links' loads, or kAway
  std::vector<std::int64_t> wanted_;     // by flow: the rate that it is to have there; kAway between calls
  std::vector<std::uint32_t> carrying_;  // flows that are not away
  std::vector<std::uint32_t> doubtful_;  // links that are not tried and may hold somebody back
  std::unordered_map<std::uint32_t, std::vector<Member>> rows_;  // by link that was doubtful: who crosses it; never iterated
  std::vector<Member> open_;                                     // of a link whose level is asked for
  std::uint64_t rounds_ = 0;
};

}  // namespace railyard
