// Plays one collective over an engine.
#pragma once

#include <span>

#include "base/progress.h"
#include "collective/schedule.h"
#include "engine/engine.h"

namespace railyard {

/// Runs `schedule` to its end, position i of the group sitting on seats[i], and returns the time from the first post to the
/// last delivery. Advances `progress` by the number of messages. REQUIRES: schedule.messages() < 2^32, as many seats as
/// positions.
Picoseconds play(const Schedule& schedule, std::span<const EndpointId> seats, Engine& engine, Progress& progress);

}  // namespace railyard
