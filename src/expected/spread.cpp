#include "expected/spread.h"

#include <algorithm>
#include <cmath>

namespace railyard {

namespace {

constexpr double kNoise = 0.04;  // of one measurement, and of a prediction where bandwidth has levelled off

}  // namespace

double own_spread(Bytes size, double levelled) {
  const double by_size = size < 1_MiB ? 0.3 : size < 64_MiB ? 0.15 : 0;
  const double rising = std::min(0.35, 1 - levelled);
  return kNoise + std::max(by_size, rising);
}

double least_share(Bytes size, double levelled) { return std::exp(-2 * std::hypot(kCommonSpread, own_spread(size, levelled))); }

}  // namespace railyard
