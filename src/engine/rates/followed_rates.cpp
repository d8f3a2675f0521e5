#include "engine/rates/followed_rates.h"

#include <algorithm>
#include <utility>

namespace railyard {

namespace {

// From so many flows on, one in so many is followed and not solved anew.
constexpr std::size_t kManyActiveFlows = 48, kFewOf = 10;
// A solver looks at every crossing about as long as following looks at so many members of links.
constexpr std::uint64_t kMembersPerCrossing = 1;
// Members that following may always look at.
constexpr std::uint64_t kLeastWork = 1024;
// Changes after which following is tried again, at most.
constexpr std::uint32_t kMostPatience = 64;
// Active flows that stay in order when some go.
constexpr std::size_t kManyToOrder = 4096;
// From so many on, it is looked at whether anybody gains before changes are followed.
constexpr std::size_t kManyToHold = std::size_t{1} << 16;

}  // namespace

void FollowedRates::bind(std::span<const std::int64_t> capacity, const FlowPaths& paths, bool may_follow,
                         std::size_t crossings) {
  capacity_ = capacity;
  paths_ = paths;
  all_crossings_ = crossings;
  may_follow_ = may_follow;
  in_step_ = has_holders_ = knows_long_paths_ = false;
  wait_ = 0;
}

void FollowedRates::extend(std::span<const std::int64_t> capacity, const FlowPaths& paths) {
  capacity_ = capacity;
  paths_ = paths;
  all_crossings_ = paths.link.size();
  knows_long_paths_ = false;
  if (in_step_) few_.bind(capacity, paths);
}

void FollowedRates::replace(std::span<const std::int64_t> capacity, const FlowPaths& paths) {
  std::vector<std::uint32_t> flows;
  std::vector<std::int64_t> rates;
  const std::size_t known = std::max<std::size_t>(paths_.first.size(), 1) - 1;
  for (std::uint32_t flow = 0; in_step_ && flow < known; flow++)
    if (few_.active(flow)) flows.push_back(flow), rates.push_back(few_.rate(flow));
  capacity_ = capacity;
  paths_ = paths;
  all_crossings_ = paths.link.size();
  knows_long_paths_ = false;
  if (in_step_) few_.restart(capacity, paths, flows, rates);
}

void FollowedRates::add(std::uint32_t flow) {
  if (slot_.size() <= flow) slot_.resize(flow + 1, kAway);
  if (gaps_ > active_.size() / 2) close_gaps();  // where changes are followed for long, nothing else does
  slot_[flow] = static_cast<std::uint32_t>(active_.size());
  active_.push_back(flow);
  touched_.push_back(flow);
}

void FollowedRates::remove(std::uint32_t flow) {
  const std::uint32_t slot = slot_[flow];
  if (gaps_ == 0 && active_.size() < kManyToOrder) {
    active_[slot] = active_.back();
    slot_[active_.back()] = slot;
    active_.pop_back();
  } else {
    active_[slot] = kAway;
    gaps_++;
  }
  slot_[flow] = kAway;
  touched_.push_back(flow);
}

void FollowedRates::close_gaps() {
  if (gaps_ == 0) return;
  std::uint32_t kept = 0;
  for (const std::uint32_t flow : active_) {
    if (flow == kAway) continue;
    slot_[flow] = kept;
    active_[kept++] = flow;
  }
  active_.resize(kept);
  gaps_ = 0;
}

void FollowedRates::capacity_changed(std::uint32_t link) {
  if (in_step_) few_.capacity_changed(link);
  has_holders_ = knows_long_paths_ = false;
}

void FollowedRates::clear() {
  active_.clear(), slot_.clear(), touched_.clear();
  gaps_ = 0;
  in_step_ = has_holders_ = false;
  work_ = 0;
}

bool FollowedRates::have_few_changed() const {
  if (tries_ == Tries::all) return may_follow_;
  return may_follow_ && size() >= kManyActiveFlows && touched_.size() * kFewOf <= size();
}

/// About what all active flows cross.
std::uint64_t FollowedRates::crossings() const {
  const std::size_t flows = std::max<std::size_t>(paths_.first.size(), 2) - 1;
  return size() * (all_crossings_ / flows + 1);
}

bool FollowedRates::follow() {
  const bool few = have_few_changed();
  if (has_holders_ && nobody_gains()) {
    found_ = {};
    hold_patience_ = 1;
    forget_touched();
    return true;
  }
  if (std::exchange(has_holders_, false)) {
    hold_wait_ = hold_patience_;
    hold_patience_ = std::min(kMostPatience, 2 * hold_patience_);
  }
  if (in_step_ && few && follow_touched()) {
    followed_++;
    forget_touched();
    return true;
  }
  if (in_step_) fall_out_of_step();
  const bool tries = few && wait_ == 0;
  wait_ -= wait_ > 0;
  if (tries) get_in_step();
  forget_touched();
  return tries;
}

void FollowedRates::forget_touched() {
  touched_.clear();
  if (touched_.capacity() > kManyToHold) give_back(touched_);
}

/// REQUIRES: rates_ are those of active_. A link holds back those with its largest rate, if what is idle would not raise them.
void FollowedRates::find_holders() {
  struct Load {
    Int128 idle = 0, of_largest = 0;
    std::int64_t largest = -1;
  };
  const auto fraction = [&](std::uint32_t i) { return paths_.fraction.empty() ? kWholeFraction : paths_.fraction[i]; };
  std::vector<Load> loads(capacity_.size());
  for (std::size_t link = 0; link < loads.size(); link++) loads[link].idle = Int128(capacity_[link]) << 32;
  for (std::size_t k = 0; k < active_.size(); k++)
    for (std::uint32_t i = paths_.first[active_[k]]; i < paths_.first[active_[k] + 1]; i++) {
      Load& load = loads[paths_.link[i]];
      load.idle -= Int128(rates_[k]) * fraction(i);
      if (rates_[k] > load.largest) load.largest = rates_[k], load.of_largest = 0;
      if (rates_[k] == load.largest) load.of_largest += fraction(i);
    }
  holder_.assign(slot_.size(), kAway);
  held_.assign(loads.size(), 0);
  for (std::size_t k = 0; k < active_.size(); k++)
    for (std::uint32_t i = paths_.first[active_[k]]; i < paths_.first[active_[k] + 1]; i++) {
      const Load& load = loads[paths_.link[i]];
      if (load.largest != rates_[k] || load.idle >= load.of_largest) continue;
      holder_[active_[k]] = paths_.link[i];
      held_[paths_.link[i]]++;
      break;
    }
  has_holders_ = true;
  work_ += 2 * crossings();
}

/// True if flows have gone and none has come, and the links that they leave hold nobody back: everybody else is held back as
/// before, by a link that is as full as before or by a cap, and rates are unique.
bool FollowedRates::nobody_gains() {
  for (const std::uint32_t flow : touched_) {
    if (is_active(flow) || flow >= holder_.size()) return false;
    if (holder_[flow] != kAway) held_[std::exchange(holder_[flow], kAway)]--;
  }
  for (const std::uint32_t flow : touched_)
    for (std::uint32_t i = paths_.first[flow]; i < paths_.first[flow + 1]; i++)
      if (held_[paths_.link[i]] > 0) return false;
  work_ += touched_.size();
  return true;
}

/// False if that turned out to be more work than solving.
bool FollowedRates::follow_touched() {
  for (const std::uint32_t flow : touched_) {
    if (is_active(flow) && !few_.active(flow)) few_.add(flow);
    if (!is_active(flow) && few_.active(flow)) few_.remove(flow);
  }
  const std::uint64_t before = few_.members_visited();
  const bool solved = few_.solve(kLeastWork + kMembersPerCrossing * crossings());
  work_ += touched_.size() + few_.members_visited() - before;
  if (!solved) return false;
  found_flow_.assign(few_.changed().begin(), few_.changed().end());
  for (const std::uint32_t flow : touched_)  // those that ended and began again at once
    if (is_active(flow)) found_flow_.push_back(flow);
  rates_.resize(found_flow_.size());
  for (std::size_t i = 0; i < found_flow_.size(); i++) rates_[i] = few_.rate(found_flow_[i]);
  found_ = {found_flow_, rates_};
  return true;
}

void FollowedRates::get_in_step() {
  solve();
  few_.restart(capacity_, paths_, active_, rates_);
  in_step_ = true;
  has_holders_ = false;
  followed_ = 0;
}

void FollowedRates::fall_out_of_step() {
  in_step_ = false;
  patience_ = followed_ > 2 * patience_ ? std::max(1U, patience_ / 2) : std::min(kMostPatience, 2 * patience_);
  wait_ = patience_;
}

void FollowedRates::solve() {
  close_gaps();
  work_ += crossings();
  rates_.resize(active_.size());
  solve_all();
  found_ = {active_, rates_, true};
  has_holders_ = false;
  if (may_follow_ && size() >= kManyToHold && hold_wait_ == 0) find_holders();
  hold_wait_ -= hold_wait_ > 0;
}

void FollowedRates::solve_all() {
  if (may_follow_ || !BindingLinksMaxMin::suits(paths_)) return solver_.solve(capacity_, paths_, active_, rates_);
  if (!std::exchange(knows_long_paths_, true)) long_paths_.bind(capacity_, paths_);
  long_paths_.solve(active_, rates_);
}

}  // namespace railyard
