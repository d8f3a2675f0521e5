// A whole training step packet by packet, as text and as JSON.
#pragma once

#include <vector>

#include "analysis/step/packet_step_results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

std::vector<Report::Section> packet_step_sections(const PacketStepResults& results);

/// `packets` of the results (docs/results.md).
Document packet_step_document(const PacketStepResults& results);

}  // namespace railyard
