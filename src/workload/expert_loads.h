// How unevenly tokens are spread over the ranks of an expert group: what each rank sends to each.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "plan/choices.h"

namespace railyard {

/// The ranks that experts are dealt to in order, `local` of them in one scale-up domain.
struct ExpertRanks {
  std::uint32_t experts = 1, ranks = 1, local = 1;
  Dispatch dispatch = Dispatch::all_to_all;
  double capacity = std::numeric_limits<double>::infinity();  // what a rank takes in, over the mean
};

/// Bytes of an exchange over what they would be if all pairs of ranks had as many.
struct ExpertLoads {
  /// By rank of the tokens (one row if all send alike) and rank of the experts. Empty: all pairs are alike.
  std::vector<std::vector<double>> pairs;
  double all = 1;     // of the rank that most leaves or comes to
  double remote = 1;  // of the NIC that most leaves or comes to

  [[nodiscard]] bool uneven() const { return !pairs.empty(); }
  /// REQUIRES: uneven().
  [[nodiscard]] double between(std::uint32_t tokens, std::uint32_t experts) const {
    return pairs[pairs.size() == 1 ? 0 : tokens][experts];
  }
};

/// `shares`: empty, one number per expert, or one per rank of tokens and expert, rank by rank.
/// REQUIRES: ranks divide experts; no rank's shares are all zero.
ExpertLoads expert_loads(const ExpertRanks& group, std::span<const double> shares);

/// One share per expert, of all ranks together, each of which has as many tokens. What is one number per expert stays as it is.
std::vector<double> expert_totals(std::uint32_t experts, std::span<const double> shares);

}  // namespace railyard
