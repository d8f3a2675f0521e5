#include "engine/flow/flow_rates.h"

#include <numeric>

namespace railyard {

namespace {

// From so many flows on, one in so many is followed and not solved anew.
constexpr std::size_t kManyActiveFlows = 48, kFewOf = 10;
// Solving anew and getting in step again costs as much as following changes to so many links per flow (bench/README.md).
constexpr double kLinksPerFlow = 1.5;
// What a change touches where flows share little, and how many changes it takes to learn otherwise.
constexpr double kUsualLinks = 20, kUsualChanges = 100;
// Who has missed more changes than this has nothing to go on from.
constexpr std::size_t kMostMissed = 1000;

}  // namespace

void FlowRates::bind(std::span<const std::int64_t> capacity, const FlowPaths& paths, bool short_paths) {
  capacity_ = capacity;
  paths_ = paths;
  can_follow_ = paths.priority.empty() && short_paths;
  in_step_ = false;
}

void FlowRates::add(FlowId flow) {
  if (slot_.size() <= flow.index()) slot_.resize(flow.index() + 1, kAway);
  slot_[flow.index()] = static_cast<std::uint32_t>(active_.size());
  active_.push_back(flow.index());
  touched_.push_back(flow.index());
  key_.add(flow.index());
}

void FlowRates::remove(FlowId flow) {
  const std::uint32_t slot = slot_[flow.index()];
  active_[slot] = active_.back();
  slot_[active_.back()] = slot;
  active_.pop_back();
  slot_[flow.index()] = kAway;
  touched_.push_back(flow.index());
  key_.remove(flow.index());
}

void FlowRates::clear() {
  active_.clear(), slot_.clear(), touched_.clear();
  key_ = {};
  in_step_ = false;
}

std::span<const FlowRate> FlowRates::update(Telemetry::Solving& solving) {
  solving.changes++;
  if (can_follow_ && are_few()) {
    solving.solves++;
    follow_few();
    return found_;
  }
  fall_behind();
  if (cached_)
    if (const std::vector<FlowRate>* known = cache_.find(key_)) return *known;
  solving.solves++;
  solve();
  if (cached_) cache_.keep(key_, found_);
  return found_;
}

std::vector<FlowRate> FlowRates::solve_alone(FlowId first, std::uint32_t count) {
  std::vector<std::uint32_t> flows(count);
  std::iota(flows.begin(), flows.end(), first.index());
  std::vector<std::int64_t> rates(count);
  solver_.solve(capacity_, paths_, flows, rates);
  std::vector<FlowRate> found;
  for (std::uint32_t i = 0; i < count; i++) found.push_back({FlowId(flows[i]), rates[i]});
  return found;
}

/// Whether what came and went is better followed than solved anew.
bool FlowRates::are_few() const {
  if (active_.size() < kManyActiveFlows) return false;
  if (!in_step_) return touched_.size() * kFewOf <= active_.size();
  const double links = (kUsualLinks * kUsualChanges + static_cast<double>(few_.links_visited())) /
                       (kUsualChanges + static_cast<double>(followed_));
  return static_cast<double>(touched_.size()) * links <= kLinksPerFlow * static_cast<double>(active_.size());
}

void FlowRates::solve() {
  rates_.resize(active_.size());
  solver_.solve(capacity_, paths_, active_, rates_);
  found_.clear();
  for (std::size_t i = 0; i < active_.size(); i++) found_.push_back({FlowId(active_[i]), rates_[i]});
}

/// Rates are found without few_, which may catch up later.
void FlowRates::fall_behind() {
  behind_ = true;
  if (touched_.size() > kMostMissed + active_.size()) in_step_ = false;
  if (!in_step_) touched_.clear();
}

/// Many flows of which few have changed: only what that touches is solved again.
void FlowRates::follow_few() {
  if (!in_step_) {
    solve();
    few_.restart(capacity_, paths_, active_, rates_);
  } else {
    for (const std::uint32_t flow : touched_) {
      if (is_active(flow) && !few_.active(flow)) few_.add(flow);
      if (!is_active(flow) && few_.active(flow)) few_.remove(flow);
    }
    few_.solve();
    followed_ += touched_.size();
    found_.clear();
    const auto tell = [&](std::uint32_t flow) {
      if (is_active(flow)) found_.push_back({FlowId(flow), few_.rate(flow)});
    };
    if (behind_)
      for (const std::uint32_t flow : active_) tell(flow);
    else
      for (const std::uint32_t flow : few_.changed()) tell(flow);
    if (!behind_)
      for (const std::uint32_t flow : touched_) tell(flow);  // those that ended and began again at once
  }
  in_step_ = true;
  behind_ = false;
  touched_.clear();
}

}  // namespace railyard
