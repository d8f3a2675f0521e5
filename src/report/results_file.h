// Results that --json wrote, read again: what `railyard diff` takes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "base/result.h"

namespace railyard {

/// The results of a run, or of several that were compared, out of JSON. Whatever else the text holds is refused: RY-DIF-001
/// where it is no JSON, RY-DIF-002 where it is no results. `file` names it in messages.
Result<Document> parse_results(std::string_view text, const std::string& file);

/// Results to hold against each other, with a title each: one of a run, one for every scenario that two comparisons share.
struct ResultsPair {
  std::string title;
  const Document *a, *b;  // into what was paired
};

/// REQUIRES: both come from parse_results; they must outlive what is returned. RY-DIF-003, at `file`, where they have nothing
/// in common.
Result<std::vector<ResultsPair>> pair_results(const Document& a, const Document& b, const std::string& file);

}  // namespace railyard
