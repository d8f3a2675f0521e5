// "Did you mean …?"
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace railyard {

/// Letters to insert, delete, replace or swap with a neighbour to turn one word into the other; case and -, _, .
/// count for nothing.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate closest to `word`, or "" if none is near enough to be worth suggesting. One that begins with
/// `word` is nearest, one that has it in it is near, and so are its plural and what it abbreviates (CX7). Ties go to the first.
std::string nearest(std::string_view word, std::span<const std::string> candidates);

}  // namespace railyard
