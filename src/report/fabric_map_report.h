// The map of a fabric as a document.
#pragma once

#include "analysis/fabric_map.h"
#include "analysis/map_over_time.h"
#include "base/document.h"

namespace railyard {

/// The member `fabric_map` of the patterns; without `over_time` where nobody looked.
Document map_document(const FabricMap& map, const MapOverTime* over_time);

}  // namespace railyard
