// Links that can never hold a flow back, because others always do so first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace railyard {

/// Who crosses what, flow by flow: flow f takes link[first[f]] … link[first[f + 1] - 1], none twice.
struct FlowRows {
  std::span<const std::uint32_t> first;
  std::span<const std::uint32_t> link;
  std::span<const std::uint64_t> fraction;  // parallel to link, in 2^-32; empty: all whole
};

/// Takes links out of `matters` that others dominate: all flows of the one cross the other, with no smaller fractions, and the
/// other has no more capacity. Rates are the same without them, whichever flows are active (docs/models.md, max-min rates):
/// were the level of such a link less than the other's, all that it carries at this level would fit on the other and so on
/// itself. Finds most of them: every link is compared with a bounded number of others.
void drop_dominated_links(std::span<const std::int64_t> capacity, const FlowRows& flows, std::vector<bool>& matters);

}  // namespace railyard
