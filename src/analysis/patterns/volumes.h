// How much is sent: by primitive, by phase, by kind of group, by how far it goes.
#pragma once

#include <string>
#include <vector>

#include "analysis/step/step_results.h"

namespace railyard {

struct VolumeRow {
  std::string name;
  double bytes = 0;      // per GPU and step
  double scale_out = 0;  // of these, across the network between scale-up domains
};

/// The same bytes cut in one way; most first.
struct Volumes {
  std::string by;  // "primitive", "phase", "group", "tier"
  std::vector<VolumeRow> rows;

  [[nodiscard]] double bytes() const;
  [[nodiscard]] double scale_out() const;
};

/// Of a training step. Phases are forward and backward passes, what tokens take to experts and back in both, and what the
/// optimizer needs: gradients before it, parameters after it. Tiers are what `reach` knows, else inside and outside of domains.
std::vector<Volumes> volumes_of(const std::vector<TrafficRow>& traffic, const std::vector<ReachRow>& reach);

/// Of one primitive alone.
std::vector<Volumes> volumes_of(const std::string& primitive, double bytes, double scale_out);

}  // namespace railyard
