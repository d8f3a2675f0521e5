// Which measured curves a cause shows in: all of them, those of some hosts, or those of larger groups.
#pragma once

#include <string>
#include <vector>

#include "expected/judged.h"
#include "expected/predict.h"
#include "tools/diagnose/cause.h"

namespace railyard {

/// A part of the curves that a cause may show in.
struct CauseScope {
  std::vector<bool> shows;  // by curve
  std::string where;        // in words; empty: everywhere
  double log_weight = 0;    // how much less likely than everywhere: which part it is had to be chosen
};

/// Everywhere first. Where some curves are slow and others are not, also the hosts that no fast curve has (of causes that one
/// host may have), and groups of more nodes than all fast ones have (of causes that the network or the library has).
[[nodiscard]] std::vector<CauseScope> scopes_of(const std::vector<Curve>& curves, const PredictedTimes& expected);

/// Whether it is one that such a cause may have.
[[nodiscard]] bool fits(const CauseScope& scope, const SlowCause& cause);

}  // namespace railyard
