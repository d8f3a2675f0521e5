// The claims as catalog/claims has them: one file per topic, and recorded.toml with what was found.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/embedded.h"
#include "tools/claims/claim.h"

namespace railyard {

/// Names of topics, which are those of files, in the order in which they are told.
std::span<const std::string_view> claim_topics();

/// Reads every claim and every record; each mistake is reported with its place. Files of other folders are left alone.
Result<Ledger> read_ledger(std::span<const EmbeddedFile> files);

/// The text of recorded.toml: six digits of every number, claims in their order. What is not among `findings` (as many as
/// claims) stays as it was recorded.
std::string recorded_text(const Ledger& ledger, std::span<const std::optional<Finding>> findings);

/// Which claims were asked for; all where nothing was.
struct ClaimsChoice {
  std::vector<std::string> ids;
  std::string topic, verdict;
};

/// Indices into the ledger, ascending. `verdict` is the recorded one. An id or topic that there is not is an error with the
/// nearest.
Result<std::vector<std::size_t>> choose_claims(const Ledger& ledger, const ClaimsChoice& choice);

}  // namespace railyard
