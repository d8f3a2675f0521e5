// The figures of a run that a sweep keeps.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/scenario.h"
#include "sim/run.h"
#include "sweep/missed_figures.h"
#include "sweep/row.h"

namespace railyard {

/// What a column is, for people: "exposed_s", "s", "communication of a step that nothing runs beside".
struct SweepFigure {
  std::string_view name, unit, help;
};

/// Those of every sweep, whatever it runs; a run has some of them.
std::span<const SweepFigure> sweep_figures();

/// The row of a run: these figures, then what `paths` lead to in its results; `missed` learns where they lead nowhere.
SweepRow row_of_run(const Scenario& scenario, const Run& run, std::span<const std::string> paths, MissedFigures& missed);

}  // namespace railyard
