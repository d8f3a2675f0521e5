// JSON text from a Document and back. The only place that sees the JSON library.
#pragma once

#include <string>
#include <string_view>

#include "base/document.h"
#include "base/result.h"

namespace railyard {

/// Indented by two, members in their order, numbers in their shortest exact form, a newline at the end. Arrays of plain
/// values, or of a few of them each, and rows of tables take one line. What could steer a terminal is written in letters.
std::string write_json(const Document& document);

/// The same on one line, without blanks: for programs alone.
std::string write_compact_json(const Document& document);

/// The document that `text` holds; `file` names it in messages. What is no JSON, nested very deep or very large is reported
/// under `code` with its line.
Result<Document> parse_json(std::string_view text, const std::string& file, std::string_view code);

}  // namespace railyard
