// What the traffic of a run looks like, as sections for people and as a document for programs.
#pragma once

#include <vector>

#include "analysis/patterns/patterns.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// Volumes by primitive, sizes of flows, burstiness: in short.
std::vector<Report::Section> patterns_sections(const Patterns& patterns);

/// The member `patterns` of the JSON results.
Document patterns_document(const Patterns& patterns);

}  // namespace railyard
