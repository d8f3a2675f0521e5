// What circuits that change between the phases of a training step do, as text and as JSON.
#pragma once

#include "analysis/step/circuit_results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// A section of the report on a step of `step_s` seconds.
Report::Section circuit_section(const CircuitResults& circuits, double step_s);

Document circuit_document(const CircuitResults& circuits);

}  // namespace railyard
