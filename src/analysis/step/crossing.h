// How much of what groups send leaves a scale-up domain, where some groups of a kind lie inside one and others do not.
#pragma once

#include "workload/layout.h"

namespace railyard {

/// Shares over all groups of one kind, ranks filling domains in order.
struct Crossing {
  double ring = 0;   // hops of a ring over the members in order
  double pairs = 0;  // pairs of members, a member with itself among them
};

/// Counted group by group, in the first 65,536 ranks of a job.
Crossing crossing_of(const Layout& layout, const Group& group);

/// Ranks of a stage whose counterpart in another stage is in another domain, over all; counted in as many ranks.
double crossing_between(const Layout& layout, std::uint32_t stage, std::uint32_t other);

}  // namespace railyard
