// Results as a report for people and as a document for programs. Both come from the same value.
#pragma once

#include "analysis/results.h"
#include "base/document.h"
#include "report/report.h"

namespace railyard {

/// What a person sees after a run.
Report results_report(const Results& results);

/// " Failures: leaf 3 is down." with a blank before it; nothing where nothing fails.
std::string failures_sentence(const std::vector<std::string>& failures);

/// The JSON results (docs/results.md). `wall_seconds` is the only part that differs between equal runs.
Document results_document(const Results& results, double wall_seconds);

/// A list of findings as JSON, as in results and as `railyard check --json` writes it.
Document diagnostics_document(const Diagnostics& diagnostics);

/// The numbers a run rests on, with their status and source; a long source is cut short unless `in_full`.
TextTable inputs_table(const std::vector<Input>& inputs, bool in_full);

/// "leaf-spine: 4 leaves of 16 hosts, 8 spines, …"
std::string describe(const RunFabric& fabric);

}  // namespace railyard
