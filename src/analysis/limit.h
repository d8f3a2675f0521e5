// What a collective waits for.
#pragma once

#include <span>
#include <string>

#include "fabric/failures.h"
#include "sim/collective/collective_run.h"

namespace railyard {

/// The tier whose links were busy for most of the time: "host to leaf", with ", one path" or ", one link" where a single one
/// was, and ", slowed link" where failures left it less than its rate. Else "latency", and of a library what its protocol or
/// scale-up links take. A link is busy for what it carried over the rate that `failures` left it.
std::string limit_of(const Fabric& fabric, std::span<const PortChange> failures, const CollectiveRun& collective);

}  // namespace railyard
