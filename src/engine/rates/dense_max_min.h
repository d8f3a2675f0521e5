// Max-min rates of many flows on few links.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/large_array.h"

namespace railyard {

struct FlowPaths;

/// The rates of MaxMin::solve for whole flows of weight 1 and one priority, found link by link instead of flow by flow: the
/// link with the least share freezes its flows, then the next. That takes time for every crossing once and is the faster, the
/// more flows a link has; MaxMin::solve looks at a flow again whenever its links' levels rise, and is faster where they have
/// few.
class DenseMaxMin {
 public:
  /// Whether so many crossings on so many links are many.
  [[nodiscard]] static bool suits(std::size_t crossings, std::size_t links) { return crossings >= kDense * links; }

  /// As MaxMin::solve. REQUIRES: `paths` has no fractions, weights or priorities.
  void solve(std::span<const std::int64_t> capacity, const FlowPaths& paths, std::span<const std::uint32_t> active,
             std::span<std::int64_t> rate);

 private:
  static constexpr std::size_t kDense = 16;

  struct Link {
    std::int64_t left = 0;   // of the capacity, when frozen flows have theirs
    std::uint32_t open = 0;  // crossings of flows without a rate
    bool done = false;       // has its level
    [[nodiscard]] std::int64_t share() const { return left / open; }
  };
  using Share = std::pair<std::int64_t, std::uint32_t>;  // of a link, when it was last looked at; it never sinks

  void open(std::span<const std::int64_t> capacity, const FlowPaths& paths, std::span<const std::uint32_t> active);
  void add_flow(std::uint32_t flow, std::span<const std::int64_t> capacity, std::span<const std::uint32_t> links,
                std::int64_t cap);
  void add_members(std::size_t flows);
  [[nodiscard]] std::span<const std::uint32_t> links_of(std::uint32_t flow) const;
  [[nodiscard]] bool find_least();
  void freeze(std::uint32_t flow, std::int64_t at);
  void freeze_members(std::uint32_t link, std::int64_t at);

  std::vector<Link> links_;
  // By flow, in rows of `width_` that lie together since links reach for them in any order: its rate in two halves, then its
  // links, then kNoLink if there is room.
  LargeArray<std::uint32_t> rows_;
  std::uint32_t width_ = 0;
  LargeArray<std::uint32_t> first_, member_;  // by link: the flows that cross it
  std::vector<Share> least_;                  // a heap
  std::vector<Share> caps_;                   // that may hold flows back, largest first; with flows
  std::vector<std::uint32_t> ready_;          // links with the least share
};

}  // namespace railyard
