// TOML text to a Document. The only place that sees toml++.
#pragma once

#include <string>
#include <string_view>

#include "base/document.h"
#include "base/result.h"

namespace railyard {

/// Parses `text`; every value knows its line and column in `file` (a name for messages only, nothing is opened).
/// A syntax error is reported under `code`; TOML parsers stop at the first.
Result<Document> parse_toml(std::string_view text, std::string file, std::string_view code);

}  // namespace railyard
