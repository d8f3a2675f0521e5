// Max-min rates of a set of flows that changes, by whichever of two ways is less work.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/large_array.h"
#include "engine/rates/binding_links.h"
#include "engine/rates/incremental.h"
#include "engine/rates/max_min.h"

namespace railyard {

/// Flows and their rates, by index.
struct FoundRates {
  std::span<const std::uint32_t> flow;
  std::span<const std::int64_t> rate;
  bool all = false;  // that are active, each once
};

/// Follows few changes among many flows, or solves for all of them; the rates are the same whichever it does.
///
/// Of many flows those that end first mostly leave links that hold nobody else back: then no rate changes. That needs less to
/// be known than following does, and is looked at first.
///
/// No change costs much more than solving: following gives up when it has looked at as much as a solver would. Whoever gave up
/// waits for some changes before it is tried again, the more of them the less the last try was worth, so that trying costs
/// little where every change concerns everybody.
class FollowedRates {
 public:
  /// What is worth trying: few changes among many flows, or any, where flows mostly do not meet, as those of rings.
  enum class Tries : std::uint8_t { few, all };
  explicit FollowedRates(std::size_t many_flows = MaxMin::kManyFlows, Tries tries = Tries::few)
      : solver_(many_flows), tries_(tries) {}

  /// Paths and capacities from now on. Single changes are followed only if so wished. Work is counted as if all paths together
  /// crossed so many links: the caller may have left out some that hold nobody back. REQUIRES: both stay until the next bind(),
  /// extend() or replace(), and flows keep their numbers.
  void bind(std::span<const std::int64_t> capacity, const FlowPaths& paths, bool may_follow, std::size_t crossings);
  void bind(std::span<const std::int64_t> capacity, const FlowPaths& paths, bool may_follow) {
    bind(capacity, paths, may_follow, paths.link.size());
  }
  /// Longer tables, in which everything there was has the number it had.
  void extend(std::span<const std::int64_t> capacity, const FlowPaths& paths);
  /// Tables that say the same of the flows there were, in other words: links that hold nobody back come or go. REQUIRES: no
  /// capacity has changed since rates were last found.
  void replace(std::span<const std::int64_t> capacity, const FlowPaths& paths);

  /// REQUIRES: not there, or there.
  void add(std::uint32_t flow);
  void remove(std::uint32_t flow);
  /// Says that a capacity is not what it was when rates were last found. REQUIRES: bound.
  void capacity_changed(std::uint32_t link);
  void clear();

  /// Active flows, in no order that means anything, and how many.
  [[nodiscard]] std::span<const std::uint32_t> active() {
    close_gaps();
    return active_;
  }
  [[nodiscard]] std::size_t size() const { return active_.size() - gaps_; }

  /// Finds the rates again by following what changed, if that is less work; then found() has the flows whose rates may have
  /// changed, all that were added among them. Else false: solve(), or know the rates from elsewhere.
  bool follow();
  /// Finds all rates.
  void solve();
  /// Members of links and crossings of flows looked at since clear(): how much work it was, on any machine.
  [[nodiscard]] std::uint64_t work() const { return work_; }
  /// What was found last. Valid until the next change.
  [[nodiscard]] FoundRates found() const { return found_; }

  /// The rates of `flows` if these and no others were active, by index.
  void solve_alone(std::span<const std::uint32_t> flows, std::span<std::int64_t> rates) {
    solver_.solve(capacity_, paths_, flows, rates);
  }

 private:
  [[nodiscard]] bool is_active(std::uint32_t flow) const { return flow < slot_.size() && slot_[flow] != kAway; }
  [[nodiscard]] bool have_few_changed() const;
  [[nodiscard]] std::uint64_t crossings() const;
  [[nodiscard]] bool follow_touched();
  void solve_all();
  void get_in_step();
  void fall_out_of_step();
  void close_gaps();
  void find_holders();
  void forget_touched();
  [[nodiscard]] bool nobody_gains();

  static constexpr std::uint32_t kAway = 0xFFFFFFFF;
  std::span<const std::int64_t> capacity_;
  FlowPaths paths_;
  std::size_t all_crossings_ = 0;  // of all paths, those that were left out among them
  bool may_follow_ = false;
  LargeArray<std::uint32_t> active_, slot_;  // slot_ by flow: in active_
  std::size_t gaps_ = 0;                     // in active_, where many are: in order they lie together in other tables, too
  LargeArray<std::uint32_t> touched_;        // came or went since rates were last found
  MaxMin solver_;
  BindingLinksMaxMin long_paths_;
  bool knows_long_paths_ = false;  // long_paths_ has the paths and capacities of today
  Tries tries_;
  IncrementalMaxMin few_;
  bool has_holders_ = false;                 // the next two are those of today, but for flows touched
  LargeArray<std::uint32_t> holder_, held_;  // by flow, a link that holds it back, if one does; by link, how many
  std::uint32_t hold_wait_ = 0,
                hold_patience_ = 1;  // solutions until these are found again, and to wait after the next failure
  bool in_step_ = false;             // few_ has the flows of today, but for those touched
  std::uint32_t wait_ = 0;           // changes until it is tried again
  std::uint32_t patience_ = 1;       // changes to wait after the next failure
  std::uint64_t followed_ = 0;       // changes since few_ got in step
  std::uint64_t work_ = 0;
  LargeArray<std::uint32_t> found_flow_;
  LargeArray<std::int64_t> rates_;
  FoundRates found_;
};

}  // namespace railyard
