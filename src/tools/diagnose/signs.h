// What logs, perftest, counters and configurations of a cluster show if one cause is at work in it.
#pragma once

#include <string_view>

#include "expected/odd.h"
#include "measured/measured.h"
#include "qos/device.h"
#include "tools/diagnose/cause.h"

namespace railyard {

struct CauseSigns {
  Measurements measured;
  Estate estate;
  std::vector<Outlier> odd;  // what tests of pairs of nodes would show
};

/// Of a healthy cluster for "healthy"; else with what the cause leaves behind. Written from what tools print
/// (docs/measured.md), not from the rules that read it.
[[nodiscard]] CauseSigns signs_of(std::string_view cause, const ClusterFacts& facts);

}  // namespace railyard
