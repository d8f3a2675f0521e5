// What failed links did to packets, on screen and as JSON.
#pragma once

#include "analysis/packets/failure_effects.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

Report::Section failure_section(const FailureEffects& effects);
Document failure_document(const FailureEffects& effects);

}  // namespace railyard
