// Who is slower than its peers: hosts by the tests they took part in, NICs by perftest, ports by their counters.
#pragma once

#include <string>
#include <vector>

#include "expected/curve.h"
#include "measured/measured.h"

namespace railyard {

/// Something that stands out.
struct Outlier {
  std::string what;  // "host", "NIC", "port", "rank"
  std::string name;
  std::string how;  // "does 98 Gb/s where others do 392 Gb/s"
  SourceSpan where;
};

/// `ratios`: of every curve, what was measured over what was expected; 0 where that is not known.
[[nodiscard]] std::vector<Outlier> odd_ones(const Measurements& measured, const std::vector<Curve>& curves,
                                            const std::vector<double>& ratios);

}  // namespace railyard
