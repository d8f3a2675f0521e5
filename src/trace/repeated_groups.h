// Groups of ranks where a trace of one rank tells only how large its groups are and how far apart their members: all ranks are
// cut into such groups.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "trace/graph.h"

namespace railyard {

struct GroupShape {
  std::uint32_t size = 1, stride = 1;

  /// Ranks that the groups of one block take.
  [[nodiscard]] std::uint64_t block() const { return std::uint64_t{size} * stride; }
  [[nodiscard]] bool divides(std::uint32_t ranks) const { return block() <= ranks && ranks % block() == 0; }
};

class RepeatedGroups {
 public:
  explicit RepeatedGroups(TraceDraft& draft) : draft_(draft) {}

  /// The group of `rank`, which is added to the draft where it is new. REQUIRES: the shape divides the draft's ranks.
  std::uint32_t group_of(GroupShape shape, std::uint32_t rank);

  /// The member of its group that lies `offset` places behind `rank`, around it if need be.
  static std::uint32_t member_behind(GroupShape shape, std::uint32_t rank, std::uint32_t offset);

 private:
  TraceDraft& draft_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> groups_;  // by size, stride and first rank
};

}  // namespace railyard
