// Rates that were solved before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/flow/flow_table.h"
#include "engine/flow/set_key.h"

namespace railyard {

struct FlowRate {
  FlowId flow;
  std::int64_t rate;
};

/// Rates by what they depend on: the flows that are active, and the ports that do not run at the rate they were built with.
/// Holds a bounded number of rates; when they are too many, it starts anew.
class PhaseCache {
 public:
  [[nodiscard]] const std::vector<FlowRate>* find(const SetKey& key) const {
    const auto found = phases_.find(key);
    return found == phases_.end() ? nullptr : &found->second;
  }
  void keep(const SetKey& key, std::span<const FlowRate> rates) {
    if (rates.size() > kLargestSet) return;
    if (held_ + rates.size() > kMostRates) phases_.clear(), held_ = 0;
    held_ += rates.size();
    phases_.emplace(key, std::vector<FlowRate>(rates.begin(), rates.end()));
  }

 private:
  static constexpr std::size_t kMostRates = 1U << 23;
  static constexpr std::size_t kLargestSet = 1U << 16;                      // of flows: larger ones do not come again
  std::unordered_map<SetKey, std::vector<FlowRate>, SetKey::Hash> phases_;  // never iterated
  std::size_t held_ = 0;
};

}  // namespace railyard
