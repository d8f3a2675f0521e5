// Every schedule there is over small groups, for tests.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "collective/lower.h"

namespace railyard::testing {

inline constexpr CollectiveKind kKinds[] = {
    CollectiveKind::all_reduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
    CollectiveKind::all_to_all, CollectiveKind::broadcast,  CollectiveKind::reduce,
    CollectiveKind::send};

/// A tree of `levels` levels of switches in which up to `fanout` neighbours hang on one switch, or every so many-th.
inline ReductionTree switches_over(std::uint32_t positions, std::uint32_t levels, std::uint32_t fanout, bool scattered) {
  ReductionTree tree;
  tree.parent = Table<PositionId, PositionId>(positions);
  std::uint32_t first = 0, count = positions;
  for (std::uint32_t level = 1; level <= levels; level++) {
    const std::uint32_t above = level == levels ? 1 : (count + fanout - 1) / fanout;
    if (level < levels && above < 2) continue;  // a root with one child is no root
    const std::uint32_t base = positions + tree.switches;
    for (std::uint32_t i = 0; i < count; i++)
      tree.parent[PositionId(first + i)] = PositionId(base + (above == 1 ? 0 : scattered ? i % above : i / fanout));
    for (std::uint32_t i = 0; i < above; i++) tree.parent.push(PositionId());
    tree.switches += above;
    first = base;
    count = above;
  }
  return tree;
}

inline std::vector<Shape> shapes_for(CollectiveAlgorithm algorithm, std::uint32_t n) {
  std::vector<Shape> shapes;
  const bool domains = algorithm == CollectiveAlgorithm::hierarchical || algorithm == CollectiveAlgorithm::pxn ||
                       algorithm == CollectiveAlgorithm::nvls;
  for (const std::uint32_t per_domain : {1U, 2U, 4U, 8U, n})
    if (domains && n % per_domain == 0 && (per_domain > 1 || algorithm != CollectiveAlgorithm::nvls))
      shapes.push_back({.positions = n, .per_domain = per_domain});
  if (algorithm == CollectiveAlgorithm::in_network) {
    for (const std::uint32_t levels : {1U, 2U, 3U})
      for (const bool scattered : {false, true})
        shapes.push_back({.positions = n, .tree = switches_over(n, levels, levels == 3 ? 2 : 4, scattered)});
  } else if (!domains) {
    shapes.push_back({.positions = n});
  }
  return shapes;
}

/// Calls `check` with every schedule there is of up to `largest` ranks.
template<class Check>
void for_every_schedule(std::uint32_t largest, std::initializer_list<std::int64_t> sizes, Check check) {
  for (const CollectiveKind kind : kKinds)
    for (const CollectiveAlgorithm algorithm : algorithms_for(kind))
      for (std::uint32_t n = 2; n <= largest; n++)
        for (const Shape& shape : shapes_for(algorithm, n))
          for (const std::int64_t size : sizes)
            for (const std::uint32_t pipeline : {1U, 5U}) {
              const auto schedule = lower(kind, algorithm, shape, Bytes(size), {.pipeline = pipeline});
              ASSERT_TRUE(schedule);
              SCOPED_TRACE(fmt::format("{} {} over {} by {}, {} bytes, pipeline {}", name_of(kind), name_of(algorithm), n,
                                       shape.per_domain, size, pipeline));
              check(*schedule, shape, Bytes(size));
              if (::testing::Test::HasFailure()) return;
            }
}

}  // namespace railyard::testing
