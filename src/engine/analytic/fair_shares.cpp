#include "engine/analytic/fair_shares.h"

#include <algorithm>

namespace railyard {

void FairShares::enter(std::uint32_t path) {
  if (first_.size() <= paths_.size()) add_new_paths();
  rates_.add(path);
}

void FairShares::link_changed(std::uint32_t link) {
  if (capacity_.empty()) return;
  capacity_[link] = paths_.rate(link).count() * kRateUnitsPerBit;
  rates_.capacity_changed(link);
}

void FairShares::clear() {
  capacity_.clear();
  first_.assign(1, 0);
  link_.clear(), fraction_.clear(), cap_.clear();
  whole_ = true;
  rates_ = {};
}

std::span<const std::uint32_t> FairShares::solve() {
  rates_.solve();
  return rates_.changed();
}

void FairShares::add_new_paths() {
  if (capacity_.empty())
    for (std::uint32_t link = 0; link < paths_.links(); link++)
      capacity_.push_back(paths_.rate(link).count() * kRateUnitsPerBit);
  for (auto path = static_cast<std::uint32_t>(cap_.size()); path < paths_.size(); path++) {
    double most = static_cast<double>(kUnlimitedRate);  // of what it can ever reach
    for (const PathHop& step : paths_.steps(path)) {
      link_.push_back(step.link);
      fraction_.push_back(step.fraction());
      whole_ &= fraction_.back() == kWholeFraction;
      most = std::min(most, static_cast<double>(paths_.built_rate(step.link).count()) * kRateUnitsPerBit / step.share);
    }
    first_.push_back(static_cast<std::uint32_t>(link_.size()));
    cap_.push_back(static_cast<std::int64_t>(most));
  }
  rates_.bind(capacity_,
              {.first = first_, .link = link_, .fraction = whole_ ? std::span<const std::uint64_t>() : fraction_, .cap = cap_});
}

}  // namespace railyard
