// Rates that were solved before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/flow/set_key.h"
#include "engine/rates/followed_rates.h"

namespace railyard {

/// Rates by what they depend on: the flows that are active, and the ports that do not run at the rate they were built with.
/// Holds a bounded number of rates; when they are too many, it starts anew. When hardly any was ever asked for again, it keeps
/// none from then on.
class PhaseCache {
 public:
  struct Phase {
    std::vector<std::uint32_t> flow;
    std::vector<std::int64_t> rate;
  };

  /// Valid until the next keep(); none if it does not know.
  [[nodiscard]] const Phase* find(const SetKey& key) {
    const auto found = phases_.find(key);
    if (found == phases_.end()) return nullptr;
    found_++;
    return &found->second;
  }
  void keep(const SetKey& key, const FoundRates& rates) {
    if (rates.flow.size() > kLargestSet || gave_up_) return;
    if (held_ + rates.flow.size() > kMostUnused * (1 + found_)) {
      gave_up_ = true;
      phases_ = {};
      return;
    }
    if (held_ + rates.flow.size() > kMostRates) phases_.clear(), held_ = 0;
    held_ += rates.flow.size();
    phases_.emplace(key, Phase{{rates.flow.begin(), rates.flow.end()}, {rates.rate.begin(), rates.rate.end()}});
  }

 private:
  static constexpr std::size_t kMostRates = 1U << 21, kMostUnused = 1U << 20;
  static constexpr std::size_t kLargestSet = 1U << 16;      // of flows: larger ones do not come again
  std::unordered_map<SetKey, Phase, SetKey::Hash> phases_;  // never iterated
  std::size_t held_ = 0, found_ = 0;
  bool gave_up_ = false;
};

}  // namespace railyard
