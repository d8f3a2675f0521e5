// How much of what half of the GPUs can send reaches the other half.
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/fabric.h"

namespace railyard {

/// Servers are split in order into two halves (whole scale-up domains stay together); what the NICs of one half can send is
/// held against the narrowest cut of the network between them, in one direction.
struct Bisection {
  std::uint32_t gpus_here = 0, gpus_there = 0;
  double ideal_gbps = 0;      // what the NICs of the smaller half carry
  double bandwidth_gbps = 0;  // what the network carries
  std::vector<Tier> where;    // the tiers the narrowest cut runs through
  [[nodiscard]] double share() const { return ideal_gbps > 0 ? bandwidth_gbps / ideal_gbps : 0; }
  [[nodiscard]] double per_gpu_gbps() const { return gpus_here > 0 ? bandwidth_gbps / gpus_here : 0; }
};

/// By maximum flow over blocks of switches (over single switches where a fabric is drawn): exact, since the links of a block
/// share evenly. Scale-up links carry nothing across, as no domain is split.
Bisection bisect(const Fabric& fabric);

}  // namespace railyard
