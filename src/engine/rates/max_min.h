// Who gets which rate when flows share links fairly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "base/units.h"
#include "engine/rates/dense_max_min.h"
#include "engine/rates/max_min_rounds.h"

namespace railyard {

/// Rates and capacities are whole multiples of 2^-8 bit/s: sums of whole numbers do not depend on their order.
inline constexpr std::int64_t kRateUnitsPerBit = 256;
/// What `wire` bytes are in rate units times picoseconds, so that volume / rate is a time.
constexpr Int128 volume_of(Bytes wire) { return Int128(wire.count()) * 8 * kRateUnitsPerBit * kPicosecondsPerSecond; }
/// How long a volume takes at a rate, rounded up. A quotient of doubles is off by less than one where it is not large, and then
/// costs a tenth of a division of 128 bits. REQUIRES: volume >= 0, rate > 0.
inline Picoseconds time_of_volume(Int128 volume, std::int64_t rate) {
  constexpr double kExact = 1e14;                   // where doubles are 1/64 apart
  constexpr double kHigh = 18446744073709551616.0;  // 2^64: by halves, since compilers call a library for all of it
  const double all = static_cast<double>(static_cast<std::int64_t>(volume >> 64)) * kHigh +
                     static_cast<double>(static_cast<std::uint64_t>(volume));
  const double guess = all / static_cast<double>(rate);
  if (!(guess < kExact)) return Picoseconds(static_cast<std::int64_t>((volume + rate - 1) / rate));
  auto time = static_cast<std::int64_t>(guess);
  while (Int128(time) * rate < volume) time++;
  while (time > 0 && Int128(time - 1) * rate >= volume) time--;
  return Picoseconds(time);
}
/// When something ends that has no rate.
inline constexpr Picoseconds kNever = Picoseconds::max();
/// What a flow gets that nothing holds back.
inline constexpr std::int64_t kUnlimitedRate = std::numeric_limits<std::int64_t>::max() / 2;
/// A flow that crosses a link with all of its rate.
inline constexpr std::uint64_t kWholeFraction = std::uint64_t{1} << 32;

/// Who crosses what. Flow f takes links link[first[f]] … link[first[f + 1] - 1]; a link taken twice counts twice.
/// REQUIRES: all spans outlive the call.
struct FlowPaths {
  std::span<const std::uint32_t> first{};     // flows + 1
  std::span<const std::uint32_t> link{};      // fewer than 2^31
  std::span<const std::uint64_t> fraction{};  // parallel to link: what of the flow's rate crosses it, in 2^-32; empty: all
  std::span<const std::int64_t> cap{};        // per flow, >= 0; empty: none
  std::span<const std::uint32_t> weight{};    // per flow, > 0; empty: 1
  std::span<const std::uint8_t> priority{};   // per flow, 0 is served first (strict); empty: all 0
};

/// Weighted max-min fair rates, exact in whole numbers (docs/models.md, max-min rates).
///
/// The level of a link is the least whole k such that its flows would not all fit if those that other links or their caps hold
/// below k had their rates, and all others weight · (k + 1); if there is none, it holds nobody back. A rate is weight × the
/// least level on the path, or the cap if that is less; alone on a link, a flow gets what fits. Then
///  - no link carries more than its capacity, not by one unit;
///  - a flow is at its cap, or crosses a link where no flow of its priority has a larger rate/weight and what is idle is less
///    than the sum of weight · fraction over them: one more unit of level would not fit.
/// Lower priorities share what higher ones leave.
///
/// These rates are unique, so that the order of flows, links and steps does not show. Proof by induction on levels: let k be
/// the least share, capacity / (sum of weight · fraction) rounded down, or cap/weight if less. No level is below k, so that
/// links whose share is k have that level whatever holds on others, and the rates of their flows are known. All other levels
/// are above k: for them those rates are given, and what remains is the same problem with fewer flows, whose shares are above
/// k.
class MaxMin {
 public:
  /// From how many whole flows on they are sorted by their links first. It changes nothing but speed.
  static constexpr std::size_t kManyFlows = std::size_t{1} << 18;
  explicit MaxMin(std::size_t many_flows = kManyFlows) : many_flows_(many_flows) {}

  /// Writes rate[i] for the i-th flow of `active`. A flow without links gets its cap, or kUnlimitedRate.
  /// Costs what `active` crosses, not how many links there are; allocates only when a problem is larger than those before.
  /// REQUIRES: capacity >= 0 for every link; no flow twice in `active`.
  void solve(std::span<const std::int64_t> capacity, const FlowPaths& paths, std::span<const std::uint32_t> active,
             std::span<std::int64_t> rate);

 private:
  struct Problem;

  template<class Kind>
  struct Scratch {
    LargeArray<typename Kind::Link> links;
    LargeArray<typename Kind::Crossing> crossings;
  };

  /// The active flows again, in another order.
  struct Sorted {
    LargeArray<std::uint32_t> slot, first, link, active;
    LargeArray<std::int64_t> cap, rate;
  };

  [[nodiscard]] bool is_dense(const Problem& problem) const;
  void solve_sorted(const Problem& problem);
  void sort_by_ends(const Problem& problem);
  FlowPaths copy_sorted(const Problem& problem);
  template<class Kind>
  void solve_as(const Problem& problem, Scratch<Kind>& scratch);
  std::size_t count_crossings(const Problem& problem);
  template<class Kind>
  RoundArrays<Kind> make_room(const Problem& problem, Scratch<Kind>& scratch, std::size_t crossings);
  void sort_by_priority(const Problem& problem);
  template<class Job>
  void for_each_crossed(const Problem& problem, Job job) const;
  template<class Kind>
  void open_links(const Problem& problem, RoundArrays<Kind>& arrays);
  void prefetch_link_slots(std::span<const std::uint32_t> links, std::uint32_t from) const;
  template<class Kind>
  void open_flows(const Problem& problem, RoundArrays<Kind>& arrays, std::uint32_t begin, std::uint32_t end);

  std::size_t many_flows_;
  DenseMaxMin dense_;
  Sorted sorted_;
  // Per link, 0 between calls: how many crossings it has; then | kShared which shared link it is, or which of alone_ it has.
  LargeArray<std::uint32_t> link_slot_;
  std::vector<std::uint32_t> crossed_;
  std::uint32_t crossed_count_ = 0;
  bool sweep_ = false;               // go through all links instead of crossed_
  std::vector<std::int64_t> alone_;  // capacities of links that a flow has to itself; first: none
  // Per link that several crossings share.
  LargeArray<std::int64_t> level_;
  LargeArray<std::uint32_t> waiting_;
  LargeArray<std::uint32_t> stale_;
  LargeArray<OpenFlow> flows_;
  LargeArray<FlowPath> path_;
  Scratch<WholeFlows> whole_;
  Scratch<WeightedFlows> weighted_;
  std::vector<std::uint32_t> order_;        // slots by priority; empty: as they come
  std::vector<std::uint32_t> class_begin_;  // in that order, one per priority that occurs, and the end
};

}  // namespace railyard
