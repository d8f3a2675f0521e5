// What was counted, for people and for programs.
#pragma once

#include "base/document.h"
#include "report/report.h"
#include "tools/fabric/summary.h"

namespace railyard {

/// Tables of at most 80 columns.
Report fabric_report(const FabricSummary& summary);

/// docs/results.md, the JSON of a fabric.
Document fabric_document(const FabricSummary& summary);

/// "1:1", "2.5:1"; "–" where nothing is above.
std::string ratio_text(const std::optional<double>& ratio);

/// "400 Gb/s", "90 Tb/s", "1.25 Pb/s".
std::string bandwidth_text(double gbps);

}  // namespace railyard
