// A fabric as a picture: tiers as rows, groups of switches side by side, bundles of links between them.
#pragma once

#include <string>

#include "fabric/fabric.h"
#include "tools/fabric/summary.h"

namespace railyard {

/// A whole SVG document of 1200 pixels' width, for light and dark screens. What would not fit is left out, and the picture says
/// how much. Width of a bundle is its bandwidth, colour its oversubscription.
std::string fabric_svg(const Fabric& fabric, const FabricSummary& summary);

/// What fabric_svg does where a fabric was drawn by hand. REQUIRES: fabric.drawn.
std::string drawn_svg(const Fabric& fabric, const FabricSummary& summary);

}  // namespace railyard
