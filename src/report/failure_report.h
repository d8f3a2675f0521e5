// What failures did, on screen and as JSON: to links, and to packets.
#pragma once

#include <vector>

#include "analysis/lost_links.h"
#include "analysis/packets/failure_effects.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

Report::Section failure_section(const FailureEffects& effects);
Document failure_document(const FailureEffects& effects);

/// Of a run over flows. REQUIRES: there are some.
Report::Section lost_links_section(const std::vector<LostLinks>& lost);
Document lost_links_document(const std::vector<LostLinks>& lost);

}  // namespace railyard
