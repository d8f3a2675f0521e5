// How well causes explain what was measured: likelihoods of curves, and what evidence adds.
#pragma once

#include <string>
#include <vector>

#include "tools/diagnose/cause.h"
#include "tools/diagnose/evidence.h"
#include "tools/diagnose/try_causes.h"

namespace railyard {

/// How far predictions of a collective are off, and measurements from one another, as standard deviations of logarithms
/// (docs/diagnose.md, how sure predictions are).
inline constexpr double kCommonSpread = 0.07;  // of a whole curve

/// Of a point alone: small buffers are uncertain, and so are those at which bandwidth still rises. `levelled` is the bandwidth
/// there over the largest of the curve.
[[nodiscard]] double own_spread(Bytes size, double levelled);

/// Logarithm of how likely measured times are if `predicted` is right.
[[nodiscard]] double log_likelihood(const Curve& curve, const std::vector<double>& predicted);

struct RankedCause {
  const SlowCause* cause = nullptr;
  double score = 0;                     // all of them sum to 1
  double fit = 0;                       // logarithm of the likelihood of the curves, over that of nothing being wrong
  Variant best = {};                    // what it looks like at its likeliest
  PredictedTimes times = {};            // with that; empty where curves say nothing of it
  std::vector<Evidence> evidence = {};  // for and against, the strongest first
};

/// The likeliest first.
[[nodiscard]] std::vector<RankedCause> rank_causes(const std::vector<Curve>& curves, const CausePredictions& predictions,
                                                   const ClusterFacts& facts, const std::vector<Evidence>& evidence);

}  // namespace railyard
