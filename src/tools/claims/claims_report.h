// The ledger for people, for programs, and as the table of docs/claims.md.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/document.h"
#include "report/report.h"
#include "tools/claims/claim.h"

namespace railyard {

/// A claim beside what was found about it.
struct LedgerLine {
  const Claim* claim;
  Finding finding;
};

/// Every claim with what is recorded of it; "not testable" for one that is new.
std::vector<LedgerLine> recorded_lines(const Ledger& ledger);

/// Counts by verdict, a table per topic, and for each contradicted claim the evidence.
Report claims_report(std::span<const LedgerLine> lines);

/// Counts, and what runs contradict, the first few of every topic: for those who compare.
Report::Section contradictions_section(std::span<const LedgerLine> lines, std::size_t most_per_topic);

/// { schema, summary, claims[] } (docs/results.md).
Document claims_document(std::span<const LedgerLine> lines);

/// The tables of docs/claims.md.
std::string claims_markdown(std::span<const LedgerLine> lines);

}  // namespace railyard
