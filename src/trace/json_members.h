// Members of JSON objects that other tools wrote, where a missing one is no mistake.
#pragma once

#include <string_view>

#include "base/document.h"

namespace railyard {

/// The text that a member is, or "".
std::string_view text_member(const Document& object, std::string_view key);

/// The number that a member is, also where it is written as text; `otherwise` if it is none.
double number_member(const Document& object, std::string_view key, double otherwise = 0);

}  // namespace railyard
