#include "engine/analytic/fair_shares.h"

#include <algorithm>

namespace railyard {

void FairShares::enter(std::uint32_t way) {
  if (first_.size() <= ways_.size()) take_new_ways();
  rates_.add(way);
}

void FairShares::lane_changed(std::uint32_t lane) {
  if (capacity_.empty()) return;
  capacity_[lane] = ways_.rate(lane).count() * kRateUnitsPerBit;
  rates_.capacity_changed(lane);
}

void FairShares::clear() {
  capacity_.clear();
  first_.assign(1, 0);
  lane_.clear(), part_.clear(), cap_.clear();
  whole_ = true;
  rates_ = {};
}

std::span<const std::uint32_t> FairShares::settle() {
  rates_.settle();
  return rates_.changed();
}

void FairShares::take_new_ways() {
  if (capacity_.empty())
    for (std::uint32_t lane = 0; lane < ways_.lanes(); lane++) capacity_.push_back(ways_.rate(lane).count() * kRateUnitsPerBit);
  for (auto way = static_cast<std::uint32_t>(cap_.size()); way < ways_.size(); way++) {
    double most = static_cast<double>(kUnlimitedRate);  // of what it can ever reach
    for (const WayStep& step : ways_.steps(way)) {
      lane_.push_back(step.lane);
      part_.push_back(step.part());
      whole_ &= part_.back() == kWholePart;
      most = std::min(most, static_cast<double>(ways_.built_rate(step.lane).count()) * kRateUnitsPerBit / step.share);
    }
    first_.push_back(static_cast<std::uint32_t>(lane_.size()));
    cap_.push_back(static_cast<std::int64_t>(most));
  }
  rates_.bind(capacity_,
              {.first = first_, .lane = lane_, .part = whole_ ? std::span<const std::uint64_t>() : part_, .cap = cap_});
}

}  // namespace railyard
