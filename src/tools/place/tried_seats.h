// A placement that was simulated, and how a journal keeps it.
#pragma once

#include <array>
#include <string>

#include "answer/trial.h"
#include "base/result.h"
#include "search/crew.h"
#include "sim/step/reach.h"
#include "tools/place/candidates.h"

namespace railyard {

struct TriedSeats {
  SeatPlan plan;
  double step_s = 0;         // the mean over all seeds
  DrawnTimes draws = {};     // of it
  Diagnostics refused = {};  // why it cannot be run
  std::string same_as = {};  // the name of one tried before it that gives every rank the same GPU
  KindWeights weights = {};  // of its collectives' time, what was exposed
  std::array<GroupReach, kGroupKinds> reach = {};
};

/// A number for seats; those of one job hardly ever have the same.
PointId point_of_seats(const std::vector<std::uint32_t>& seats);

/// What a simulation with one seed told, as values or as the sentence that refused it; and back. REQUIRES: values are of that
/// kind.
Outcome outcome_of_seats(const TriedSeats& tried);
void take_outcome_of_seats(const Outcome& outcome, TriedSeats& tried);

/// What outcomes of seats depend on: a journal is of one scenario with its overrides, on any nodes. RY-SEA-002 and RY-SEA-003
/// as for other searches.
Diagnostics open_seat_journal(const Crew& crew, const std::string& file, const std::vector<std::string>& words,
                              Journal& journal);

}  // namespace railyard
