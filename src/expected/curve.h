// Measured collectives as curves over sizes, ready to be held against predictions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/units.h"
#include "measured/measured.h"
#include "plan/scenario.h"

namespace railyard {

/// One size; where it was measured several times (in place and out of place, or in several calls), the median.
struct CurvePoint {
  Bytes size;
  double time_s = 0;
  double bus_bandwidth = 0;  // bytes per second
  std::uint32_t calls = 1;
  SourceSpan where;  // of the first
};

/// One collective over one group.
struct Curve {
  CollectiveKind kind = CollectiveKind::all_reduce;
  std::uint32_t ranks = 0, nodes = 1;
  bool is_assumed = false;         // ranks or nodes are the scenario's: no file says them
  std::vector<CurvePoint> points;  // by size
  std::vector<std::string> hosts;  // as far as they are known
  std::uint64_t wrong = 0;         // values that came out wrong
  std::string library, file;       // version of NCCL or RCCL; the file it is from
};

/// A curve for every collective that can be predicted. `unknown` names the others ("hypercube").
std::vector<Curve> curves_of(const Measurements& measured, const Scenario& scenario, std::vector<std::string>& unknown);

/// "all_reduce over 16 ranks in 2 nodes".
std::string name_of(const Curve& curve);

}  // namespace railyard
