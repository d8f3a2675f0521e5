// A training step, stage by stage of its making.
#pragma once

#include "analysis/results.h"
#include "report/report.h"
#include "sim/step/step_run.h"

namespace railyard {

std::vector<Report::Section> explain_step(const StepRun& run, const StepResults& results);

/// The program of one rank, with whom it works.
std::vector<Report::Section> rank_sections(const StepRun& run, std::uint32_t rank);

}  // namespace railyard
