// Reads a fabric drawn by hand.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "plan/drawing.h"

namespace railyard {

/// Reads Railyard's own text ("gpu NAME …", "switch NAME …", "nvswitch NAME …", "link A B RATE DELAY [COUNT]", "#" starts a
/// comment) or the topology text of SimAI, which starts with six fields of which the last names a GPU. Every mistake is
/// returned with its line.
Result<Drawing> read_drawing(std::string_view text, const std::string& file);

}  // namespace railyard
