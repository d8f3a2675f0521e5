#include "engine/analytic/fair_shares.h"

#include <algorithm>
#include <limits>

namespace railyard {

void FairShares::link_changed(std::uint32_t link) {
  if (capacity_.empty()) return;
  capacity_[link] = paths_.rate(link).count() * kRateUnitsPerBit;
  bind();
  rates_.capacity_changed(link);
}

void FairShares::clear() {
  capacity_.clear();
  fraction_.clear(), cap_.clear();
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
  if (bound_ == 0)
    rates_.bind(capacity_, flows(), true);
  else
    rates_.extend(capacity_, flows());
  bound_ = paths_.size();
}

FlowPaths FairShares::flows() const {
  return {.first = paths_.path_firsts(), .link = paths_.path_links(), .fraction = fraction_, .cap = cap_};
}

void FairShares::add_new_paths() {
  if (capacity_.empty())
    for (std::uint32_t link = 0; link < paths_.links(); link++)
      capacity_.push_back(paths_.rate(link).count() * kRateUnitsPerBit);
  if (!paths_.are_whole() && fraction_.empty()) fraction_.assign(paths_.path_firsts()[cap_.size()], kWholeFraction);
  for (auto path = static_cast<std::uint32_t>(cap_.size()); path < paths_.size(); path++) {
    double most = static_cast<double>(kUnlimitedRate);  // of what it can ever reach
    for (const PathHop& step : paths_.steps(path)) {
      if (!paths_.are_whole()) fraction_.push_back(step.fraction());
      most = std::min(most, static_cast<double>(paths_.built_rate(step.link).count()) * kRateUnitsPerBit / step.share);
    }
    cap_.push_back(static_cast<std::int64_t>(most));
  }
}

}  // namespace railyard
