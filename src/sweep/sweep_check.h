// What is wrong with the [sweep] of a file, before anything of it is run.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "sweep/sweep.h"

namespace railyard {

/// Mistakes of axes and conditions, as Sweep::open() finds them; where those are fine and none of the first points can be run,
/// why not. Nothing where the file has no [sweep]. `files` remembers what was read.
std::optional<Diagnostics> mistakes_of_sweep(const SweepQuestion& question, const Catalog& catalog, const FileBundle& files);

}  // namespace railyard
