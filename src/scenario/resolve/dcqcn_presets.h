// Parameter sets of DCQCN by name (docs/models.md, DCQCN parameter sets).
#pragma once

#include <optional>

#include "catalog/status.h"
#include "plan/choices.h"
#include "plan/packet_plan.h"

namespace railyard {

/// One set on links of one rate.
struct DcqcnSet {
  DcqcnPlan dcqcn;
  std::optional<EcnPlan> ecn;  // thresholds that go with it, where its source has them
  Origin origin;
};

inline constexpr BitsPerSecond kPaperRate = 40_Gbps;  // of the links that Zhu et al. chose their values on

/// What a source does not say is as NVIDIA has it. Rates and thresholds grow with `rate` where the source has them do so.
[[nodiscard]] DcqcnSet dcqcn_set(DcqcnPreset preset, BitsPerSecond rate);

}  // namespace railyard
