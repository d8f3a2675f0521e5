#include "engine/flow/strand_rates.h"

#include <numeric>

namespace railyard {

namespace {

// From so many strands on, one in so many is followed and not solved anew; strands of a message each, which cross few lanes.
constexpr std::size_t kManyStrands = 48, kFewOf = 10, kFewLanes = 32;
// Solving anew and getting in step again costs as much as following changes to so many lanes per strand (bench/README.md).
constexpr double kLanesPerStrand = 1.5;
// What a change touches where strands share little, and how many changes it takes to learn otherwise.
constexpr double kUsualLanes = 20, kUsualChanges = 100;
// Who has missed more changes than this has nothing to go on from.
constexpr std::size_t kMostMissed = 1000;

}  // namespace

void StrandRates::bind(std::span<const std::int64_t> capacity, const FlowPaths& paths) {
  capacity_ = capacity;
  paths_ = paths;
  can_follow_ = paths.priority.empty() && paths.lane.size() < kFewLanes * paths.first.size();
  in_step_ = false;
}

void StrandRates::add(StrandId strand) {
  if (place_.size() <= strand.index()) place_.resize(strand.index() + 1, kAway);
  place_[strand.index()] = static_cast<std::uint32_t>(active_.size());
  active_.push_back(strand.index());
  touched_.push_back(strand.index());
  key_.add(strand.index());
}

void StrandRates::remove(StrandId strand) {
  const std::uint32_t place = place_[strand.index()];
  active_[place] = active_.back();
  place_[active_.back()] = place;
  active_.pop_back();
  place_[strand.index()] = kAway;
  touched_.push_back(strand.index());
  key_.remove(strand.index());
}

void StrandRates::clear() {
  active_.clear(), place_.clear(), touched_.clear();
  key_ = {};
  in_step_ = false;
}

std::span<const StrandRate> StrandRates::update(Telemetry::Solving& solving) {
  solving.changes++;
  if (can_follow_ && are_few()) {
    solving.solves++;
    follow_few();
    return found_;
  }
  fall_behind();
  if (cached_)
    if (const std::vector<StrandRate>* known = cache_.find(key_)) return *known;
  solving.solves++;
  solve();
  if (cached_) cache_.keep(key_, found_);
  return found_;
}

std::vector<StrandRate> StrandRates::solve_alone(StrandId first, std::uint32_t count) {
  std::vector<std::uint32_t> strands(count);
  std::iota(strands.begin(), strands.end(), first.index());
  std::vector<std::int64_t> rates(count);
  solver_.solve(capacity_, paths_, strands, rates);
  std::vector<StrandRate> found;
  for (std::uint32_t i = 0; i < count; i++) found.push_back({StrandId(strands[i]), rates[i]});
  return found;
}

/// Whether what came and went is better followed than solved anew.
bool StrandRates::are_few() const {
  if (active_.size() < kManyStrands) return false;
  if (!in_step_) return touched_.size() * kFewOf <= active_.size();
  const double lanes = (kUsualLanes * kUsualChanges + static_cast<double>(few_.lanes_visited())) /
                       (kUsualChanges + static_cast<double>(followed_));
  return static_cast<double>(touched_.size()) * lanes <= kLanesPerStrand * static_cast<double>(active_.size());
}

void StrandRates::solve() {
  rates_.resize(active_.size());
  solver_.solve(capacity_, paths_, active_, rates_);
  found_.clear();
  for (std::size_t i = 0; i < active_.size(); i++) found_.push_back({StrandId(active_[i]), rates_[i]});
}

/// Rates are found without few_, which may catch up later.
void StrandRates::fall_behind() {
  behind_ = true;
  if (touched_.size() > kMostMissed + active_.size()) in_step_ = false;
  if (!in_step_) touched_.clear();
}

/// Many strands of which few have changed: only what that touches is solved again.
void StrandRates::follow_few() {
  if (!in_step_) {
    solve();
    few_.bind(capacity_, paths_);
    few_.reset(active_, rates_);
  } else {
    for (const std::uint32_t strand : touched_) {
      if (is_active(strand) && !few_.active(strand)) few_.add(strand);
      if (!is_active(strand) && few_.active(strand)) few_.remove(strand);
    }
    few_.settle();
    followed_ += touched_.size();
    found_.clear();
    const auto tell = [&](std::uint32_t strand) {
      if (is_active(strand)) found_.push_back({StrandId(strand), few_.rate(strand)});
    };
    if (behind_)
      for (const std::uint32_t strand : active_) tell(strand);
    else
      for (const std::uint32_t strand : few_.changed()) tell(strand);
    if (!behind_)
      for (const std::uint32_t strand : touched_) tell(strand);  // those that ended and began again at once
  }
  in_step_ = true;
  behind_ = false;
  touched_.clear();
}

}  // namespace railyard
