// An exchange of experts, for people and for programs.
#pragma once

#include "base/document.h"
#include "report/report.h"
#include "tools/experts/experts.h"

namespace railyard {

/// In the terms of DeepEP's README: per size of the group the time and the bandwidth its tests would report.
Report experts_report(const ExpertsTable& table);

/// docs/results.md, an exchange of experts.
Document experts_document(const ExpertsTable& table);

}  // namespace railyard
