// Two causes at once: where no single one explains the curves.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tools/diagnose/score.h"

namespace railyard {

struct CausePair {
  const SlowCause *first = nullptr, *second = nullptr;
  Variant first_best = {}, second_best = {};
  PredictedTimes times = {};  // with both
  double gain = 0;            // logarithm of how many times likelier the curves are than with the best single cause
};

/// What a pair has to be likelier by, in logarithms: it has a severity more, and may be any of hundreds.
inline constexpr double kPairGain = 8;

/// Runs the cluster with several changes at once; nothing where it cannot.
using RunWith = std::function<std::optional<PredictedTimes>(const std::vector<std::string>& set)>;

/// The best pair of causes, if the curves are kPairGain likelier with it than with any single one. Every pair is guessed from
/// what its parts do alone; the best guesses are simulated.
[[nodiscard]] std::optional<CausePair> best_pair(const std::vector<Curve>& curves, const CausePredictions& predictions,
                                                 const ClusterFacts& facts, const std::vector<RankedCause>& ranked,
                                                 const RunWith& run_with);

}  // namespace railyard
