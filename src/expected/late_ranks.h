// Who is late: of a collective all ranks wait for the last, so that the last one's own call is the shortest.
#pragma once

#include <vector>

#include "expected/odd.h"
#include "measured/measured.h"

namespace railyard {

/// Ranks whose calls of the NCCL Inspector are much shorter than their peers', and ranks whose traces compute much longer than
/// their peers'. At least three ranks are compared.
void late_ranks(const Measurements& measured, std::vector<Outlier>& out);

}  // namespace railyard
