// How well causes explain what was measured: likelihoods of curves, and what evidence adds.
#pragma once

#include <string>
#include <vector>

#include "expected/spread.h"
#include "tools/diagnose/cause.h"
#include "tools/diagnose/evidence.h"
#include "tools/diagnose/try_causes.h"

namespace railyard {

/// Logarithm of how likely measured times are if `predicted` is right.
[[nodiscard]] double log_likelihood(const Curve& curve, const std::vector<double>& predicted);

struct RankedCause {
  const SlowCause* cause = nullptr;
  double score = 0;                     // all of them sum to 1
  double fit = 0;                       // logarithm of the likelihood of the curves, over that of nothing being wrong
  Variant best = {};                    // what it looks like at its likeliest
  bool is_everywhere = true;            // else in some hosts, or in larger groups alone
  PredictedTimes times = {};            // with that; empty where curves say nothing of it
  std::vector<Evidence> evidence = {};  // for and against, the strongest first
};

/// The likeliest first.
[[nodiscard]] std::vector<RankedCause> rank_causes(const std::vector<Curve>& curves, const CausePredictions& predictions,
                                                   const ClusterFacts& facts, const std::vector<Evidence>& evidence);

}  // namespace railyard
