// How far predictions are off, and measurements from one another: what thresholds and likelihoods are made of.
#pragma once

#include "base/units.h"

namespace railyard {

/// Of collectives, as standard deviations of logarithms (docs/diagnose.md, how sure predictions are): of a whole curve.
inline constexpr double kCommonSpread = 0.07;

/// Of a point alone: small buffers are uncertain, and so are those at which bandwidth still rises. `levelled` is the bandwidth
/// there over the largest of the curve.
[[nodiscard]] double own_spread(Bytes size, double levelled);

/// Both together, for a threshold: less than this share of what is expected is slow. Two standard deviations.
[[nodiscard]] double least_share(Bytes size, double levelled);

/// Of one NIC alone with perftest: framing is known exactly, what the NIC and its slot lose is not. Assumed.
inline constexpr double kNicRateSpread = 0.02;

/// Of the latency of a small message: NICs and switches of one model differ by firmware and by setting. Assumed.
inline constexpr double kLatencySpread = 0.25;

}  // namespace railyard
