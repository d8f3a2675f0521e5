// Reads [failures].
#pragma once

#include <vector>

#include "base/complaints.h"
#include "base/document.h"
#include "plan/failure.h"

namespace railyard {

/// In the order written: the name of a thing, and "down", or a table of what is left and when, or several of them.
void read_failures(const Document& table, std::vector<Failure>& failures, Complaints& complaints);

}  // namespace railyard
