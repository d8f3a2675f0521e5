// JSON text from a Document. The only place that sees the JSON library.
#pragma once

#include <string>

#include "base/document.h"

namespace railyard {

/// Indented by two, members in their order, numbers in their shortest exact form, a newline at the end. Arrays of plain
/// values, or of a few of them each, take one line.
std::string write_json(const Document& document);

/// The same on one line, without blanks: for programs alone.
std::string write_compact_json(const Document& document);

}  // namespace railyard
