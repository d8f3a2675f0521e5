// Virtual output queues of a scheduled fabric, where any were used.
#pragma once

#include "analysis/packets/packet_results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// Nothing, where nothing waited in one.
void add_virtual_queues(const PacketResults& packets, Report::Section& section);
void add_virtual_queues(const PacketResults& packets, Document& out);

}  // namespace railyard
