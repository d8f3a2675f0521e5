// Reads [failures].
#pragma once

#include <vector>

#include "base/complaints.h"
#include "base/document.h"
#include "plan/failure.h"

namespace railyard {

/// In the order written: the name of a thing, and "down" or { rate, from, until }.
void read_failures(const Document& table, std::vector<Failure>& failures, Complaints& complaints);

}  // namespace railyard
