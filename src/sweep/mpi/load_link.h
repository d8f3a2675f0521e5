// MPI where mpirun started this process, and not a trace of it elsewhere.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/team_link.h"

namespace railyard {

/// Which of how many processes this is, by the environment that mpirun leaves; nothing where it was started alone.
struct TeamPlace {
  int rank = 0, size = 1;
};
std::optional<TeamPlace> team_place();

/// Loads railyard_mpi.so, which lies beside the program or in lib/railyard beside its folder, and joins the others. RY-SWP-011
/// where it cannot be loaded.
Result<const RailyardTeamLink*> load_team_link();

}  // namespace railyard
