// The rates of messages that share links and start and end at different times.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/analytic/analytic_paths.h"
#include "engine/rates/followed_rates.h"

namespace railyard {

/// Max-min fair rates of the paths that are in use, followed from one change to the next. Costs nothing until the first is.
///
/// A link that one path has to itself, such as a host's in a ring, holds that path back no further than its cap does. While
/// links run as built and no path is added, such links are left out, which changes no rate (docs/models.md, links of one path).
class FairShares {
 public:
  explicit FairShares(const AnalyticPaths& paths) : paths_(paths) {}

  /// REQUIRES: the path is not in use, or in use.
  void enter(std::uint32_t path) { rates_.add(path); }
  void leave(std::uint32_t path) { rates_.remove(path); }
  /// It runs at another rate than before.
  void link_changed(std::uint32_t link);
  /// No path is in use any more, and links run as built.
  void clear();

  /// Paths whose rates may have changed, all that were entered among them, with their rates in units of 1 / kRateUnitsPerBit.
  /// Valid until the next change.
  FoundRates solve();
  /// What solve() looked at since clear() (FollowedRates::work).
  [[nodiscard]] std::uint64_t work() const { return rates_.work(); }

  /// The rates of `paths` if these and no others were in use, whatever is, by index.
  void find_rates(std::span<const std::uint32_t> paths, std::span<std::int64_t> rates);

 private:
  void bind();
  void add_new_paths();
  void leave_out_lonely_links();
  void take_all_links();
  [[nodiscard]] FlowPaths flows() const;

  const AnalyticPaths& paths_;
  std::vector<std::int64_t> capacity_;  // by link
  // Of the paths so far, as the solver wants them; those that are whole have no fractions.
  LargeArray<std::uint64_t> fraction_;
  LargeArray<std::int64_t> cap_;
  FollowedRates rates_{std::numeric_limits<std::size_t>::max(),
                       FollowedRates::Tries::all};  // links of a collective are few: no need to sort flows by them
  std::uint32_t bound_ = 0;                         // paths that it knows
  // Paths without links that are left out; empty where none are.
  LargeArray<std::uint32_t> first_, link_;
};

}  // namespace railyard
