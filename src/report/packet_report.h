// What single packets met, as text and as JSON.
#pragma once

#include <vector>

#include "analysis/packets/packet_results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// Sections of the report on traffic.
std::vector<Report::Section> packet_sections(const PacketResults& packets);

/// Adds `pfc`, `ecn`, `cnp`, `drops` and the like to the results (docs/results.md).
void add_packets(const PacketResults& packets, Document& out);

}  // namespace railyard
