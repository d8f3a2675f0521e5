// What a placement costs by closed form: how long the busiest links of every tier need for what a step sends
// (docs/models.md, placement).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tools/place/job_graph.h"
#include "tools/place/server_tree.h"

namespace railyard {

/// How much of a second that links are busy with a kind of group counts: 1 where nothing is beside it.
using KindWeights = std::array<double, kGroupKinds>;

/// The sum over kinds of weight x (sum over links of seconds^4)^(1/4): a maximum that also sees the links that come next. Moves
/// of one unit are counted without the rest.
class LinkCost {
 public:
  /// Both must outlive this.
  LinkCost(const UnitGraph& graph, const ServerTree& tree, const KindWeights& weights);

  /// Units on servers, all anew. REQUIRES: a server for every unit.
  void seat(const std::vector<std::uint32_t>& servers);
  [[nodiscard]] double cost() const;

  /// One unit goes elsewhere. Two may share a server for a moment.
  void move(std::uint32_t unit, std::uint32_t server);
  [[nodiscard]] const std::vector<std::uint32_t>& servers() const { return servers_; }

 private:
  void count(std::uint32_t a, std::uint32_t b, const UnitEdge& edge, double sign);
  void add(std::size_t kind, std::size_t link, double seconds);

  const UnitGraph& graph_;
  const ServerTree& tree_;
  KindWeights weights_;
  std::vector<std::uint32_t> servers_;
  std::vector<double> seconds_;                // by kind, block and direction
  std::array<double, kGroupKinds> sums_ = {};  // of their fourth powers
};

}  // namespace railyard
