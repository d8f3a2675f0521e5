// railyard claims [ID…] [--recorded] [--verdict V] [--topic T] [--json FILE] [--write FILE] [--markdown] [--threads N]
#pragma once

#include "base/document.h"
#include "cli/options.h"
#include "report/report.h"

namespace railyard {

int claims_command(const Options& options);

/// The ledger as it was last recorded, as `railyard claims --recorded --json -` writes it. The records that ship with the
/// program are tested, so this cannot fail.
Document recorded_claims_document();

/// Where it contradicts the documents, in short.
Report::Section recorded_contradictions();

}  // namespace railyard
