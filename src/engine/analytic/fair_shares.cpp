#include "engine/analytic/fair_shares.h"

#include <algorithm>
#include <limits>

namespace railyard {

namespace {

constexpr std::uint32_t kMostToReduce = 1U << 16;  // paths, so that tables without lonely links are never large

}  // namespace

void FairShares::link_changed(std::uint32_t link) {
  if (capacity_.empty()) return;
  if (!first_.empty()) take_all_links();
  capacity_[link] = paths_.rate(link).count() * kRateUnitsPerBit;
  bind();
  rates_.capacity_changed(link);
}

void FairShares::clear() {
  capacity_.clear();
  fraction_.clear(), cap_.clear();
  first_.clear(), link_.clear();
  bound_ = 0;
  rates_.clear();
}

FoundRates FairShares::solve() {
  bind();
  if (!rates_.follow()) rates_.solve();
  return rates_.found();
}

void FairShares::find_rates(std::span<const std::uint32_t> paths, std::span<std::int64_t> rates) {
  bind();
  rates_.solve_alone(paths, rates);
}

/// Paths may have been added since, and lie elsewhere.
void FairShares::bind() {
  if (bound_ == paths_.size()) return;
  add_new_paths();
  if (bound_ == 0) {
    leave_out_lonely_links();
    rates_.bind(capacity_, flows(), true, paths_.path_links().size());
  } else if (!first_.empty()) {
    take_all_links();
  } else {
    rates_.extend(capacity_, flows());
  }
  bound_ = paths_.size();
}

FlowPaths FairShares::flows() const {
  if (!first_.empty()) return {.first = first_, .link = link_, .cap = cap_};
  return {.first = paths_.path_firsts(), .link = paths_.path_links(), .fraction = fraction_, .cap = cap_};
}

/// Those that one path crosses and that are no slower than its cap. Nothing is left out of paths that are not whole.
void FairShares::leave_out_lonely_links() {
  if (!paths_.are_whole() || paths_.size() > kMostToReduce) return;
  const std::span<const std::uint32_t> first = paths_.path_firsts(), link = paths_.path_links();
  std::vector<std::uint32_t> crossings(capacity_.size(), 0);
  for (const std::uint32_t each : link) crossings[each]++;
  first_.push_back(0);
  for (std::uint32_t path = 0; path < paths_.size(); path++) {
    for (std::uint32_t i = first[path]; i < first[path + 1]; i++)
      if (crossings[link[i]] > 1 || capacity_[link[i]] < cap_[path]) link_.push_back(link[i]);
    first_.push_back(static_cast<std::uint32_t>(link_.size()));
  }
  if (link_.size() == link.size()) give_back(first_), give_back(link_);
}

void FairShares::take_all_links() {
  give_back(first_), give_back(link_);
  rates_.replace(capacity_, flows());
}

void FairShares::add_new_paths() {
  if (capacity_.empty())
    for (std::uint32_t link = 0; link < paths_.links(); link++)
      capacity_.push_back(paths_.rate(link).count() * kRateUnitsPerBit);
  if (!paths_.are_whole() && fraction_.empty()) fraction_.assign(paths_.path_firsts()[cap_.size()], kWholeFraction);
  for (auto path = static_cast<std::uint32_t>(cap_.size()); path < paths_.size(); path++) {
    if (!paths_.are_whole())
      for (const PathHop& step : paths_.steps(path)) fraction_.push_back(step.fraction());
    cap_.push_back(paths_.cap(path));
  }
}

}  // namespace railyard
