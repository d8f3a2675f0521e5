// Documents from YAML text. The only place that sees the YAML library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/document.h"
#include "base/result.h"

namespace railyard {

/// The documents that `text` holds ("---" between them), each value with its line; `file` names it in messages. Plain scalars
/// that look like whole numbers, reals or booleans (true, false) are those, as in YAML 1.2's core schema; the rest is text.
/// What is no YAML, nested very deep, very large or blown up by aliases is reported under `code` with its line.
Result<std::vector<Document>> parse_yaml(std::string_view text, const std::string& file, std::string_view code);

}  // namespace railyard
