// Points of a sweep that differ in their seed alone, as one design.
#pragma once

#include <string_view>
#include <vector>

#include "sweep/table.h"

namespace railyard {

inline constexpr std::string_view kSeedAxis = "engine.seed";

/// What a figure is at a design: of one point, or of one with several seeds.
struct SweepDesign {
  std::vector<std::size_t> points = {};  // that have the figure, by number
  double mean = 0, least = 0, most = 0;
};

/// Designs that have the figure, in the order of their first points. Where nothing but the seed differs, each point is one.
std::vector<SweepDesign> sweep_designs(const SweepTable& table, std::size_t figure);

/// Whether designs have several seeds.
bool has_seeds(const SweepTable& table);

}  // namespace railyard
