// What the ranks of a training step send each other, as a graph: bytes a step, by kind of group (docs/models.md, placement).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/step.h"

namespace railyard {

/// Ranks that sit on one server, in order.
using RankUnits = std::vector<std::vector<std::uint32_t>>;

/// What a unit sends to another and gets from it in a step, in bytes.
struct UnitEdge {
  std::uint32_t other = 0;
  GroupKind kind = GroupKind::tensor;
  double out = 0, in = 0;
};

/// Edges by unit; every edge is there from both ends.
using UnitGraph = std::vector<std::vector<UnitEdge>>;

/// A ring runs through the units of its group, an all-to-all sends from all to all, a pipeline from every stage to the next and
/// back.
UnitGraph graph_of(const Step& step, const RankUnits& units);

/// Ranks of a job, as many as a server has GPUs at a time.
struct UnitOrder {
  std::string name;  // "ranks in order", "pipeline inside data"
  RankUnits units;
};

/// The orders that a regular placement may deal ranks in: tensor positions are neighbours in all of them; context, data and
/// pipeline positions come in any order. The first is the order of ranks.
std::vector<UnitOrder> unit_orders(const Layout& layout, std::uint32_t per_node);

}  // namespace railyard
