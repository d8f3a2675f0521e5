// Paths that meet others on one link and nowhere else.
#pragma once

#include <cstdint>
#include <limits>

#include "base/large_array.h"
#include "engine/analytic/analytic_paths.h"

namespace railyard {

/// Paths in groups: those of a group may hold each other back on one link alone, and nobody of another group. Whichever of them
/// are in use then have equal rates, min(cap, capacity / how many rounded down), the max-min fair ones (docs/models.md, links
/// that hold alone). A path that nobody holds back is a group of its own.
///
/// A link takes part if its paths could fill it at their caps. Of a group that is connected by such links one must be crossed
/// by all, once, and be no faster than the others: these are then never full before it is, for fewer cross them.
struct SoleLinks {
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Group {
    std::int64_t capacity;  // kUnlimitedRate where nobody is held back
    std::int64_t cap;       // of every path
    std::uint32_t paths;
  };
  LargeArray<std::uint32_t> of_path;  // its group; kNone: it has none
  LargeArray<Group> groups;
};

/// Of all paths there are, at the rates that links have now. None where a path is not whole: what is spread meets many.
SoleLinks find_sole_links(const AnalyticPaths& paths);

}  // namespace railyard
