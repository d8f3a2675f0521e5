// railyard claims [ID…] [--recorded] [--verdict V] [--topic T] [--json FILE] [--write FILE] [--markdown] [--threads N]
#pragma once

#include "base/document.h"
#include "cli/options.h"

namespace railyard {

int claims_command(const Options& options);

/// The ledger as it was last recorded, as `railyard claims --recorded --json -` writes it. The records that ship with the
/// program are tested, so this cannot fail.
Document recorded_claims_document();

}  // namespace railyard
