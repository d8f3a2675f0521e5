// A long list in JSON, object by object, without holding all of it.
#pragma once

#include <string_view>

#include "trace/byte_source.h"

namespace railyard {

/// The length of the object that a text begins with, brackets in strings aside; 0 where it does not end in it.
std::size_t length_of_object(std::string_view text);

/// Moves behind the first `mark`; false if there is none.
bool skip_behind_text(BufferedBytes& bytes, std::string_view mark);

/// The next object of a list, which stays next until it is skipped; empty at the list's end, where `is_whole` is set, and where
/// the text breaks off.
std::string_view next_json_object(BufferedBytes& bytes, bool& is_whole);

}  // namespace railyard
